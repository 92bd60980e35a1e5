import test from 'ava';
import type { Dispatcher } from 'undici';
import { Pod } from '../../../../../sdk/api/kinds.ts';
import { exchangeHttp, maxBodyLength, maxRefusalLength } from '../../../../../sdk/client/http/http-exchange.ts';
import { UnreachableError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { answer, clientOf, podNamed, setUp, startServer } from '../scripted-server.ts';

const key = { namespace: 'a', name: 'p' };

test('a refused connection says that nothing was sent', async (t) => {
  const server = await startServer(() => undefined);
  await server.close();
  const client = clientOf(server);
  const error = await t.throwsAsync(client.create(Pod, { metadata: { namespace: 'a', name: 'p' } }), {
    instanceOf: UnreachableError,
  });
  t.true(error.notSent);
  t.deepEqual(error.request, {
    method: 'POST',
    path: '/api/v1/namespaces/a/pods?fieldManager=workspace-sequencer',
    server: server.url,
  });
  await client.close();
});

test('a write whose answer is lost is not sent again, and may have happened', async (t) => {
  const { server, client } = await setUp(t, (_, response) => response.destroy());
  const error = await t.throwsAsync(client.create(Pod, { metadata: { namespace: 'a', name: 'p' } }), {
    instanceOf: UnreachableError,
  });
  t.false(error.notSent);
  t.is(server.arrivals.length, 1);
});

test('an answer that breaks off in mid-body is not an answer', async (t) => {
  const { client } = await setUp(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"apiVersion":"v1"', () => response.destroy());
  });
  const error = await t.throwsAsync(client.patch(Pod, key, { type: 'merge', value: {} }), {
    instanceOf: UnreachableError,
  });
  t.false(error.notSent);
});

test('a call fails when its deadline passes, and the connection is given up', async (t) => {
  const clock = createManualClock();
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const { client } = await setUp(
    t,
    (_, response) => {
      response.on('close', closed.resolve);
      arrived.resolve();
    },
    { clock },
  );
  const call = client.get(Pod, key, { deadline: 5_000 });
  const failed = t.throwsAsync(call, { instanceOf: UnreachableError, message: /none within 5000 ms/ });
  await arrived.promise;
  await clock.advance(5_000);
  t.false((await failed).notSent);
  await closed.promise;
});

test('a call that waits for a connection when its deadline passes is never sent', async (t) => {
  const clock = createManualClock();
  const arrived = Promise.withResolvers<() => void>();
  const { server, client } = await setUp(
    t,
    (_, response, nth) =>
      nth === 1
        ? arrived.resolve(() => answer(response, 200, podNamed('p')))
        : answer(response, 200, podNamed('other')),
    {
      clock,
      connections: 1,
    },
  );
  const first = client.get(Pod, key);
  const answerFirst = await arrived.promise;
  const second = client.delete(Pod, key, { deadline: 1_000 });
  const failed = t.throwsAsync(second, { instanceOf: UnreachableError });
  await clock.advance(1_000);
  t.true((await failed).notSent);
  answerFirst();
  await first;
  await client.get(Pod, { namespace: 'a', name: 'other' });
  t.deepEqual(
    server.arrivals.map(({ method }) => method),
    ['GET', 'GET'],
  );
});

test('an aborted call rejects with the reason of its signal', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const { client } = await setUp(t, () => arrived.resolve());
  const abort = new AbortController();
  const failed = t.throwsAsync(client.get(Pod, key, { signal: abort.signal }), { message: 'shutting down' });
  await arrived.promise;
  abort.abort(new Error('shutting down'));
  await failed;
  await t.throwsAsync(client.get(Pod, key, { signal: abort.signal }), { message: 'shutting down' });
});

/** A connection whose server answers this status, and the same chunk without an end. */
function talkative(status: number) {
  const chunk = Buffer.alloc(2 ** 20, ' ');
  const seen = { bytes: 0, reason: '' };
  const dispatch = (_: object, handler: Required<Dispatcher.DispatchHandler>) => {
    const abort = ({ message }: Error) => {
      seen.reason = message;
    };
    const controller = { abort } as never;
    handler.onRequestStart(controller, undefined);
    handler.onResponseStart(controller, status, {});
    for (; seen.reason === '' && seen.bytes < 2 ** 30; seen.bytes += chunk.length)
      handler.onResponseData(controller, chunk);
    return true;
  };
  return { seen, dispatcher: { dispatch } as unknown as Dispatcher };
}

const asked = { origin: 'http://api.test', method: 'DELETE', path: '/', headers: {} };

test('a success without an end is not an answer, and the connection is given up', async (t) => {
  const { seen, dispatcher } = talkative(200);
  const outcome = await exchangeHttp(dispatcher, asked, new AbortController().signal);
  t.like(outcome, { type: 'lost', cause: { message: `more than ${maxBodyLength} bytes` }, notSent: false });
  t.true(seen.bytes < maxBodyLength + 2 ** 21);
});

test('a refusal without an end is a refusal, and the connection is given up', async (t) => {
  const { seen, dispatcher } = talkative(403);
  const outcome = await exchangeHttp(dispatcher, asked, new AbortController().signal);
  t.like(outcome, { type: 'refused', answer: { status: 403 } });
  t.is(seen.reason, `more than ${maxRefusalLength} bytes`);
  t.true(seen.bytes < maxRefusalLength + 2 ** 21);
});
