import { setTimeout as later } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { CustomResourceDefinitionKind, createClient, type KubeObject, Secret } from '../../../../../sdk/index.ts';
import type { CertificatePair } from '../../../../../sdk/webhooks/certificates/certificate-source.ts';
import { ownCertificates } from '../../../../../sdk/webhooks/certificates/own-certificates.ts';
import {
  certificatesIn,
  hostsOf,
  parseCertificates,
} from '../../../../../sdk/webhooks/certificates/stored-certificates.ts';
import { converter, defaulter, spoke, validator } from '../../../../../sdk/webhooks/declarations.ts';
import {
  configurationKinds,
  convertedDefinition,
  type WebhookConfiguration,
  webhookConfigurations,
} from '../../../../../sdk/webhooks/installation.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../../cluster/index.ts';
import { OldSite, Site } from '../a-site.ts';

const minute = 60_000;
const service = { namespace: 'default', name: 'sites' };
const sites = converter(
  Site,
  spoke(OldSite, {
    toHub: ({ spec: { host } }) => ({ spec: { hosts: [host] } }),
    fromHub: ({ spec: { hosts } }: Site) => ({ spec: { host: hosts[0]! } }),
  }),
);
const installation = {
  name: 'sites',
  service,
  webhooks: [validator(Site, () => undefined), defaulter(Site, () => undefined), sites],
};
const secretKey = { namespace: 'default', name: 'sites-webhooks' };

/** Creates a cluster with all that webhooks need, and any number of replicas. */
async function aWorld(t: ExecutionContext, { installed = true } = {}) {
  const clock = createManualClock();
  const cluster = await createCluster({ clock });
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const install = async () => {
    const objects: KubeObject[] = [...webhookConfigurations(installation), await convertedDefinition(sites, service)];
    for (const object of objects) await cluster.apply(object);
  };
  if (installed) await install();
  const stop = new AbortController();
  const errors: string[] = [];
  const logger = { info() {}, debug() {}, warn() {}, error: (_: object, text: string) => void errors.push(text) };
  const replica = (more: Partial<Parameters<typeof ownCertificates>[0]> = {}) => {
    const pairs: CertificatePair[] = [];
    const source = ownCertificates({ client, secret: secretKey.name, clock, logger: logger as never, ...more });
    const running = source.run(stop.signal, { installation, onPair: (pair) => void pairs.push(pair) });
    t.teardown(async () => {
      stop.abort();
      await running;
    });
    return pairs;
  };
  const held = async () => {
    const { data = {} } = await client.get(Secret, secretKey);
    return parseCertificates(Object.fromEntries(Object.entries(data).map(([name, text]) => [name, atob(text)])));
  };
  const bundles = async () => {
    const [validating, mutating] = await Promise.all(
      [configurationKinds.validate, configurationKinds.default].map((kind) => client.get(kind, { name: 'sites' })),
    );
    const definition = await client.get(CustomResourceDefinitionKind, { name: 'sites.example.com' });
    const { conversion } = definition.spec as Awaited<ReturnType<typeof convertedDefinition>>['spec'];
    const configs = [...[validating!, mutating!].flatMap(({ webhooks = [] }) => webhooks), conversion.webhook];
    return configs.map(({ clientConfig: { caBundle = '' } }) => atob(caBundle));
  };
  /** Waits in real time until it is so: certificates are signed by WebCrypto, in threads that no clock knows. */
  const until = async (isSo: () => Promise<boolean> | boolean) => {
    while (!(await isSo())) {
      await later(5);
      await clock.advance(100);
    }
  };
  return { clock, client, cluster, install, replica, held, bundles, until, errors };
}

test('replicas share one pair, and API servers are told to trust its authority, and nothing else of them is touched', async (t) => {
  const { client, replica, held, bundles, until, errors } = await aWorld(t);
  const before = await client.get(configurationKinds.validate, { name: 'sites' });
  const replicas = [replica(), replica(), replica()];
  await until(() => replicas.every(({ length }) => length > 0));
  const now = await held();
  await until(async () => (await bundles()).every((bundle) => certificatesIn(bundle).length > 0));
  for (const pairs of replicas) t.deepEqual(pairs, [now!.pair]);
  for (const bundle of await bundles())
    t.deepEqual(
      certificatesIn(bundle).map((one) => one.fingerprint256),
      now!.authorities.map((one) => one.fingerprint256),
    );
  t.deepEqual(hostsOf(now!), ['sites.default.svc', 'sites.default.svc.cluster.local']);
  const after = await client.get(configurationKinds.validate, { name: 'sites' });
  const without = ({ webhooks = [] }: WebhookConfiguration) =>
    webhooks.map(({ clientConfig: { caBundle: _, ...clientConfig }, ...rest }) => ({ ...rest, clientConfig }));
  t.deepEqual(without(after), without(before));
  t.deepEqual(errors, []);
});

test('what is installed later, or loses its bundle, gets it again', async (t) => {
  const { replica, bundles, install, until, client } = await aWorld(t, { installed: false });
  const pairs = replica();
  await until(() => pairs.length > 0);
  await install();
  const isWhole = async () => (await bundles()).every((bundle) => certificatesIn(bundle).length > 0);
  await until(isWhole);
  const operations = [{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }] as const;
  await client.patch(configurationKinds.default, { name: 'sites' }, { type: 'json', operations });
  await until(isWhole);
  t.is(pairs.length, 1);
});

test('the authority changes with an overlap: it signs once it is trusted, and nothing untrusted is ever served', async (t) => {
  const { clock, replica, held, bundles, until } = await aWorld(t);
  const pairs = replica({ authorityLifetime: 30 * minute, lifetime: 10 * minute, overlap: 8 * minute });
  await until(() => pairs.length > 0);
  const first = (await held())!;
  await until(async () => (await bundles()).every((bundle) => certificatesIn(bundle).length > 0));
  const isTrusted = async () => {
    const served = certificatesIn(pairs.at(-1)!.certificate)[0]!;
    for (const bundle of await bundles())
      t.true(
        certificatesIn(bundle).some((one) => served.verify(one.publicKey)),
        'what is served is trusted',
      );
  };
  for (let minutes = 0; (await held())!.authorities.length < 2 && minutes < 30; minutes += 1) {
    await clock.advance(minute);
    await later(5);
    await isTrusted();
  }
  t.true(pairs.length > 2, 'the server’s was renewed meanwhile');
  t.true((await held())!.server.verify(first.authorities[0]!.publicKey), 'the former one signs');
  await isTrusted();
  await until(async () => (await bundles()).every((bundle) => certificatesIn(bundle).length === 2));
  await clock.advance(8 * minute);
  await until(async () => !(await held())!.server.verify(first.authorities[0]!.publicKey));
  await isTrusted();
  t.deepEqual((await held())!.authorities[1]!.fingerprint256, first.authorities[0]!.fingerprint256);
});

test('a Secret that was deleted, or holds something else, is replaced, and told', async (t) => {
  const { client, replica, held, until } = await aWorld(t);
  const pairs = replica();
  await until(() => pairs.length === 1);
  const first = (await held())!;
  await client.delete(Secret, secretKey);
  await until(() => pairs.length === 2);
  const second = (await held())!;
  t.is(second.authorities[1]!.fingerprint256, first.authorities[0]!.fingerprint256, 'the former one stays trusted');
  await client.patch(Secret, secretKey, { type: 'merge', value: { data: { 'tls.key': btoa('x') } } });
  await until(() => pairs.length === 3);
  t.not((await held())!.pair.key, second.pair.key);
});

test('a right that is missing is reported, and asked for again; the pair is served meanwhile', async (t) => {
  const { cluster, replica, bundles, until, errors } = await aWorld(t);
  let refuses = true;
  cluster.intercept((request, next) =>
    refuses && request.method === 'PATCH'
      ? Promise.resolve({
          status: 403,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(
            '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no"}',
          ),
        })
      : next(request),
  );
  const pairs = replica();
  await until(() => pairs.length > 0 && errors.length > 0);
  t.regex(errors[0]!, /certificates of the webhooks: .*no/);
  refuses = false;
  await until(async () => (await bundles()).every((bundle) => certificatesIn(bundle).length > 0));
});

for (const [times, message] of [
  [{ lifetime: 0 }, 'own certificates: lifetime (0 ms) must lie between 3 seconds and 100 years'],
  [{ lifetime: Number.NaN }, 'own certificates: lifetime (NaN ms) must lie between 3 seconds and 100 years'],
  [
    { authorityLifetime: Number.POSITIVE_INFINITY },
    'own certificates: authorityLifetime (Infinity ms) must lie between 3 seconds and 100 years',
  ],
  [
    { authorityLifetime: 30 * minute, overlap: 10 * minute },
    'own certificates: overlap (600000 ms) must lie between 0 and a third of authorityLifetime (1800000 ms), which is left when a new authority is made',
  ],
  [
    { overlap: -1 },
    'own certificates: overlap (-1 ms) must lie between 0 and a third of authorityLifetime (31536000000 ms), which is left when a new authority is made',
  ],
] as const)
  test(`times that leave a moment without a certificate are refused: ${JSON.stringify(times)}`, (t) => {
    const client = undefined as never;
    t.throws(() => ownCertificates({ client, secret: 'sites', ...times }), { instanceOf: RangeError, message });
  });

test('certificates that a clock ahead has made are replaced, and two replicas whose clocks differ pause in between', async (t) => {
  const { clock, replica, held, until } = await aWorld(t);
  const wall = { ahead: 10 * 365 * 24 * 60 * minute };
  const pairs = replica({ clock: { ...clock, now: () => clock.now() + wall.ahead } });
  await until(() => pairs.length > 0);
  await until(async () => (await held()) !== undefined);
  const early = await held();
  t.true(Date.parse(early!.server.validFrom) > clock.now());
  wall.ahead = 0;
  await clock.advance(60 * minute);
  await until(() => pairs.length > 1);
  t.true(Date.parse((await held())!.server.validFrom) <= clock.now());
  wall.ahead = 10 * 365 * 24 * 60 * minute;
  await clock.advance(60 * minute);
  await until(() => pairs.length > 2);
  const others = replica();
  await until(() => others.length > 0);
  for (let count = 0; count < 100; count += 1) {
    await later(2);
    await clock.advance(50);
  }
  t.true(pairs.length + others.length <= 8, `${pairs.length} and ${others.length} pairs`);
});
