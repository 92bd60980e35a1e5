import test, { type ExecutionContext } from 'ava';
import { createRecorder, type RecorderOptions } from '../../../../../sdk/client/events/recorder.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { createCluster } from '../../../../cluster/index.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name: 'p', uid: 'u' } };
const EventKind = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };

interface Seen {
  readonly note?: string;
  readonly reason?: string;
  readonly series?: { readonly count: number };
}

async function setUp(t: ExecutionContext, options: Partial<RecorderOptions> = {}) {
  const cluster = await createCluster();
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const clock = createManualClock();
  const recorder = createRecorder({ client, component: 'sequencer', clock, ...options });
  t.teardown(() => cluster.close());
  const seen = () => cluster.list(EventKind, 'default') as readonly Seen[];
  const writes = () => cluster.audit.filter(({ method }) => method !== 'GET').map(({ method }) => method);
  return { cluster, client, clock, recorder, seen, writes };
}

test('an event is written in the background', async (t) => {
  const { recorder, seen } = await setUp(t);
  recorder.event(pod, 'Warning', 'Failed', 'it failed');
  await recorder.flush();
  t.like(seen()[0], { reason: 'Failed', note: 'it failed', type: 'Warning', regarding: { name: 'p', uid: 'u' } });
});

test('repeats are put together: one write now, one for all that follow within the interval', async (t) => {
  const { recorder, seen, writes, clock } = await setUp(t, { repeatInterval: 10_000 });
  recorder.event(pod, 'Normal', 'Made', 'made it');
  await recorder.flush();
  for (let nth = 0; nth < 50; nth += 1) recorder.event(pod, 'Normal', 'Made', 'made it');
  await clock.advance(9_999);
  t.deepEqual(writes(), ['POST']);
  await clock.advance(1);
  await recorder.flush();
  t.deepEqual(writes(), ['POST', 'PATCH']);
  t.is(seen().length, 1);
  t.is(seen()[0]?.series?.count, 51);
});

test('a repeated event that the server has deleted meanwhile is created again', async (t) => {
  const { recorder, seen, cluster, client } = await setUp(t);
  recorder.event(pod, 'Normal', 'Made', 'made it');
  await recorder.flush();
  const { metadata } = cluster.list(EventKind, 'default')[0] as unknown as { metadata: { name: string } };
  await client.raw('DELETE', `/apis/events.k8s.io/v1/namespaces/default/events/${metadata.name}`);
  recorder.event(pod, 'Normal', 'Made', 'made it');
  await recorder.flush();
  t.is(seen()[0]?.series?.count, 2);
});

test('an object that reports too much does not flood the server', async (t) => {
  const { recorder, seen } = await setUp(t, { limits: { burst: 5 } });
  for (let nth = 0; nth < 20; nth += 1) recorder.event(pod, 'Normal', 'Made', `number ${nth}`);
  await recorder.flush();
  t.is(seen().length, 5);
  t.is(recorder.dropped, 15);
});

test('more than may wait is dropped', async (t) => {
  const { recorder, seen } = await setUp(t, { queueLimit: 3 });
  for (let nth = 0; nth < 5; nth += 1) recorder.event(pod, 'Normal', 'Made', `number ${nth}`);
  await recorder.flush();
  t.is(seen().length, 3);
  t.is(recorder.dropped, 2);
});

test('one namespace that reports too much loses its own events, and fills neither the queue of others nor the log', async (t) => {
  const warned: unknown[] = [];
  const logger = { warn: (...line: readonly unknown[]) => void warned.push(line), debug: () => undefined };
  const { recorder, cluster } = await setUp(t, { queueLimit: 30, limits: { burst: 1_000 }, logger });
  for (let nth = 0; nth < 200; nth += 1) recorder.event(pod, 'Normal', 'Made', `number ${nth}`);
  const other = { ...pod, metadata: { ...pod.metadata, namespace: 'kube-public', uid: 'b' } };
  for (let nth = 0; nth < 5; nth += 1) recorder.event(other, 'Warning', 'IdsLeft', `number ${nth}`);
  await recorder.flush();
  t.is(cluster.list(EventKind, 'kube-public').length, 5);
  t.is(recorder.dropped, 175);
  t.is(warned.length, 1);
});

test('after close nothing is taken any more, what was waiting is written', async (t) => {
  const { recorder, seen } = await setUp(t);
  recorder.event(pod, 'Normal', 'Made', 'before');
  await recorder.close();
  recorder.event(pod, 'Normal', 'Made', 'after');
  await recorder.flush();
  t.deepEqual(
    seen().map(({ note }) => note),
    ['before'],
  );
});

test('an event about a cluster-scoped object goes to default', async (t) => {
  const { recorder, seen } = await setUp(t);
  recorder.event({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }, 'Normal', 'Seen', 'a node');
  await recorder.flush();
  t.like(seen()[0], { regarding: { kind: 'Node', name: 'n' } });
});
