import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { createMemoryCertificateServer, memoryCertificate } from '../../../../integrations/memory/certificate.ts';
import { createAuthority } from '../../../cluster/index.ts';
import { aTwin } from './a-twin.ts';

const asked = { 'memory-certificate': {} };
const networking = {
  dns: { zone: 'Example.test.' },
  ingress: {
    className: 'none',
    rules: ['www', 'api', 'www'].map((subdomain, index) => ({
      ...{ name: `rule-${index}`, path: `/${index}`, component: 'web', network: 'http' },
      subdomain,
    })),
  },
};

test('the names of the ingress rules get a certificate that its authority has signed', async (t) => {
  const [authority, server] = [createAuthority(Date.parse('2030-01-01')), createMemoryCertificateServer()];
  const { outputs, secret, end } = await aTwin(memoryCertificate({ authority, server }), asked, { networking });
  const { 'tls.crt': chain = '', 'tls.key': key = '' } = await secret('shop-certificate');
  const certificate = new X509Certificate(chain);
  t.is(certificate.subjectAltName, 'DNS:www.example.test, DNS:api.example.test');
  t.true(certificate.verify(new X509Certificate(authority.certificate).publicKey));
  t.regex(key, /PRIVATE KEY/);
  t.like(outputs('Certificate')?.values, {
    secretName: 'shop-certificate',
    notAfter: `${new Date(certificate.validTo).toISOString().slice(0, 19)}Z`,
  });
  t.deepEqual(server.objects()[0]?.state, { names: ['www.example.test', 'api.example.test'] });
  await end();
  t.deepEqual(server.objects(), []);
});

test('without names there is no certificate, and the condition says what is missing', async (t) => {
  const { said } = await aTwin(memoryCertificate({ authority: createAuthority(0) }), asked);
  t.regex(said('Certificate'), /^Error: spec\.networking must have dns\.zone and ingress\.rules/);
});

test('an authority that issues nothing is refused', (t) => {
  t.throws(() => memoryCertificate({} as never), { instanceOf: TypeError, message: /authority must be/ });
});
