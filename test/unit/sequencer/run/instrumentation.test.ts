import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import {
  createClient,
  DefiniteError,
  defineIntegration,
  loadConnection,
  SecretRegistry,
  Workspace,
} from '../../../../sdk/index.ts';
import { runSequencer } from '../../../../sequencer/run/run.ts';
import { createCluster } from '../../../cluster/index.ts';
import { aFolder } from '../../a-folder.ts';
import { startCollector } from '../../sdk/tracing/collector.ts';

test('the walks of an operator reach a collector: requests as children of their runs, and no secret', async (t) => {
  await using collector = await startCollector();
  const cluster = await createCluster();
  const kubeconfig = join(await aFolder(t), 'config');
  await writeFile(kubeconfig, (await cluster.listen()).kubeconfigYaml());
  const integration = defineIntegration({
    name: 'dns',
    condition: 'DNS',
    secrets: ['hunter2-hunter2'],
    handles: () => true,
    connect: () => ({
      reconcile: () => Promise.reject(new DefiniteError('refused for hunter2-hunter2')),
      terminate: async () => undefined,
    }),
  });
  const stop = new AbortController();
  const ready = Promise.withResolvers<void>();
  const end = runSequencer({
    kubeconfig,
    integrations: [integration],
    signal: stop.signal,
    otlp: { url: collector.url, headers: { authorization: 'Bearer collector-token' } },
    secrets: new SecretRegistry(),
    onReady: () => ready.resolve(),
  });
  await ready.promise;
  const client = createClient({ connection: await loadConnection({ kubeconfig }) });
  await client.create(Workspace, { metadata: { name: 'shop', namespace: 'default' }, spec: {} });
  for await (const event of client.watch(Workspace, { namespace: 'default' }))
    if (event.type !== 'BOOKMARK' && event.object.status?.phase === 'Error') break;
  stop.abort();
  await end;
  await client.close();
  await cluster.close();

  t.deepEqual(
    collector.requests.flatMap(({ problem }) => problem ?? []),
    [],
  );
  t.is(collector.requests[0]?.headers.authorization, 'Bearer collector-token');
  const { spans } = collector;
  const run = spans.find(({ name }) => name === 'controller-reconcile');
  t.truthy(run);
  const patch = spans.find(({ name, parentSpanId }) => name === 'kubernetes-patch' && parentSpanId === run?.spanId);
  t.is(patch?.traceId, run?.traceId);
  const failed = spans.find(({ status }) => status.message?.includes('refused for'));
  t.is(failed?.status.message, 'refused for ***');
  t.false(collector.requests.some(({ body }) => body.includes('hunter2')));
});
