import test from 'ava';
import * as z from 'zod';
import { ClusterIntegrationConfig, IntegrationConfig } from '../../../../sdk/host/index.ts';
import { ensureCrds, InvalidError, Namespace, Workspace } from '../../../../sdk/index.ts';
import { webhookConfiguration } from '../../../../sequencer/cli/manifests/webhooks.ts';
import { defineTenantIntegration, runSequencer } from '../../../../sequencer/index.ts';
import { freePorts } from '../../real/free-ports.ts';
import { until } from '../../real/until.ts';
import { startClientsUnderTest } from '../servers.ts';
import { calledHere, configurationKindOf } from '../webhooks/webhook-servers.ts';
import { dnsAccounts, putClusterConfig, putConfig, putToken, putWorkspace } from './a-tenant.ts';
import { configSays, dnsSays, gone } from './tenant-says.ts';

const namespace = 'team-a';
const servers = await startClientsUnderTest();
for (const { client } of servers) {
  await ensureCrds(client, [Workspace, IntegrationConfig, ClusterIntegrationConfig]);
  await client.create(Namespace, { metadata: { name: namespace } });
}
test.after.always(() => Promise.all(servers.map((server) => server.close())));

const config = { namespace, name: 'dns' };
const account = () => {
  const { types: tenantIntegrations, ...rest } = dnsAccounts('token-of-a');
  return { tenantIntegrations, ...rest };
};

for (const { name: server, client, kubeconfigPath: kubeconfig } of servers) {
  test.serial(
    `${server}: a config with mistakes is refused by field; deletion never waits for the webhook`,
    async (t) => {
      const { tenantIntegrations } = account();
      const [webhookPort] = (await freePorts(1)) as [number];
      const stopping = new AbortController();
      const running = runSequencer({
        ...{ kubeconfig, integrations: [], tenantIntegrations, signal: stopping.signal },
        ...{ webhookPort, webhookHost: '127.0.0.1' },
      });
      const made = webhookConfiguration({ operatorNamespace: 'default', tenantIntegrations }, 'Fail');
      const configuration = calledHere(made, webhookPort);
      const kind = configurationKindOf(configuration);
      await client.create(kind, configuration);
      t.teardown(async () => {
        await client.delete(kind, { name: configuration.metadata.name });
        stopping.abort();
        await running;
      });
      const wrong = { options: { targte: '192.0.2.1' }, mutableOptions: { target: 'nowhere' } };
      const refused = (put: () => Promise<unknown>) => async () =>
        put().then(
          () => Promise.reject(new Error('it was taken')),
          (error: unknown) => (error instanceof InvalidError ? error : undefined),
        );
      const { status } = await until(
        refused(() => putConfig(client, config, wrong)),
        {
          message: () => 'not refused within a minute',
        },
      );
      t.deepEqual(
        status?.details?.causes?.map(({ field }) => field),
        ['spec.options.targte', 'spec.mutableOptions.target'],
      );
      const shared = () => putClusterConfig(client, 'shared', { allowedNamespaces: ['*'], type: 'memory-dsn' });
      const { message } = await until(refused(shared), { message: () => 'the cluster-wide one is not refused' });
      t.regex(message, /spec\.type: the operator opens no integration type memory-dsn; it opens memory-dns/);
      await putConfig(client, config, { mutableOptions: { target: '192.0.2.1' } });
      const tune = client.patch(IntegrationConfig, config, {
        type: 'merge',
        value: { spec: { mutableOptions: { target: 'nowhere' } } },
      });
      await t.throwsAsync(tune, { instanceOf: InvalidError, message: /spec\.mutableOptions\.target: / });
      await configSays(client, config, 'SecretMissing');
      stopping.abort();
      await running;
      await t.throwsAsync(putConfig(client, { ...config, name: 'late' }), { message: /failed calling webhook/ });
      await client.delete(IntegrationConfig, config);
      await gone(client, IntegrationConfig, config);
    },
  );

  test.serial(
    `${server}: an option that becomes a mutable one moves with its configs, and nothing is made twice`,
    async (t) => {
      const { tenantIntegrations: opened, namesIn, changesIn } = account();
      const former = {
        'memory-dns': defineTenantIntegration({
          ...opened['memory-dns'],
          options: z.strictObject({ target: z.ipv4() }),
          mutableOptions: z.strictObject({}),
        }),
      };
      const key = { namespace, name: 'shop' };
      const run = (tenantIntegrations: typeof former) => {
        const stopping = new AbortController();
        const running = runSequencer({ kubeconfig, integrations: [], tenantIntegrations, signal: stopping.signal });
        return async () => {
          stopping.abort();
          await running;
        };
      };
      await putToken(client, config, 'token-of-a');
      const stopFormer = run(former);
      await putConfig(client, config, { default: true, options: { target: '192.0.2.7' } });
      await putWorkspace(client, key);
      await dnsSays(client, key, 'Completed');
      const { metadata } = await client.get(Workspace, key);
      await stopFormer();

      const tooSoon = { 'memory-dns': { ...opened['memory-dns'], options: z.strictObject({}) } };
      const stopTooSoon = run(tooSoon);
      await configSays(client, config, 'OptionsInvalid', /spec\.options\.target: there is no such field/);
      await dnsSays(client, key, 'Error', /cannot be used: spec\.options\.target/);
      await stopTooSoon();

      const moved = {
        'memory-dns': { ...opened['memory-dns'], options: z.strictObject({ target: z.ipv4().optional() }) },
      };
      const stopMoved = run(moved);
      t.teardown(stopMoved);
      await configSays(client, config, 'Configured');
      await dnsSays(client, key, 'Completed');
      const value = { spec: { mutableOptions: { target: '192.0.2.8' } } };
      await client.patch(IntegrationConfig, config, { type: 'merge', value });
      const changes = ['192.0.2.7', '192.0.2.8'].map((target) => `shop.${namespace}.example.com ${target}`);
      await until(async () => changesIn('token-of-a').length > 1 || undefined, { message: () => 'not changed' });
      t.deepEqual(changesIn('token-of-a'), changes, 'changed in place');
      t.deepEqual((await client.get(Workspace, key)).metadata.finalizers, metadata.finalizers, 'the claim is the same');
      await client.delete(Workspace, key);
      await gone(client, Workspace, key);
      t.deepEqual(namesIn('token-of-a'), []);
    },
  );
}
