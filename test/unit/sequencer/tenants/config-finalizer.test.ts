import test from 'ava';
import { configFinalizer, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { createClient, DefiniteError, ensureCrds, type Kind } from '../../../../sdk/index.ts';
import { addConfigFinalizer } from '../../../../sequencer/tenants/config-finalizer.ts';
import type { AnyConfig } from '../../../../sequencer/tenants/config-integration-name.ts';
import { createCluster } from '../../../cluster/index.ts';

test('a config is held by a finalizer, once; one that is another by now, going or gone is refused', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [IntegrationConfig]);
  const kind = IntegrationConfig as unknown as Kind<AnyConfig>;
  const key = { namespace: 'default', name: 'dns' };
  const config = await client.create(IntegrationConfig, { metadata: key, spec: { type: 'acme' } });
  await addConfigFinalizer(client, kind, config);
  const held = await client.get(IntegrationConfig, key);
  t.deepEqual(held.metadata.finalizers, [configFinalizer]);
  await addConfigFinalizer(client, kind, config);
  t.is((await client.get(IntegrationConfig, key)).metadata.resourceVersion, held.metadata.resourceVersion);

  const refusal = {
    instanceOf: DefiniteError,
    message: 'IntegrationConfig default/dns is being deleted: pick another one',
  };
  const former = { ...config, metadata: { ...config.metadata, uid: 'another' } };
  await t.throwsAsync(addConfigFinalizer(client, kind, former), refusal);
  await client.delete(IntegrationConfig, key);
  await t.throwsAsync(addConfigFinalizer(client, kind, config), refusal);
  await client.patch(IntegrationConfig, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await t.throwsAsync(addConfigFinalizer(client, kind, config), refusal);
});
