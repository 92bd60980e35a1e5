import test from 'ava';
import * as z from 'zod';
import { defineIntegration, ensureCrds, InvalidError, NotFoundError, Workspace } from '../../../../sdk/index.ts';
import { webhookConfiguration } from '../../../../sequencer/cli/manifests/webhooks.ts';
import { runSequencer } from '../../../../sequencer/index.ts';
import { freePorts } from '../../real/free-ports.ts';
import { until } from '../../real/until.ts';
import { isReady, workspaceGone, workspaceThat } from '../sequencing.ts';
import { startClientsUnderTest } from '../servers.ts';
import { calledHere, configurationKindOf } from './webhook-servers.ts';

const servers = await startClientsUnderTest();
test.after.always(() => Promise.all(servers.map((server) => server.close())));

const mail = defineIntegration({
  name: 'mail',
  condition: 'Mail',
  settings: z.strictObject({ from: z.string() }),
  handles: ({ spec }) => spec.integrations?.mail !== undefined,
  connect: ({ controller }) => ({
    reconcile: () => controller.updateCondition('Completed', 'sent'),
    terminate: () => controller.updateCondition('Terminated', 'gone'),
  }),
});

const key = (name: string) => ({ namespace: 'default', name });

for (const { name: server, client, kubeconfigPath: kubeconfig } of servers)
  test(`${server}: a workspace with mistakes is refused; walks, status and deletion never depend on the webhook`, async (t) => {
    await ensureCrds(client, [Workspace]);
    const create = (name: string, integrations: Readonly<Record<string, unknown>>, dryRun = false) =>
      client.create(Workspace, { metadata: key(name), spec: { integrations } }, { dryRun });
    await create('early', { mial: {} });
    const [webhookPort] = (await freePorts(1)) as [number];
    const stopping = new AbortController();
    const running = runSequencer({
      ...{ kubeconfig, integrations: [mail], signal: stopping.signal },
      ...{ webhookPort, webhookHost: '127.0.0.1' },
    });
    const made = webhookConfiguration({ operatorNamespace: 'default' }, 'Fail');
    const configuration = calledHere(made, webhookPort);
    const kind = configurationKindOf(configuration);
    const { name } = configuration.metadata;
    await client.create(kind, configuration);
    t.teardown(async () => {
      await client.delete(kind, { name });
      stopping.abort();
      await running;
    });
    const refusal = () =>
      create('wrong', { mail: { form: 'a' } }, true).then(
        () => undefined,
        (error: unknown) => (error instanceof InvalidError ? error : undefined),
      );
    const { message, status } = await until(refusal, { message: () => 'not refused within a minute' });
    t.regex(message, /Workspace\.se\.quencer\.io "wrong" is invalid: /);
    t.like(status?.details?.causes?.[0], {
      field: 'spec.integrations.mail.form',
      message: 'there is no such field; did you mean from?',
    });
    await create('right', { mail: { from: 'a' } });
    await workspaceThat(client, 'right', isReady);
    const labelled = await client.patch(Workspace, key('early'), {
      type: 'merge',
      value: { metadata: { labels: { a: 'b' } } },
    });
    t.is(labelled.metadata.labels?.a, 'b', 'what was wrong before may change otherwise');
    stopping.abort();
    await running;
    await t.throwsAsync(create('late', { mail: { from: 'a' } }), { message: /failed calling webhook/ });
    await client.patch(Workspace, key('right'), { type: 'merge', value: { metadata: { labels: { a: 'b' } } } });
    await client.delete(Workspace, key('right'));
    await client.delete(Workspace, key('early'));
    const again = new AbortController();
    const second = runSequencer({ kubeconfig, integrations: [mail], signal: again.signal });
    await workspaceGone(client, 'right');
    await t.throwsAsync(client.get(Workspace, key('right')), { instanceOf: NotFoundError });
    again.abort();
    await second;
  });
