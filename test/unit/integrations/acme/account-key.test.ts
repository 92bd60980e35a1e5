import { createHash, createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import test from 'ava';
import { accountKeyOf } from '../../../../integrations/acme/account-key.ts';

const pem = (key: ReturnType<typeof generateKeyPairSync>): string =>
  (key.privateKey as unknown as { export(options: object): string }).export({ type: 'pkcs8', format: 'pem' });
const decoded = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
} as const;

for (const [alg, pair] of Object.entries(pairs))
  test(`${alg}: a request is signed with its URL and nonce, by the key or in the name of its account`, (t) => {
    const key = accountKeyOf(pem(pair as never))!;
    const [url, nonce, kid] = ['https://ca.example/new', 'n', 'https://ca.example/acct/1'];
    const anonymous = key.signed({ url, nonce }, { a: 1 });
    const publicKey = createPublicKey({ key: decoded(anonymous.protected).jwk as never, format: 'jwk' });
    t.true(publicKey.equals(pair.publicKey));
    const named = key.signed({ url, nonce, kid }, undefined);
    t.deepEqual(decoded(named.protected), { alg, kid, nonce, url });
    t.is(named.payload, '');
    for (const { protected: header, payload, signature } of [anonymous, named]) {
      const options = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
      t.true(
        verify(
          alg === 'ES384' ? 'sha384' : 'sha256',
          Buffer.from(`${header}.${payload}`),
          options,
          Buffer.from(signature, 'base64url'),
        ),
      );
    }
  });

test('the text of a challenge is the digest of its token and of the key’s thumbprint, whose members are in order', (t) => {
  const { kty, n, e } = pairs.RS256.publicKey.export({ format: 'jwk' });
  const thumbprint = createHash('sha256').update(`{"e":"${e}","kty":"${kty}","n":"${n}"}`).digest('base64url');
  const expected = createHash('sha256').update(`token.${thumbprint}`).digest('base64url');
  t.is(accountKeyOf(pem(pairs.RS256 as never))!.challengeText('token'), expected);
});

test('an external account binds the key with its own', (t) => {
  const hmacKey = Buffer.from('a key of the authority').toString('base64url');
  const {
    protected: header,
    payload,
    signature,
  } = accountKeyOf(pem(pairs.ES256 as never))!.bound({ kid: 'kid-1', hmacKey }, 'https://ca.example/account');
  t.deepEqual(decoded(header), { alg: 'HS256', kid: 'kid-1', url: 'https://ca.example/account' });
  t.true(createPublicKey({ key: decoded(payload) as never, format: 'jwk' }).equals(pairs.ES256.publicKey));
  const mac = createHmac('sha256', 'a key of the authority').update(`${header}.${payload}`).digest('base64url');
  t.is(signature, mac);
});

test('a key that is none, too small, or of another kind is not taken', (t) => {
  const ed = generateKeyPairSync('ed25519');
  const small = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  for (const text of ['', 'no key', pem(ed as never), pem(small as never)]) t.is(accountKeyOf(text), undefined);
});
