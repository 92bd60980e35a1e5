import test from 'ava';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { createClient, ensureCrds, findCondition, Namespace, Secret, Workspace } from '../../../../sdk/index.ts';
import { createMetrics } from '../../../../sdk/metrics/index.ts';
import { createSequencer, type SequencerOptions } from '../../../../sequencer/index.ts';
import { createCluster } from '../../../cluster/index.ts';
import { until } from '../../../system/real/until.ts';
import { dnsAccounts, putConfig, putToken, putWorkspace } from '../../../system/stories/tenancy/a-tenant.ts';

/** A cluster with the kinds, and a function that runs sequencers on it, each as user `operator`. */
async function setUp(...namespaces: readonly string[]) {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  for (const name of namespaces) await client.create(Namespace, { metadata: { name } });
  const operator = createClient({
    server: cluster.url,
    dispatcher: cluster.dispatcherAs({ name: 'operator', groups: ['system:masters'] }),
  });
  const start = async (options: Partial<SequencerOptions>) => {
    const stop = new AbortController();
    const running = createSequencer({ client: operator, integrations: [], ...options }).run(stop.signal);
    return async () => {
      stop.abort();
      await running;
    };
  };
  const dns = async (namespace: string) => {
    const { status } = await client.get(Workspace, { namespace, name: 'shop' });
    return findCondition(status?.conditions, 'DNS');
  };
  const dnsIs = (namespace: string, status: string) =>
    until(async () => ((await dns(namespace))?.status === status ? dns(namespace) : undefined), {
      message: () => `DNS of ${namespace} is not ${status}`,
    });
  return { cluster, client, start, dnsIs };
}

test('the secrets of one tenant mask nothing of another one', async (t) => {
  const { cluster, client, start, dnsIs } = await setUp('plain', 'hostile');
  t.teardown(() => cluster.close());
  const { types } = dnsAccounts('token-of-plain', 'shop.plain.example.com');
  const stop = await start({ tenantIntegrations: types });
  await putToken(client, { namespace: 'hostile', name: 'dns' }, 'shop.plain.example.com');
  await putToken(client, { namespace: 'plain', name: 'dns' }, 'token-of-plain');
  for (const namespace of ['hostile', 'plain']) {
    await putConfig(client, { namespace, name: 'dns' }, { default: true });
    await putWorkspace(client, { namespace, name: 'shop' });
    await dnsIs(namespace, 'Completed');
  }
  t.regex((await dnsIs('plain', 'Completed'))?.reason ?? '', /shop\.plain\.example\.com/);
  await stop();
});

test('a sequencer that takes over continues with the config that each workspace is under', async (t) => {
  const { cluster, client, start, dnsIs } = await setUp('team-a');
  t.teardown(() => cluster.close());
  const { types, namesIn } = dnsAccounts('token-one', 'token-two');
  const first = await start({ tenantIntegrations: types });
  const namespace = 'team-a';
  for (const name of ['one', 'two']) {
    await putToken(client, { namespace, name }, `token-${name}`);
    await putConfig(client, { namespace, name }, { default: name === 'one' });
  }
  const key = { namespace, name: 'shop' };
  await putWorkspace(client, key);
  await dnsIs(namespace, 'Completed');
  await first();
  // Another default, while none runs: it is for what comes.
  for (const [name, value] of [
    ['one', false],
    ['two', true],
  ] as const)
    await client.patch(IntegrationConfig, { namespace, name }, { type: 'merge', value: { spec: { default: value } } });
  const second = await start({ tenantIntegrations: types });
  await putWorkspace(client, { namespace, name: 'later' });
  await until(async () => namesIn('token-two').length === 1 || undefined, { message: () => 'not published' });
  t.deepEqual(
    [namesIn('token-one'), namesIn('token-two')],
    [['shop.team-a.example.com'], ['later.team-a.example.com']],
  );
  await client.delete(Workspace, key);
  await until(async () => namesIn('token-one').length === 0 || undefined, { message: () => 'not removed' });
  t.deepEqual(namesIn('token-two'), ['later.team-a.example.com']);
  await second();
});

test('a namespace that is deleted takes its Secrets at once, and what was made with them is removed nevertheless', async (t) => {
  const namespace = 'team-a';
  const { cluster, client, start, dnsIs } = await setUp(namespace);
  t.teardown(() => cluster.close());
  const { types, namesIn } = dnsAccounts('token-one');
  const stop = await start({ tenantIntegrations: types });
  await putToken(client, { namespace, name: 'dns' }, 'token-one');
  await putConfig(client, { namespace, name: 'dns' }, { default: true });
  await putWorkspace(client, { namespace, name: 'shop' });
  await dnsIs(namespace, 'Completed');
  await client.delete(Namespace, { name: namespace });
  await until(
    async () =>
      (await client.list(Namespace)).items.every(({ metadata: { name } }) => name !== namespace) ? true : undefined,
    { message: () => 'the namespace is still there' },
  );
  t.deepEqual(namesIn('token-one'), []);
  await stop();
});

test('an operator that was restarted after the Secret of a deleted namespace went says so where it can, and lets go what is given up', async (t) => {
  const namespace = 'team-a';
  const { cluster, client, start, dnsIs } = await setUp(namespace);
  t.teardown(() => cluster.close());
  const { types, namesIn } = dnsAccounts('token-one');
  const first = await start({ tenantIntegrations: types });
  await putToken(client, { namespace, name: 'dns' }, 'token-one');
  await putConfig(client, { namespace, name: 'dns' }, { default: true });
  await putWorkspace(client, { namespace, name: 'shop' });
  await dnsIs(namespace, 'Completed');
  await first();
  await client.delete(Namespace, { name: namespace });
  const secretIsGone = async () => ((await client.list(Secret, { namespace })).items.length === 0 ? true : undefined);
  await until(secretIsGone, { message: () => 'the Secret is still there' });
  const stop = await start({ tenantIntegrations: types });
  const { reason = '' } = (await dnsIs(namespace, 'Error')) ?? {};
  t.regex(
    reason,
    /^IntegrationConfig team-a\/dns \(being deleted\) cannot be used: spec\.secretRefs\.token: Secret dns does not exist/,
  );
  t.regex(reason, /annotate policy\.se\.quencer\.io\/DNS=orphan to leave what is outside and let the workspace go$/);
  const ready = await until(
    async () => {
      const { status } = await client.get(IntegrationConfig, { namespace, name: 'dns' });
      const found = status?.conditions?.find(({ type }) => type === 'Ready');
      return found?.status === 'False' ? found : undefined;
    },
    { message: () => 'the config does not say so' },
  );
  t.is(ready.reason, 'SecretMissing');
  t.regex(
    ready.message,
    /^in use by workspaces team-a\/shop: .*and their external objects cannot be deleted: spec\.secretRefs\.token: Secret dns does not exist.*annotate the workspaces with policy\.se\.quencer\.io\/<Condition>=orphan/,
  );
  t.is(namesIn('token-one').length, 1, 'nothing was removed, and nothing counts as removed');
  const annotations = { 'policy.se.quencer.io/DNS': 'orphan' };
  await client.patch(Workspace, { namespace, name: 'shop' }, { type: 'merge', value: { metadata: { annotations } } });
  await until(
    async () =>
      (await client.list(Namespace)).items.every(({ metadata: { name } }) => name !== namespace) ? true : undefined,
    { message: () => 'the namespace is still there' },
  );
  t.is(namesIn('token-one').length, 1, 'what was given up stays outside');
  await stop();
});

test('within one namespace no cluster-wide config is followed; without an opened type nothing is', async (t) => {
  const { cluster, client, start, dnsIs } = await setUp('team-a');
  t.teardown(() => cluster.close());
  const { types } = dnsAccounts('token-one');
  const asked = () =>
    cluster.audit
      .verbsUsed({ user: 'operator' })
      .map(({ resource }) => resource)
      .filter((resource) => /secrets|configs/.test(resource));
  await putWorkspace(client, { namespace: 'team-a', name: 'shop' });
  const nothing = await start({});
  await until(async () => cluster.audit.verbsUsed({ user: 'operator' }).length > 0 || undefined, {
    message: () => 'idle',
  });
  await nothing();
  t.deepEqual(
    asked().filter((resource) => resource.includes('configs')),
    [],
  );

  const stop = await start({ tenantIntegrations: types, namespace: 'team-a' });
  t.regex(
    (await dnsIs('team-a', 'Error'))?.reason ?? '',
    /^no IntegrationConfig of type memory-dns is the default here/,
  );
  await putToken(client, { namespace: 'team-a', name: 'dns' }, 'token-one');
  await putConfig(client, { namespace: 'team-a', name: 'dns' }, { default: true });
  await dnsIs('team-a', 'Completed');
  t.true(asked().includes('integrationconfigs'));
  t.false(asked().some((resource) => resource.startsWith('cluster')));
  await stop();
});

test('a workspace that asks for nothing any more has nothing left, and no condition of it', async (t) => {
  const { cluster, client, start, dnsIs } = await setUp('team-a');
  t.teardown(() => cluster.close());
  const { types, namesIn } = dnsAccounts('token-one');
  const stop = await start({ tenantIntegrations: types });
  const [key, config] = [
    { namespace: 'team-a', name: 'shop' },
    { namespace: 'team-a', name: 'dns' },
  ];
  await putToken(client, config, 'token-one');
  await putConfig(client, config, { default: true });
  await putWorkspace(client, key);
  await dnsIs('team-a', 'Completed');
  await client.patch(Workspace, key, { type: 'merge', value: { spec: { networking: { dns: null } } } });
  const forgotten = async () => {
    const { status, metadata } = await client.get(Workspace, key);
    const isForgotten = findCondition(status?.conditions, 'DNS') === undefined && metadata.finalizers === undefined;
    return isForgotten || undefined;
  };
  await until(forgotten, { message: () => 'it is not forgotten' });
  t.deepEqual(namesIn('token-one'), []);
  await client.delete(IntegrationConfig, config);
  const gone = async () => (await client.list(IntegrationConfig)).items.length === 0 || undefined;
  t.true(await until(gone, { message: () => 'the config is kept' }));
  await stop();
});

test('configs of tenants make no series of metrics: calls are counted by type', async (t) => {
  const { cluster, client, start, dnsIs } = await setUp('plain', 'hostile');
  t.teardown(() => cluster.close());
  const { types } = dnsAccounts('token-of-plain', 'token-of-hostile');
  const { observer, text } = createMetrics();
  const stop = await start({ tenantIntegrations: types, observer });
  for (const namespace of ['hostile', 'plain']) {
    await putToken(client, { namespace, name: 'dns' }, `token-of-${namespace}`);
    await putConfig(client, { namespace, name: 'dns' }, { default: true });
    await putWorkspace(client, { namespace, name: 'shop' });
    await dnsIs(namespace, 'Completed');
  }
  await stop();
  const series = [...(await text()).matchAll(/^workspace_external_calls_total\{integration="([^"]*)"/gm)];
  t.deepEqual([...new Set(series.map(([, integration]) => integration))], Object.keys(types));
});
