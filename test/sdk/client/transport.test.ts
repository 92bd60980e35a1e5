import test, { type ExecutionContext } from 'ava';
import { Pod } from '../../../sdk/api/kinds.ts';
import { createClient } from '../../../sdk/client/http-client.ts';
import { systemClock } from '../../../sdk/clock.ts';
import { ApiError, ConflictError, ForbiddenError, NotFoundError, UnreachableError } from '../../../sdk/errors.ts';
import { createManualClock } from '../../clock.ts';
import { answer, failure, type Script, type ScriptedServer, startServer } from './scripted-server.ts';

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a', name, resourceVersion: '7' },
});

type Options = Partial<Parameters<typeof createClient>[0]>;

/** A client without credentials of a server that follows the script. */
async function setUp(t: ExecutionContext, script: Script, options: Options = {}) {
  const server = await startServer(script);
  const client = clientOf(server, options);
  t.teardown(async () => {
    await client.close();
    await server.close();
  });
  return { server, client };
}

const clientOf = ({ url }: ScriptedServer, options: Options = {}) =>
  createClient({
    connection: { server: url, credentials: () => ({ headers: {}, tls: {} }) },
    random: () => 0,
    ...options,
  } as Parameters<typeof createClient>[0]);

const key = { namespace: 'a', name: 'p' };

test('calls after one another share a connection', async (t) => {
  const { server, client } = await setUp(t, (_, response) => answer(response, 200, pod('p')));
  for (let call = 0; call < 5; call += 1) await client.get(Pod, key);
  // undici may open a second one when a call follows in the very turn the one before ends.
  t.true(server.connections <= 2);
});

test('calls side by side use no more connections than allowed', async (t) => {
  const connection = (url: string) => ({ server: url, credentials: () => ({ headers: {}, tls: {} }) });
  const server = await startServer((_, response) => setImmediate(() => answer(response, 200, pod('p'))));
  const client = createClient({ connection: connection(server.url), connections: 3 });
  t.teardown(async () => {
    await client.close();
    await server.close();
  });
  await Promise.all(Array.from({ length: 20 }, () => client.get(Pod, key)));
  t.is(server.arrivals.length, 20);
  t.is(server.connections, 3);
});

test('a server with a path in its URL gets requests below it', async (t) => {
  const { server, client } = await setUp(t, (_, response) => answer(response, 200, pod('p')));
  const below = createClient({
    connection: { server: `${server.url}/k8s/clusters/c-1/`, credentials: () => ({ headers: {}, tls: {} }) },
  });
  await below.get(Pod, key);
  await below.close();
  await client.get(Pod, key);
  t.deepEqual(
    server.arrivals.map(({ path }) => path),
    ['/k8s/clusters/c-1/api/v1/namespaces/a/pods/p', '/api/v1/namespaces/a/pods/p'],
  );
});

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

test('a read whose connection breaks is sent once more', async (t) => {
  const { server, client } = await setUp(t, (_, response, nth) =>
    nth === 1 ? response.destroy() : answer(response, 200, pod('p')),
  );
  t.is((await client.get(Pod, key)).metadata.name, 'p');
  t.is(server.arrivals.length, 2);
});

test('an answer that breaks off in mid-body is no answer', async (t) => {
  const { client } = await setUp(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"apiVersion":"v1"', () => response.destroy());
  });
  const error = await t.throwsAsync(client.patch(Pod, key, { type: 'merge', value: {} }), {
    instanceOf: UnreachableError,
  });
  t.false(error.notSent);
});

test('an answer that is not JSON is no answer', async (t) => {
  const { client } = await setUp(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html>sign in</html>');
  });
  await t.throwsAsync(client.get(Pod, key), { instanceOf: UnreachableError, message: /no answer \(.*<html>/ });
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
      nth === 1 ? arrived.resolve(() => answer(response, 200, pod('p'))) : answer(response, 200, pod('other')),
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

for (const [code, headers, delay] of [
  [429, { 'retry-after': '2' }, 2_000],
  [429, {}, 1_000],
  [503, { 'retry-after': '3' }, 3_000],
  [503, { 'retry-after': new Date(Date.UTC(2026, 0, 1, 0, 0, 4)).toUTCString() }, 4_000],
] as const)
  test(`a ${code} with ${JSON.stringify(headers)} is tried again after ${delay} ms`, async (t) => {
    const clock = createManualClock();
    const { server, client } = await setUp(
      t,
      (_, response, nth) =>
        nth === 1 ? answer(response, code, failure(code, 'Busy'), headers) : answer(response, 201, pod('p')),
      { clock },
    );
    const call = client.create(Pod, { metadata: { namespace: 'a', name: 'p' } });
    while (server.arrivals.length === 0 || clock.pending < 2) await clock.advance(0);
    await clock.advance(delay - 1);
    t.is(server.arrivals.length, 1);
    await clock.advance(1);
    t.is((await call).metadata.name, 'p');
    t.is(server.arrivals.length, 2);
  });

test('a 503 without Retry-After and a 500 are not tried again, since a write may have been carried out', async (t) => {
  const { server, client } = await setUp(t, (_, response, nth) => answer(response, nth === 1 ? 503 : 500, {}));
  await t.throwsAsync(client.delete(Pod, key), { instanceOf: ApiError });
  await t.throwsAsync(client.delete(Pod, key), { instanceOf: ApiError });
  t.is(server.arrivals.length, 2);
});

test('a server that stays busy is asked six times in all', async (t) => {
  const { server, client } = await setUp(t, (_, response) =>
    answer(response, 429, failure(429, 'TooManyRequests'), { 'retry-after': '0' }),
  );
  const error = await t.throwsAsync(client.get(Pod, key), { instanceOf: ApiError });
  t.is(error.retryAfter, 0);
  t.is(server.arrivals.length, 6);
});

test('a Retry-After beyond the deadline fails at once and says how long to wait', async (t) => {
  const { server, client } = await setUp(t, (_, response) =>
    answer(response, 429, failure(429, 'TooManyRequests', 'too many'), { 'retry-after': '60' }),
  );
  const error = await t.throwsAsync(client.get(Pod, key), { instanceOf: ApiError, message: 'too many' });
  t.is(error.retryAfter, 60_000);
  t.is(server.arrivals.length, 1);
});

test('a 401 asks for new credentials and sends again, once', async (t) => {
  const tokens: boolean[] = [];
  const { server } = await setUp(t, ({ headers }, response) =>
    headers.authorization === 'Bearer new'
      ? answer(response, 201, pod('p'))
      : answer(response, 401, failure(401, 'Unauthorized')),
  );
  const withTokens = (fresh: string) =>
    createClient({
      connection: {
        server: server.url,
        credentials: ({ renew }) => {
          tokens.push(renew);
          return { headers: { authorization: `Bearer ${renew ? fresh : 'old'}` }, tls: {} };
        },
      },
    });
  const rotated = withTokens('new');
  t.is((await rotated.create(Pod, { metadata: { namespace: 'a', name: 'p' } })).metadata.name, 'p');
  t.deepEqual(tokens, [false, true]);
  const revoked = withTokens('old');
  await t.throwsAsync(revoked.get(Pod, key), { instanceOf: ForbiddenError });
  t.is(server.arrivals.length, 4);
  await Promise.all([rotated.close(), revoked.close()]);
});

test('new TLS credentials make new connections, the old ones end when their calls do', async (t) => {
  let tls = {};
  const held = Promise.withResolvers<() => void>();
  const { server } = await setUp(t, (_, response, nth) =>
    nth === 1 ? held.resolve(() => answer(response, 200, pod('first'))) : answer(response, 200, pod('second')),
  );
  const client = createClient({ connection: { server: server.url, credentials: () => ({ headers: {}, tls }) } });
  const first = client.get(Pod, key);
  const finish = await held.promise;
  tls = { servername: 'rotated' };
  t.is((await client.get(Pod, key)).metadata.name, 'second');
  finish();
  t.is((await first).metadata.name, 'first');
  t.deepEqual(
    server.arrivals.map(({ connection }) => connection),
    [1, 2],
  );
  await client.close();
});

test('errors come by reason, with the Status and what was asked', async (t) => {
  const { client } = await setUp(t, (_, response, nth) =>
    nth === 1
      ? answer(response, 404, {
          ...failure(404, 'NotFound', 'pods "p" not found'),
          details: { name: 'p', kind: 'pods' },
        })
      : answer(response, 409, failure(409, 'Conflict', 'changed')),
  );
  const error = await t.throwsAsync(client.get(Pod, key), { instanceOf: NotFoundError });
  t.is(error.message, 'pods "p" not found');
  t.is(error.status.details?.name, 'p');
  t.is(error.request.path, '/api/v1/namespaces/a/pods/p');
  await t.throwsAsync(client.patch(Pod, key, { type: 'merge', value: {} }), { instanceOf: ConflictError });
});

test('close ends what is under way', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const { client } = await setUp(t, () => arrived.resolve(), { clock: systemClock });
  const failed = t.throwsAsync(client.delete(Pod, key), { instanceOf: UnreachableError });
  await arrived.promise;
  await client.close();
  await failed;
});
