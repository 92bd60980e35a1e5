import test, { type ExecutionContext } from 'ava';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { createClient, ensureCrds, Namespace, systemClock, Workspace } from '../../../../sdk/index.ts';
import { configBehind } from '../../../../sequencer/tenants/configured-integration.ts';
import { type ReadTenantsOptions, readTenantConfigs } from '../../../../sequencer/tenants/read-tenant-configs.ts';
import { createCluster } from '../../../cluster/index.ts';
import {
  dnsAccounts,
  putClusterConfig,
  putConfig,
  putToken,
  putWorkspace,
} from '../../../system/stories/tenancy/a-tenant.ts';
import { aConfig, acme } from './fixtures/a-config.ts';

/** A cluster with a workspace of team-a, and a function that reads the configs for it. */
async function setUp(t: ExecutionContext, { rbac = false } = {}) {
  const cluster = await createCluster({ rbac });
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  for (const name of ['team-a', 'ops']) await client.create(Namespace, { metadata: { name } });
  const shop = await putWorkspace(client, { namespace: 'team-a', name: 'shop' });
  const { types, opened, closed } = dnsAccounts('one', 'two');
  const notes: string[] = [];
  const read = (more: Partial<ReadTenantsOptions> = {}) =>
    readTenantConfigs({
      ...{ client, types, integrations: [acme({ condition: 'Other' })], namespaces: ['team-a'], clock: systemClock },
      ...{ operatorNamespace: 'ops', signal: new AbortController().signal, note: (text) => void notes.push(text) },
      ...more,
    });
  return { cluster, client, shop, opened, closed, notes, read };
}

test('the integrations are those of the config file and of the config that the workspace uses', async (t) => {
  const { client, shop, opened, closed, read, notes } = await setUp(t);
  await putToken(client, { namespace: 'ops', name: 'wide' }, 'one');
  await putClusterConfig(client, 'wide', { allowedNamespaces: ['team-a'], default: true });
  const tenants = await read();
  const [first, second] = tenants.integrationsOf(shop);
  t.is(first?.name, 'acme');
  t.is(configBehind(second!)?.problem, undefined);
  t.true(second?.handles(shop));
  t.deepEqual([opened, closed], [['one'], []]);
  tenants[Symbol.dispose]();
  t.deepEqual([closed, notes], [['one'], []]);
});

test('what is given counts in place of what is on the server', async (t) => {
  const { client, shop, read } = await setUp(t);
  const key = { namespace: 'team-a', name: 'dns' };
  await putToken(client, key, 'one');
  await putConfig(client, key);
  const secretRefs = { token: { name: 'dns', key: 'token' } };
  const given = aConfig({ type: 'memory-dns', default: true, secretRefs }, key);
  using without = await read();
  t.regex(configBehind(without.integrationsOf(shop)[1]!)?.problem ?? '', /is the default here/);
  using tenants = await read({ replacements: [given, aConfig({}, { namespace: 'elsewhere' })] });
  t.is(configBehind(tenants.integrationsOf(shop)[1]!)?.problem, undefined);
});

test('what may not be read, or is not served, is noted, and counts as none', async (t) => {
  const { cluster, shop, read, notes } = await setUp(t, { rbac: true });
  const dispatcher = cluster.dispatcherAs({ name: 'guest', groups: [] });
  using tenants = await read({ client: createClient({ server: cluster.url, dispatcher }) });
  t.regex(configBehind(tenants.integrationsOf(shop)[1]!)?.problem ?? '', /no IntegrationConfig of type memory-dns/);
  t.is(notes.length, 3);
  t.regex(notes[0] ?? '', /^integrationconfigs of team-a are not known here: .*cannot list/);
  t.regex(notes[2] ?? '', /^clusterintegrationconfigs are not known here: .*cannot list/);
});

test('where no type is opened, nothing is read', async (t) => {
  const { shop, read } = await setUp(t);
  using tenants = await read({ types: {}, client: undefined as never });
  t.deepEqual(
    tenants.integrationsOf(shop).map(({ name }) => name),
    ['acme'],
  );
});
