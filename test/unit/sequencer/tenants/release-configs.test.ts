import test from 'ava';
import { ClusterIntegrationConfig, configFinalizer, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { claimOf, createClient, ensureCrds, Workspace } from '../../../../sdk/index.ts';
import { configIntegrationName } from '../../../../sequencer/tenants/config-integration-name.ts';
import { releaseConfigs } from '../../../../sequencer/tenants/release-configs.ts';
import { createCluster } from '../../../cluster/index.ts';

const finalizers = [configFinalizer, 'example.com/own'];
const { signal } = new AbortController();

test('configs of the class that no workspace uses are let go, and no others', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await releaseConfigs({ client, workspaces: [], signal });
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  const create = (name: string, spec: object = {}) =>
    client.create(IntegrationConfig, {
      metadata: { namespace: 'default', name, finalizers },
      spec: { type: 'acme', ...spec },
    });
  await create('free');
  await create('blue', { className: 'blue' });
  const used = await create('used');
  await client.create(ClusterIntegrationConfig, {
    metadata: { name: 'shared', finalizers },
    spec: { type: 'acme', allowedNamespaces: ['*'] },
  });
  const claims = [claimOf(configIntegrationName(used))];
  const workspace = await client.create(Workspace, {
    metadata: { namespace: 'default', name: 'shop', finalizers: claims },
    spec: {},
  });
  const held = async () => {
    const all = [await client.list(IntegrationConfig), await client.list(ClusterIntegrationConfig)];
    return all.flatMap(({ items }) =>
      items.flatMap(({ metadata }) => (metadata.finalizers?.includes(configFinalizer) ? [metadata.name] : [])),
    );
  };
  const options = { client, workspaces: [workspace], signal };
  await releaseConfigs({ ...options, namespace: 'default' });
  t.deepEqual(await held(), ['blue', 'used', 'shared'], 'cluster-wide ones are of other namespaces too');
  await releaseConfigs(options);
  t.deepEqual(await held(), ['blue', 'used']);
  await releaseConfigs({ ...options, className: 'blue' });
  t.deepEqual(await held(), ['used']);
  t.deepEqual((await client.get(IntegrationConfig, { namespace: 'default', name: 'free' })).metadata.finalizers, [
    'example.com/own',
  ]);
});

test('a config whose finalizers are changed by others meanwhile is released all the same', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  const key = { namespace: 'default', name: 'free' };
  await client.create(IntegrationConfig, {
    metadata: { ...key, finalizers: finalizers.toReversed() },
    spec: { type: 'acme' },
  });
  let others = [configFinalizer];
  const raced: typeof client = {
    ...client,
    async patch(...args) {
      const value = { metadata: { finalizers: others } };
      if (others.length > 0) await client.patch(IntegrationConfig, key, { type: 'merge', value });
      others = [];
      return client.patch(...args);
    },
  };
  await releaseConfigs({ client: raced, workspaces: [], signal });
  t.is((await client.get(IntegrationConfig, key)).metadata.finalizers, undefined);
});
