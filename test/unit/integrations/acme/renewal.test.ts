import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { Secret } from '../../../../sdk/index.ts';
import { aCertificate, day } from './fixtures/a-certificate.ts';

test('it is renewed after two thirds of its validity', async (t) => {
  const { clock, walk, said, secret, server } = await aCertificate({ server: { hasRenewalInfo: false } });
  const { requeueAfter } = await walk();
  t.true(requeueAfter! <= 300_000);
  const before = await secret();
  await clock.advance(59 * day);
  await walk();
  t.deepEqual(await secret(), before);
  await clock.advance(2 * day);
  await walk();
  t.regex(await said(), /^Completed/);
  const after = await secret();
  t.notDeepEqual(after, before);
  t.true(new X509Certificate(after['tls.crt']!).validTo > new X509Certificate(before['tls.crt']!).validTo);
  t.is(server.certificates.length, 2);
  t.deepEqual(Object.keys(await secret('shop-certificate-keys')).length, 1);
});

test('it is renewed when the authority says so, and carried on however long DNS takes', async (t) => {
  const { clock, walk, said, server, secret, dns } = await aCertificate();
  await walk();
  const before = await secret();
  server.revokeAll();
  dns.isSeen = false;
  await clock.advance(6 * 60 * 60_000);
  for (let count = 0; count < 3; count += 1) {
    await walk();
    t.regex(await said(), /^Waiting/);
    t.deepEqual(await secret(), before);
    await clock.advance(60_000);
  }
  dns.isSeen = true;
  await walk();
  t.regex(await said(), /^Completed/);
  t.is(server.orders.size, 2);
  t.is(server.valid().length, 1);
  t.is((await secret())['tls.crt'], server.valid()[0]!.chain);
});

test('an authority that does not say when to renew is reported by an event, and nothing else happens', async (t) => {
  const { clock, walk, said, actor, server, requests } = await aCertificate({ options: { deadline: 50 } });
  await walk();
  const { fetch } = server;
  Object.assign(server, {
    fetch: async (...args: Parameters<typeof fetch>) =>
      String(args[0]).includes('/ari/') ? new Response('', { status: 500 }) : fetch(...args),
  });
  await clock.advance(6 * 60 * 60_000);
  await walk();
  t.regex(await said(), /^Completed/);
  t.true(requests.includes('GET ari'));
  t.true(actor.events.some(({ reason }) => reason === 'LookFailed'));
  t.is(server.orders.size, 1);
});

test('a Secret that was deleted or changed is written again, with the same certificate', async (t) => {
  const { client, key, clock, walk, actor, secret, deleteSecret, server } = await aCertificate();
  await walk();
  const before = await secret();
  await deleteSecret('shop-certificate');
  await clock.advance(300_000);
  await walk();
  t.deepEqual(await secret(), before);
  await client.patch(Secret, key('shop-certificate'), {
    type: 'merge',
    value: { stringData: { 'tls.key': 'another' } },
  });
  await clock.advance(300_000);
  await walk();
  t.deepEqual(await secret(), before);
  t.is(server.certificates.length, 1);
  t.is(actor.events.filter(({ reason }) => reason === 'Drifted').length, 2);
});

test('a private key that is lost or no key is replaced, with another certificate', async (t) => {
  const { client, key, clock, walk, said, secret, deleteSecret, server } = await aCertificate();
  await walk();
  await deleteSecret('shop-certificate-keys');
  await deleteSecret('shop-certificate');
  await clock.advance(300_000);
  await walk();
  t.regex(await said(), /^Completed/);
  t.is(server.certificates.length, 2);
  t.is((await secret())['tls.crt'], server.certificates[1]!.chain);
  const [name = ''] = Object.keys(await secret('shop-certificate-keys'));
  await client.patch(Secret, key('shop-certificate-keys'), {
    type: 'merge',
    value: { stringData: { [name]: 'no key' } },
  });
  await clock.advance(300_000);
  await walk();
  t.regex(await said(), /^Completed/);
  t.is(server.certificates.length, 3);
});

test('an order that was begun at another authority is begun anew, and its certificate comes at the renewal', async (t) => {
  const { walk, said, dns, server, secret, atAnother, clock, deleteSecret } = await aCertificate();
  dns.isSeen = false;
  await walk();
  t.regex(await said(), /^Waiting/);
  dns.isSeen = true;
  const second = atAnother();
  await walk();
  t.regex(await said(), /^Completed/);
  t.deepEqual([server.valid().length, second.valid().length], [0, 1]);
  const third = atAnother('https://third-ca.example.test');
  await clock.advance(600_000);
  await walk();
  t.regex(await said(), /^Completed/);
  t.is(third.valid().length, 0, 'what is there stays until it is due');
  await deleteSecret('shop-certificate');
  await clock.advance(600_000);
  await walk();
  t.regex(await said(), /^Completed/);
  t.is(third.valid().length, 1, 'what is lost cannot be had from another authority');
  t.is(new X509Certificate((await secret())['tls.crt']!).subjectAltName, 'DNS:shop.example.test');
});

test('a certificate without an id for renewal information is not asked about, and not walked without end', async (t) => {
  const { clock, walk, said, requests } = await aCertificate({ server: { namesItsKey: false } });
  await walk();
  await clock.advance(6 * 60 * 60_000);
  t.true((await walk()).requeueAfter! > 0);
  t.regex(await said(), /^Completed/);
  t.false(requests.includes('GET ari'));
});
