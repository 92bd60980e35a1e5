import type { ServerResponse } from 'node:http';
import test from 'ava';
import { createRecorder } from '../../../../../sdk/client/events/recorder.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { type Arrival, answer, clientOf, failure, podNamed, setUp, startServer } from '../scripted-server.ts';

const about = podNamed('p');

/** Answers the recorder's initial requests, and leaves events to the test. */
const whenEvents =
  (script: (response: ServerResponse, nth: number) => unknown, discovery = 200) =>
  ({ method }: Arrival, response: ServerResponse, nth: number) =>
    method === 'GET' ? answer(response, discovery, {}) : script(response, nth - 1);

test('a server without events.k8s.io gets core events', async (t) => {
  const script = whenEvents((response) => answer(response, 201, podNamed('e')), 404);
  const { server, client } = await setUp(t, script);
  const recorder = createRecorder({ client, component: 'sequencer' });
  recorder.event(about, 'Normal', 'Made', 'made it');
  await recorder.flush();
  t.true(server.arrivals[1]?.path.startsWith('/api/v1/namespaces/a/events?'));
  t.is(recorder.dropped, 0);
});

test('an event that a server cannot take just now is tried three times, with patience', async (t) => {
  const clock = createManualClock();
  const { server, client } = await setUp(
    t,
    whenEvents((response) => answer(response, 500, failure(500, 'InternalError'))),
  );
  const recorder = createRecorder({ client, component: 'sequencer', clock });
  recorder.event(about, 'Normal', 'Made', 'made it');
  const flushed = recorder.flush();
  for (let second = 0; second < 4 && recorder.dropped === 0; ) {
    await clock.advance(0);
    if (clock.pending === 0) continue;
    await clock.advance(1_000);
    second += 1;
  }
  await flushed;
  t.is(server.arrivals.filter(({ method }) => method === 'POST').length, 3);
  t.is(recorder.dropped, 1);
});

test('an event that a server refuses is lost, the next one is written', async (t) => {
  const script = whenEvents((response, nth) =>
    nth === 1 ? answer(response, 403, failure(403, 'Forbidden')) : answer(response, 201, podNamed('e')),
  );
  const { server, client } = await setUp(t, script);
  const recorder = createRecorder({ client, component: 'sequencer' });
  recorder.event(about, 'Normal', 'Made', 'one');
  recorder.event(about, 'Normal', 'Made', 'two');
  await recorder.flush();
  t.is(server.arrivals.length, 3);
  t.is(recorder.dropped, 1);
});

test('an event whose answer was lost is not written twice', async (t) => {
  const script = whenEvents((response) => answer(response, 409, failure(409, 'AlreadyExists')));
  const { client } = await setUp(t, script);
  const recorder = createRecorder({ client, component: 'sequencer' });
  recorder.event(about, 'Normal', 'Made', 'one');
  await recorder.flush();
  t.is(recorder.dropped, 0);
});

test('close gives up when its deadline passes, flush when its signal aborts', async (t) => {
  const clock = createManualClock();
  const arrived = Promise.withResolvers<void>();
  const { client } = await setUp(t, () => arrived.resolve());
  const recorder = createRecorder({ client, component: 'sequencer', clock });
  recorder.event(about, 'Normal', 'Made', 'one');
  await arrived.promise;
  const abort = new AbortController();
  const flushed = recorder.flush(abort.signal);
  abort.abort();
  await flushed;
  const closed = recorder.close({ deadline: 2_000 });
  await clock.advance(2_000);
  await closed;
  t.is(recorder.dropped, 1);
});

test('a server that is away throws nothing at the caller', async (t) => {
  const server = await startServer(() => undefined);
  await server.close();
  const client = clientOf(server);
  const recorder = createRecorder({ client, component: 'sequencer' });
  t.notThrows(() => recorder.event(about, 'Normal', 'Made', 'one'));
  await recorder.close({ deadline: 50 });
  t.is(recorder.dropped, 1);
  await client.close();
});
