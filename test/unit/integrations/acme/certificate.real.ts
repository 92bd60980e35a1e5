import { X509Certificate } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { type AcmeCertificateOptions, acmeCertificate } from '../../../../integrations/acme/certificate.ts';
import { rfc2136Dns } from '../../../../integrations/rfc2136/dns.ts';
import { Secret, Workspace } from '../../../../sdk/index.ts';
import { startNameServer } from '../../../system/real/programs/name-server.ts';
import { until } from '../../../system/real/until.ts';
import { aRealSequencer, namespace } from './fixtures/a-real-sequencer.ts';
import { startRealServer } from './fixtures/a-real-server.ts';
import { accountKey } from './fixtures/subject.ts';

const names = await startNameServer({ implementation: 'bind', zone: 'example.test' });
const nameServer = `${names.host}:${names.port}`;
const acme = await startRealServer({
  nameServer,
  refusedNonces: 5,
  reusedAuthorizations: 50,
  refusedNames: ['refused.example.test'],
});
test.after.always('the servers stop', async () => {
  await acme.pebble.close();
  await names.close();
});

/** A sequencer with DNS at the name server, and certificates from the server. */
function aSequencer(t: ExecutionContext, options: Partial<AcmeCertificateOptions> = {}) {
  acme.empty();
  const { host, port, key } = names;
  return aRealSequencer(t, [
    rfc2136Dns({ server: { host, port }, key, target: '192.0.2.1', wildcards: true }),
    acmeCertificate({
      ...{ directory: acme.pebble.directory, accountKey, agreeToTerms: true, nameServers: [nameServer] },
      ...{ driftInterval: 500, fetch: acme.fetch, ...options },
    }),
  ]);
}

const challenge = '_acme-challenge.shop.example.test';

test.serial(
  'names are proved by the DNS integration, a wildcard beside its name, and nothing is left of the proof',
  async (t) => {
    const { client, create, reaches, secret, vanishes } = await aSequencer(t, { revoke: true });
    await create('shop', 'shop', '*.shop');
    await reaches(
      'shop',
      /^Completed: certificate of shop.example.test, \*.shop.example.test until 20.*, in Secret shop-certificate$/,
    );
    const { type, chain, key } = await secret();
    t.is(type, 'kubernetes.io/tls');
    const leaf = new X509Certificate(chain);
    t.true(
      leaf.checkHost('anything.shop.example.test') !== undefined && leaf.checkHost('shop.example.test') !== undefined,
    );
    const { createPrivateKey, createPublicKey } = await import('node:crypto');
    t.true(createPublicKey(createPrivateKey(key)).equals(leaf.publicKey));
    t.regex(chain, /END CERTIFICATE-----\s+-----BEGIN CERTIFICATE/);
    await reaches('shop', /^Completed/, 'DNS');
    const { status } = await client.get(Workspace, { namespace, name: 'shop' });
    t.is(status?.dns, undefined);
    t.deepEqual(status?.outputs?.Certificate, {
      values: { secretName: 'shop-certificate', notAfter: `${new Date(leaf.validTo).toISOString().slice(0, 19)}Z` },
      secrets: {
        certificate: { name: 'shop-certificate', key: 'tls.crt' },
        key: { name: 'shop-certificate', key: 'tls.key' },
      },
    });
    const noRecord = async () => ((await names.lookup(challenge, 'TXT')).length === 0 ? true : undefined);
    await until(noRecord, { deadline: 20_000, interval: 50, message: () => 'the record of the challenge stays' });
    t.deepEqual(await names.lookup('shop.example.test', 'A'), ['192.0.2.1']);
    t.is((await acme.valid()).length, 1);
    await vanishes('shop');
    t.deepEqual(await acme.valid(), []);
    t.deepEqual(await names.lookup('shop.example.test', 'A'), []);
  },
);

test.serial('a Secret that is deleted or changed is written again, without another certificate', async (t) => {
  const { client, create, reaches, secret, vanishes } = await aSequencer(t);
  await create('shop', 'shop');
  await reaches('shop', /^Completed/);
  const before = await secret();
  const isBack = async () => ((await secret().catch(() => undefined))?.chain === before.chain ? true : undefined);
  const back = () => until(isBack, { deadline: 20_000, interval: 50, message: () => 'the Secret does not come back' });
  await client.delete(Secret, { namespace, name: 'shop-certificate' });
  await back();
  await client.patch(
    Secret,
    { namespace, name: 'shop-certificate' },
    { type: 'merge', value: { stringData: { 'tls.crt': 'none' } } },
  );
  await back();
  t.deepEqual(await secret(), before);
  t.is((await acme.valid()).length, 1);
  await vanishes('shop');
});

test.serial(
  'a workspace gets no certificate for the name of another one, though the account has proved it',
  async (t) => {
    const { create, reaches, said, vanishes } = await aSequencer(t);
    await create('shop', 'shop');
    await reaches('shop', /^Completed/);
    await create('thief', 'shop');
    await reaches('thief', /^Error: .*taken by the owner/, 'DNS');
    await reaches('thief', /^Waiting: waiting until DNS has published shop.example.test$/);
    t.is((await acme.valid()).length, 1);
    t.regex(await said('shop'), /^Completed/);
    await vanishes('thief');
    await vanishes('shop');
  },
);

test.serial('a name that the authority refuses is reported in its words', async (t) => {
  const { create, reaches, said, vanishes } = await aSequencer(t);
  await create('shop', 'refused');
  await reaches('shop', /^Error: ACME: POST \/order-plz: .*refused.example.test.*\(rejectedIdentifier\)/);
  t.regex(await said('shop'), /refused/);
  await vanishes('shop');
});
