import test from 'ava';
import { components } from '../../../integrations/components/index.ts';
import { ClusterIntegrationConfig, IntegrationConfig, shardLabelsOf } from '../../../sdk/host/index.ts';
import { createClient, ensureCrds, systemClock, Workspace } from '../../../sdk/index.ts';
import { createSequencer } from '../../../sequencer/index.ts';
import { accessOf } from '../../../sequencer/run/preflight/access.ts';
import { shardOf } from '../../../sequencer/run/shards.ts';
import { createCluster } from '../../cluster/index.ts';
import { until } from '../../system/real/until.ts';
import { dnsAccounts, putConfig, putToken, putWorkspace } from '../../system/stories/tenancy/a-tenant.ts';

/** Rights that an undisturbed run never uses; each is needed after some failure or restart. */
const onlyInTrouble = new Set([
  'get workspaces', // looks for an own write after a lost answer
  'patch events', // the same event again
  'get pods', // one of that name exists: checks its owner
  'get services',
  'patch services', // a changed spec
  'list workspaces', // a server without streaming lists
  'list pods',
  'list services',
]);

test('a life of components uses every right that is derived for it but those for trouble, and no other', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(admin, [Workspace]);
  const client = createClient({
    server: cluster.url,
    dispatcher: cluster.dispatcherAs({ name: 'operator', groups: ['system:masters'] }),
  });
  const stop = new AbortController();
  const integrations = [components()];
  const running = createSequencer({ client, integrations }).run(stop.signal);
  const key = { namespace: 'default', name: 'shop' };
  const template = { containers: [{ name: 'a', image: 'example.test/a:1' }] };
  const networks = [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' as const }];
  await admin.create(Workspace, { metadata: key, spec: { components: [{ name: 'web', networks, template }] } });
  const ready = async () => (await admin.get(Workspace, key)).status?.phase === 'Healthy' || undefined;
  await until(ready, { message: () => 'not healthy' });
  await admin.delete(Workspace, key);
  await until(async () => (await admin.list(Workspace)).items.length === 0 || undefined, { message: () => 'not gone' });
  stop.abort();
  await running;

  const said = (verbs: readonly string[], resource: string) => verbs.map((verb) => `${verb} ${resource}`);
  const used = new Set(
    cluster.audit.verbsUsed({ user: 'operator' }).flatMap(({ verbs, resource }) => said(verbs, resource)),
  );
  const granted = new Set(
    accessOf({ integrations, leaderElection: false }).flatMap(({ rule }) => said(rule.verbs, rule.resources[0]!)),
  );
  granted.delete('update workspaces/finalizers'); // required by the admission plug-in OwnerReferencesPermissionEnforcement
  t.deepEqual(
    [...used].filter((one) => !granted.has(one)),
    [],
    'used, and not granted',
  );
  const unused = [...granted].filter((one) => !used.has(one) && !onlyInTrouble.has(one));
  t.deepEqual(unused, [], 'granted for nothing');
});

test('a shard that assigns, and sees another one go, uses no right that is not derived for it', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(admin, [Workspace]);
  const dispatcher = cluster.dispatcherAs({ name: 'operator', groups: ['system:masters'] });
  const client = createClient({ server: cluster.url, dispatcher });
  const begin = (shard: string) => {
    const stop = new AbortController();
    const sequencer = createSequencer({ client, integrations: [], shard: { ring: 'blue', name: shard } });
    const main = { name: 'sequencer', run: (signal: AbortSignal) => sequencer.run(signal) };
    const common = { client, ring: 'blue', shard, operatorNamespace: 'default', drain: 15_000, clock: systemClock };
    const ended = shardOf({ ...common, main, times: {} }).run(stop.signal);
    return () => {
      stop.abort();
      return ended;
    };
  };
  const label = shardLabelsOf('blue').shard;
  const count = 20;
  const settled = (shards: number) => async () => {
    const { items } = await admin.list(Workspace);
    const names = new Set(items.map(({ metadata, status }) => (status === undefined ? '' : metadata.labels?.[label])));
    return (names.size === shards && !names.has('') && !names.has(undefined)) || undefined;
  };
  for (let at = 0; at < count; at += 1)
    await admin.create(Workspace, { metadata: { namespace: 'default', name: `shop-${at}` }, spec: {} });
  const ends = [begin('a'), begin('b')];
  await until(settled(2), { message: () => 'not shared' });
  await ends[1]!();
  await until(settled(1), { message: () => 'not taken over' });
  await ends[0]!();

  const granted = accessOf({ integrations: [], leaderElection: false, ring: 'blue' });
  const used = cluster.audit.verbsUsed({ user: 'operator' });
  const said = (verbs: readonly string[], resource: string) => verbs.map((verb) => `${verb} ${resource}`);
  const allowed = new Set(granted.flatMap(({ rule }) => said(rule.verbs, rule.resources[0]!)));
  t.deepEqual(
    used.flatMap(({ verbs, resource }) => said(verbs, resource)).filter((one) => !allowed.has(one)),
    [],
  );
});

test('a life of a tenant uses no right that is not derived for it, and no type opened means none on configs and Secrets', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const admin = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(admin, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  const dispatcher = cluster.dispatcherAs({ name: 'operator', groups: ['system:masters'] });
  const client = createClient({ server: cluster.url, dispatcher });
  const { types: tenantIntegrations } = dnsAccounts('token-one');
  const stop = new AbortController();
  const running = createSequencer({ client, integrations: [], tenantIntegrations }).run(stop.signal);
  const [key, config] = [
    { namespace: 'default', name: 'shop' },
    { namespace: 'default', name: 'dns' },
  ];
  await putConfig(admin, config, { default: true });
  await putToken(admin, config, 'token-one');
  await putWorkspace(admin, key);
  const ready = async () => (await admin.get(Workspace, key)).status?.phase === 'Healthy' || undefined;
  await until(ready, { message: () => 'not healthy' });
  await admin.delete(IntegrationConfig, config);
  await admin.delete(Workspace, key);
  const gone = async () => (await admin.list(IntegrationConfig)).items.length === 0 || undefined;
  await until(gone, { message: () => 'the config is not gone' });
  stop.abort();
  await running;

  const said = (verbs: readonly string[], resource: string) => verbs.map((verb) => `${verb} ${resource}`);
  const rightsOf = (options: object) =>
    new Set(
      accessOf({ integrations: [], leaderElection: false, ...options }).flatMap(({ rule }) =>
        said(rule.verbs, rule.resources[0]!),
      ),
    );
  const used = cluster.audit.verbsUsed({ user: 'operator' }).flatMap(({ verbs, resource }) => said(verbs, resource));
  const granted = rightsOf({ tenantIntegrations });
  t.deepEqual(
    used.filter((one) => !granted.has(one)),
    [],
  );
  const more = [...granted].filter((one) => !rightsOf({}).has(one)).toSorted();
  const inTrouble = ['list clusterintegrationconfigs', 'list integrationconfigs', 'list secrets'];
  const ofClusterWide = ['get', 'patch'].map((verb) => `${verb} clusterintegrationconfigs`);
  t.deepEqual(
    more.filter((one) => !used.includes(one)),
    [...ofClusterWide, ...inTrouble, 'patch clusterintegrationconfigs/status'].toSorted(),
  );
  const within = [...rightsOf({ tenantIntegrations, namespace: 'team-a' })];
  t.deepEqual(
    within.filter((one) => one.includes('cluster')),
    [],
  );
});
