import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { createClient, defineIntegration, loadConnection, Workspace } from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/run/run.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aFolder } from '../../a-folder.ts';

const integration = defineIntegration({
  name: 'dns',
  condition: 'DNS',
  handles: () => true,
  connect: ({ controller }) => ({
    reconcile: () => controller.updateCondition('Completed', 'there'),
    terminate: () => controller.updateCondition('Terminated', 'gone'),
  }),
});

test('connects by kubeconfig, brings its kind along, walks, and resolves when told to stop', async (t) => {
  const folder = await aFolder(t);
  const cluster = await createCluster();
  const listening = await cluster.listen();
  const kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, listening.kubeconfigYaml());
  const stop = new AbortController();
  const ready = Promise.withResolvers<void>();
  const end = runSequencer({
    kubeconfig,
    integrations: [integration],
    signal: stop.signal,
    onReady: () => ready.resolve(),
  });
  await ready.promise;
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  await client.create(Workspace, { metadata: { name: 'shop', namespace: 'default' }, spec: {} });
  for await (const event of client.watch(Workspace, { namespace: 'default' })) {
    if (event.type !== 'BOOKMARK' && event.object.status?.phase === 'Healthy') break;
  }
  stop.abort();
  await end;
  t.is(cluster.list({ apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace' }).length, 1);
  await client.close();
  await cluster.close();
});

test('a kubeconfig that is not there is reported as what it is', async (t) => {
  await t.throwsAsync(
    runSequencer({ kubeconfig: '/nowhere/config', integrations: [], signal: new AbortController().signal }),
    { name: 'UserError', message: /\/nowhere\/config: there is no such file/ },
  );
});

test('a runnable of the config runs while the sequencer walks, and its failure is the end of both', async (t) => {
  const folder = await aFolder(t);
  const cluster = await createCluster();
  const kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, (await cluster.listen()).kubeconfigYaml());
  const fails = Promise.withResolvers<void>();
  let stopped = false;
  const runnable = (name: string, run: (signal: AbortSignal) => Promise<void>) => ({
    name,
    permissions: [],
    create: () => ({ name, run }),
  });
  const end = runSequencer({
    kubeconfig,
    integrations: [integration],
    runnables: [
      runnable('faulty', () => fails.promise),
      runnable('patient', async (signal) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        stopped = true;
      }),
    ],
    signal: new AbortController().signal,
    onReady: () => fails.reject(new Error('the port is taken')),
  });
  await t.throwsAsync(end, { message: 'the port is taken' });
  t.true(stopped);
  await cluster.close();
});
