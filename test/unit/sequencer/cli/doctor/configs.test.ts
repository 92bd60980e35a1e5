import test from 'ava';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../../sdk/host/index.ts';
import { createClient, ensureCrds } from '../../../../../sdk/index.ts';
import { configFindings } from '../../../../../sequencer/cli/doctor/configs.ts';
import { createCluster } from '../../../../cluster/index.ts';

const kinds = [IntegrationConfig, ClusterIntegrationConfig];
const ready = (status: 'True' | 'False', reason: string, message: string) => ({
  conditions: [{ type: 'Ready', status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' }],
});

test('configs of the class that cannot be used are reported with their reason, and nothing where no type is opened', async (t) => {
  const cluster = await createCluster();
  t.teardown(() => cluster.close());
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  await ensureCrds(client, kinds);
  const target = { client, signal: new AbortController().signal, namespace: undefined };
  t.deepEqual(await configFindings(target, []), []);
  t.like(await configFindings(target, kinds), [{ check: 'configs', status: 'ok', detail: 'all 0 can be used' }]);

  const put = async (name: string, status: object | undefined, spec = {}) => {
    const key = { namespace: 'default', name };
    await client.create(IntegrationConfig, { metadata: key, spec: { type: 'acme', ...spec } });
    if (status !== undefined)
      await client.patch(IntegrationConfig, key, { type: 'merge', value: { status } }, { subresource: 'status' });
  };
  await put('good', ready('True', 'Configured', 'options and credentials are valid'));
  await put('wrong', ready('False', 'OptionsInvalid', 'spec.options.port: there is no such field'));
  await put('unread', undefined);
  await put('green', undefined, { className: 'green' });
  await client.create(ClusterIntegrationConfig, {
    metadata: { name: 'shared' },
    spec: { type: 'acme', allowedNamespaces: [] },
  });
  const found = await configFindings(target, kinds);
  t.deepEqual(
    found.map(({ detail }) => detail),
    [
      'IntegrationConfig default/unread  no operator has read it yet',
      'IntegrationConfig default/wrong  OptionsInvalid: spec.options.port: there is no such field',
      'ClusterIntegrationConfig shared  no operator has read it yet',
    ],
  );
  t.regex(found[1]?.next ?? '', /^kubectl -n default describe integrationconfigs wrong;/);
  t.regex(found[2]?.next ?? '', /^kubectl describe clusterintegrationconfigs shared;/);
  const elsewhere = await configFindings({ ...target, namespace: 'other', className: 'green' }, [IntegrationConfig]);
  t.like(elsewhere, [{ status: 'ok', detail: 'all 0 can be used' }]);
});
