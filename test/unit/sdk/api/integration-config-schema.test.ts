import test from 'ava';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { createClient, ensureCrds, InvalidError } from '../../../../sdk/index.ts';
import { createCluster } from '../../../cluster/index.ts';

test('type, class and options stay as they were created, and what tenants write is bounded', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, [IntegrationConfig, ClusterIntegrationConfig]);
  const metadata = { namespace: 'default', name: 'dns' };
  const options = { target: '192.0.2.1' };
  await client.create(IntegrationConfig, { metadata, spec: { type: 'dns', options } });
  const change = (spec: object) => client.patch(IntegrationConfig, metadata, { type: 'merge', value: { spec } });
  for (const [field, value] of Object.entries({ type: 'other', className: 'blue', options: { target: 'b' } }))
    await t.throwsAsync(change({ [field]: value }), {
      instanceOf: InvalidError,
      message: new RegExp(`${field} cannot be changed: create another config`),
    });
  await t.throwsAsync(change({ options: null }), { instanceOf: InvalidError });
  await change({ default: true, secretRefs: { token: { name: 'other', key: 'token' } } });
  const long = { type: 'dns', options: { target: 'a'.repeat(1025) } };
  await t.throwsAsync(client.create(IntegrationConfig, { metadata: { ...metadata, name: 'long' }, spec: long }), {
    instanceOf: InvalidError,
  });
  const open = { type: 'dns' } as ClusterIntegrationConfig['spec'];
  await t.throwsAsync(client.create(ClusterIntegrationConfig, { metadata: { name: 'open' }, spec: open }), {
    instanceOf: InvalidError,
    message: /allowedNamespaces/,
  });
});
