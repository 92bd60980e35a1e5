import { createPrivateKey, X509Certificate } from 'node:crypto';
import test from 'ava';
import { createAuthorityPair, issuePair } from '../../../../../sdk/webhooks/certificates/authority.ts';

const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];

test('an authority is one, and its name is its own', async (t) => {
  const pairs = await Promise.all([
    createAuthorityPair('sites', { from, to }),
    createAuthorityPair('sites', { from, to }),
  ]);
  const [one, other] = pairs.map(({ certificate }) => new X509Certificate(certificate));
  t.true(one!.ca);
  t.true(one!.verify(one!.publicKey));
  t.regex(one!.subject, /^CN=sites [0-9a-f]{8}$/);
  t.not(one!.subject, other!.subject);
  t.deepEqual([Date.parse(one!.validFrom), Date.parse(one!.validTo)], [from, to]);
});

test('a server certificate is for its hosts, signed by the authority, and does not outlive it', async (t) => {
  const authority = await createAuthorityPair('sites', { from, to });
  const hosts = ['sites.default.svc', '127.0.0.1'];
  const { certificate, key } = await issuePair(authority, { hosts, from, to: to + 86_400_000 });
  const server = new X509Certificate(certificate);
  const issuer = new X509Certificate(authority.certificate);
  t.true(server.checkIssued(issuer) && server.verify(issuer.publicKey));
  t.true(server.checkPrivateKey(createPrivateKey(key)));
  t.false(server.ca);
  t.is(server.subjectAltName, 'DNS:sites.default.svc, IP Address:127.0.0.1');
  t.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  t.is(Date.parse(server.validTo), to);
  const longName = `${'a'.repeat(63)}.${'b'.repeat(63)}.svc`;
  const long = await issuePair(authority, { hosts: [longName], from, to });
  t.is(new X509Certificate(long.certificate).checkHost(longName), longName);
});
