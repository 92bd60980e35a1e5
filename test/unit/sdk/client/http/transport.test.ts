import test from 'ava';
import { Pod } from '../../../../../sdk/api/kinds.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { ApiError, ConflictError, ForbiddenError, NotFoundError, UnreachableError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { answer, failure, podNamed, refuse, setUp, startServer } from '../scripted-server.ts';

const key = { namespace: 'a', name: 'p' };

test('a server with a path in its URL gets requests below it', async (t) => {
  const { server, client } = await setUp(t, (_, response) => answer(response, 200, podNamed('p')));
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

test('a read whose connection breaks is sent once more', async (t) => {
  const { server, client } = await setUp(t, (_, response, nth) =>
    nth === 1 ? response.destroy() : answer(response, 200, podNamed('p')),
  );
  t.is((await client.get(Pod, key)).metadata.name, 'p');
  t.is(server.arrivals.length, 2);
});

test('an answer that is not JSON is not an answer', async (t) => {
  const { client } = await setUp(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html>sign in</html>');
  });
  await t.throwsAsync(client.get(Pod, key), { instanceOf: UnreachableError, message: /no answer \(.*<html>/ });
});

for (const [code, retryAfter, delay] of [
  [429, '2', 2_000],
  [429, undefined, 1_000],
  [503, '3', 3_000],
  [503, new Date(Date.UTC(2026, 0, 1, 0, 0, 4)).toUTCString(), 4_000],
] as const)
  test(`a ${code} with Retry-After ${retryAfter} is tried again after ${delay} ms`, async (t) => {
    const clock = createManualClock();
    const { server, client } = await setUp(
      t,
      (_, response, nth) => (nth === 1 ? refuse(response, code, retryAfter) : answer(response, 201, podNamed('p'))),
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
  const clock = createManualClock();
  const { server, client } = await setUp(t, (_, response) => refuse(response, 429, '0'), { clock });
  const failing = t.throwsAsync(client.get(Pod, key), { instanceOf: ApiError });
  for (let asked = 1; asked < 6; asked += 1) {
    while (server.arrivals.length < asked || clock.pending < 2) await clock.advance(0);
    await clock.advance(1_000);
  }
  t.is((await failing).retryAfter, 1_000);
  t.is(server.arrivals.length, 6);
});

test('a Retry-After beyond the deadline fails at once and says how long to wait', async (t) => {
  const { server, client } = await setUp(t, (_, response) => refuse(response, 429, '60'));
  const error = await t.throwsAsync(client.get(Pod, key), { instanceOf: ApiError, message: 'too busy' });
  t.is(error.retryAfter, 60_000);
  t.is(server.arrivals.length, 1);
});

test('a 401 asks for new credentials and sends again, once', async (t) => {
  const tokens: boolean[] = [];
  const { server } = await setUp(t, ({ headers }, response) =>
    headers.authorization === 'Bearer new'
      ? answer(response, 201, podNamed('p'))
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

test('a redirect is a refusal that says where it leads: of a call, a deletion and a watch', async (t) => {
  const elsewhere = await startServer((_, response) => answer(response, 200, podNamed('p')));
  t.teardown(() => elsewhere.close());
  const { client } = await setUp(t, (_, response) =>
    response.writeHead(307, { location: `${elsewhere.url}/login?token=x` }).end('{}'),
  );
  const refused = {
    instanceOf: ApiError,
    message: `HTTP 307: it leads to ${elsewhere.url}/login, and redirects are not followed`,
  };
  await t.throwsAsync(client.get(Pod, { namespace: 'a', name: 'p' }), refused);
  await t.throwsAsync(client.delete(Pod, { namespace: 'a', name: 'p' }), refused);
  await t.throwsAsync(client.watch(Pod)[Symbol.asyncIterator]().next(), refused);
  t.deepEqual(elsewhere.arrivals, []);
});
