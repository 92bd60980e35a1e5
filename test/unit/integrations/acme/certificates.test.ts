import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import test from 'ava';
import { certificateRequest, isKey, leafOf, newKey } from '../../../../integrations/acme/certificates.ts';
import { createAuthority } from '../../../cluster/pki/certificate.ts';
import { requestIn } from '../../../cluster/pki/certificate-request.ts';
import { bits, der, extension, integer, oid, readValues, sequence, tags } from '../../../cluster/pki/der.ts';

const pemOf = (label: string, body: string): string =>
  `-----BEGIN ${label}-----\n${body.replace(/(.{64})/g, '$1\n')}\n-----END ${label}-----\n`;

/** A certificate with this serial number and key of its authority. */
function certified(serial: string, authorityKey: Buffer | undefined, keyPem: string): string {
  const key = createPrivateKey(keyPem);
  const ecdsa = sequence(oid('1.2.840.10045.4.3.2'));
  const time = (text: string) => der(tags.utcTime, Buffer.from(text));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from(serial, 'hex')),
    ecdsa,
    sequence(),
    sequence(time('260101000000Z'), time('260401000000Z')),
    sequence(),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension('2.5.29.19', sequence(), true),
        ...(authorityKey === undefined ? [] : [extension('2.5.29.35', sequence(der(0x80, authorityKey)))]),
      ),
    ),
  );
  return pemOf('CERTIFICATE', sequence(body, ecdsa, bits(sign('sha256', body, key))).toString('base64'));
}

test('a request names all that is asked for, has no subject, and is signed with its key', (t) => {
  const key = newKey();
  t.true(isKey(key));
  const names = Array.from({ length: 20 }, (_, index) => `${'a'.repeat(60)}-${index}.${'b'.repeat(60)}.example.test`);
  const body = Buffer.from(certificateRequest(key, names), 'base64url').toString('base64');
  const request = requestIn(pemOf('CERTIFICATE REQUEST', body))!;
  t.true(request.isSigned());
  t.is(request.commonName, '');
  t.deepEqual(request.names, { dns: 20, email: 0, ip: 0, uri: 0 });
  const [list] = readValues(request.alternativeNames!);
  t.deepEqual(
    readValues(list!.content).map(({ content }) => content.toString()),
    names,
  );
  t.true(request.publicKey.equals(createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' })));
});

test('the id for renewal information is that of RFC 9773', (t) => {
  const authorityKey = Buffer.from('69885b6b87464041e1b37b847ba0ae2cde01c8d4', 'hex');
  const leaf = leafOf(certified('0087654321', authorityKey, newKey()))!;
  t.is(leaf.renewalId, 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
  t.is(leafOf(certified('7f', undefined, newKey()))!.renewalId, undefined);
});

test('a certificate tells its times and whose it is, and the first of a chain counts', (t) => {
  const key = newKey();
  const { certificate } = createAuthority(Date.now());
  const leaf = leafOf(`${certified('01', undefined, key)}${certificate}`)!;
  t.is(leaf.notBefore, Date.UTC(2026, 0, 1));
  t.is(leaf.notAfter, Date.UTC(2026, 3, 1));
  t.regex(leaf.fingerprint, /^[0-9a-f]{64}$/);
  t.true(leaf.isOf(key));
  t.false(leaf.isOf(newKey()));
  t.false(leaf.isOf('no key'));
});

test('what is not a certificate or no key is not taken for one', (t) => {
  const { certificate, issue } = createAuthority(Date.now());
  for (const text of ['', 'none', certificate.slice(0, 200), `${certificate}${' '.repeat(2 ** 18)}`])
    t.is(leafOf(text), undefined);
  for (const text of ['', 'none', certificate]) t.false(isKey(text));
  t.true(isKey(issue(['localhost']).key));
});
