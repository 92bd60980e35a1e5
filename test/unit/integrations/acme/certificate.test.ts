import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import test from 'ava';
import { acmeCertificate } from '../../../../integrations/acme/certificate.ts';
import { rulesOf } from '../../../../sdk/host/index.ts';
import { Secret, Workspace } from '../../../../sdk/index.ts';
import { aCertificate } from './fixtures/a-certificate.ts';
import { accountKey } from './fixtures/subject.ts';

test('a workspace gets a certificate of its names in a Secret, and others find it by outputs', async (t) => {
  const { walk, said, secret, server, read, dnsOf } = await aCertificate({ names: ['shop', '*.shop'] });
  await walk();
  t.regex(
    await said(),
    /^Completed: certificate of shop.example.test, \*.shop.example.test until \S+Z, in Secret shop-certificate$/,
  );
  const { 'tls.crt': chain, 'tls.key': key } = await secret();
  const leaf = new X509Certificate(chain!);
  t.is(leaf.subjectAltName, 'DNS:shop.example.test, DNS:*.shop.example.test');
  t.true(createPublicKey(createPrivateKey(key!)).equals(leaf.publicKey));
  t.deepEqual((await read()).status?.outputs?.Certificate, {
    values: { secretName: 'shop-certificate', notAfter: `${new Date(leaf.validTo).toISOString().slice(0, 19)}Z` },
    secrets: {
      certificate: { name: 'shop-certificate', key: 'tls.crt' },
      key: { name: 'shop-certificate', key: 'tls.key' },
    },
  });
  t.is(await dnsOf(), undefined);
  t.is(server.accounts, 1);
});

test('the records of challenges stand in status.dns beside those of others, until the names are proved', async (t) => {
  const { client, key, walk, said, dnsOf, dns } = await aCertificate();
  const others = [{ recordType: 'A', name: 'shop', target: '192.0.2.9' }];
  await client.patch(
    Workspace,
    key('shop'),
    { type: 'merge', value: { status: { dns: others } } },
    { subresource: 'status' },
  );
  dns.isSeen = false;
  const { requeueAfter } = await walk();
  t.is(await said(), 'Waiting: waiting until name servers show the TXT record of _acme-challenge.shop.example.test');
  t.is(requeueAfter, 1_000);
  const [first, challenge, ...more] = (await dnsOf())!;
  t.deepEqual([first, more], [others[0], []]);
  t.like(challenge, { recordType: 'TXT', name: '_acme-challenge.shop.example.test' });
  t.regex(challenge!.target, /^[\w-]{43}$/);
  dns.isSeen = true;
  await walk();
  t.regex(await said(), /^Completed/);
  t.deepEqual(await dnsOf(), others);
});

test('what is waited for is looked at ever more seldom, and the authority is not asked', async (t) => {
  const { clock, walk, dns, requests } = await aCertificate();
  dns.isSeen = false;
  await walk();
  const asked = requests.length;
  await clock.advance(60_000);
  t.true((await walk()).requeueAfter! >= 60_000);
  await clock.advance(10 * 60_000);
  t.is((await walk()).requeueAfter, 300_000);
  t.is(requests.length, asked);
});

test('a wall clock that goes back does not have it looked at each second for as long', async (t) => {
  const { client, key, read, walk, dns } = await aCertificate();
  dns.isSeen = false;
  await walk();
  const conditions = (await read()).status!.conditions!.map((one) => ({
    ...one,
    lastTransitionTime: '2036-01-01T00:00:00Z',
  }));
  await client.patch(
    Workspace,
    key('shop'),
    { type: 'merge', value: { status: { conditions } } },
    { subresource: 'status' },
  );
  t.is((await walk()).requeueAfter, 300_000);
});

test('nothing is ordered for names that are not the workspace’s', async (t) => {
  const { walk, said, dns, server } = await aCertificate();
  dns.claim = { status: 'Waiting', reason: 'waiting until DNS has published shop.example.test' };
  await walk();
  t.is(await said(), 'Waiting: waiting until DNS has published shop.example.test');
  t.is(server.orders.size, 0);
});

test('names that cannot be proved are reported in the authority’s words, and ordered again after a while', async (t) => {
  const { clock, walk, said, dns, server, dnsOf } = await aCertificate();
  dns.isAnswered = false;
  const { requeueAfter } = await walk();
  const words =
    'Error: no certificate of shop.example.test: shop.example.test: No TXT record found at _acme-challenge.shop.example.test (unauthorized)';
  t.is(await said(), words);
  t.is(await dnsOf(), undefined);
  t.true(requeueAfter! > 890_000 && requeueAfter! <= 900_000);
  dns.isAnswered = true;
  await clock.advance(60_000);
  await walk();
  t.is(await said(), words);
  t.is(server.orders.size, 1);
  await clock.advance(900_000);
  await walk();
  t.regex(await said(), /^Completed/);
  t.is(server.orders.size, 2);
});

test('another wish is ordered at once, after a failure too', async (t) => {
  const { client, key, spec, walk, said, dns, server } = await aCertificate();
  dns.isAnswered = false;
  await walk();
  dns.isAnswered = true;
  await client.patch(Workspace, key('shop'), { type: 'merge', value: { spec: spec(['api']) } });
  await walk();
  t.regex(await said(), /^Completed: certificate of api.example.test/);
  t.deepEqual(
    server.valid().map(({ names }) => names),
    [['api.example.test']],
  );
});

test('a name that the authority refuses is reported', async (t) => {
  const { walk, said, server } = await aCertificate();
  server.refused.add('shop.example.test');
  await t.throwsAsync(walk());
  t.is(await said(), 'Error: ACME: POST /orders: shop.example.test: policy forbids this name (rejectedIdentifier)');
});

test('a Secret of another owner is left alone, and reported', async (t) => {
  const { client, walk, said, secret, delete: remove } = await aCertificate();
  await client.create(Secret, {
    metadata: { namespace: 'default', name: 'shop-certificate' },
    stringData: { mine: 'yes' },
  });
  await t.throwsAsync(walk());
  t.regex(await said(), /^Error: .*shop-certificate.* already exists/);
  await remove();
  await walk();
  t.deepEqual(await secret(), { mine: 'yes' });
});

test('what is not asked for any more goes: Secrets, records, and with the option revoke the certificate', async (t) => {
  for (const revoke of [false, true]) {
    const { client, key, walk, said, secret, dnsOf, server } = await aCertificate({ options: { revoke } });
    await walk();
    await client.patch(Workspace, key('shop'), { type: 'merge', value: { spec: { integrations: null } } });
    await walk();
    t.is((await client.get(Workspace, key('shop'))).metadata.finalizers, undefined, await said());
    await t.throwsAsync(secret(), { message: /not found/ });
    await t.throwsAsync(secret('shop-certificate-keys'), { message: /not found/ });
    t.is(await dnsOf(), undefined);
    t.is(server.valid().length, revoke ? 0 : 1);
  }
});

test('a certificate that is not asked for any more while its names are proved leaves no record, though the authority is away', async (t) => {
  const { client, key, walk, dns, dnsOf, server } = await aCertificate();
  dns.isSeen = false;
  await walk();
  t.is((await dnsOf())?.length, 1);
  Object.assign(server, { fetch: async () => new Response('', { status: 500 }) });
  await client.patch(Workspace, key('shop'), { type: 'merge', value: { spec: { integrations: null } } });
  await walk();
  t.is(await dnsOf(), undefined);
});

test('a wish that cannot be is reported, and nothing is ordered', async (t) => {
  const { walk, said, server } = await aCertificate({ names: ['shop.example.org.'] });
  await walk();
  t.is(
    await said(),
    'Error: spec.integrations.acme-certificate.names: "shop.example.org" must be a name within the zone example.test, of 227 characters at most',
  );
  t.is(server.orders.size, 0);
});

test('it may read, make, change and delete Secrets, and nothing else', (t) => {
  const integration = acmeCertificate({ directory: 'https://ca.example.test/dir', accountKey, agreeToTerms: true });
  t.deepEqual(rulesOf(integration), [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch', 'delete'] },
  ]);
});
