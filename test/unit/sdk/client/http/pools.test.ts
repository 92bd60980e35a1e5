import test from 'ava';
import { Pod } from '../../../../../sdk/api/kinds.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { UnreachableError } from '../../../../../sdk/errors.ts';
import { answer, podNamed, setUp, startServer } from '../scripted-server.ts';

const key = { namespace: 'a', name: 'p' };

test('calls after one another share a connection', async (t) => {
  const { server, client } = await setUp(t, (_, response) => answer(response, 200, podNamed('p')));
  for (let call = 0; call < 5; call += 1) await client.get(Pod, key);
  // undici may open a second connection when a call follows in the very turn in which the previous one ends.
  t.true(server.connections <= 2);
});

test('calls side by side use no more connections than allowed', async (t) => {
  const connection = (url: string) => ({ server: url, credentials: () => ({ headers: {}, tls: {} }) });
  const server = await startServer((_, response) => setImmediate(() => answer(response, 200, podNamed('p'))));
  const client = createClient({ connection: connection(server.url), connections: 3 });
  t.teardown(async () => {
    await client.close();
    await server.close();
  });
  await Promise.all(Array.from({ length: 20 }, () => client.get(Pod, key)));
  t.is(server.arrivals.length, 20);
  t.is(server.connections, 3);
});

test('new TLS credentials make new connections, the old ones end when their calls do', async (t) => {
  let tls = {};
  const held = Promise.withResolvers<() => void>();
  const { server } = await setUp(t, (_, response, nth) =>
    nth === 1
      ? held.resolve(() => answer(response, 200, podNamed('first')))
      : answer(response, 200, podNamed('second')),
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

test('after a call without an answer no connection from before it is used again', async (t) => {
  let silent = 0; // connections up to this number never answer any more
  const { server, client } = await setUp(t, ({ connection }, response) => {
    if (connection > silent) setImmediate(() => answer(response, 200, podNamed('p')));
  });
  await Promise.all(Array.from({ length: 4 }, () => client.get(Pod, key)));
  silent = server.connections;
  t.is(silent, 4);
  await t.throwsAsync(client.get(Pod, key, { deadline: 300 }), { instanceOf: UnreachableError });
  t.is((await client.get(Pod, key, { deadline: 300 })).metadata.name, 'p');
});

test('a call without an answer ends no other call', async (t) => {
  const late = Promise.withResolvers<() => void>();
  const { client } = await setUp(t, (_, response, nth) => {
    if (nth === 1) late.resolve(() => answer(response, 200, podNamed('late')));
    else if (nth > 2) answer(response, 200, podNamed('p'));
  });
  const slow = client.get(Pod, key);
  const finish = await late.promise;
  await t.throwsAsync(client.get(Pod, key, { deadline: 100 }), { instanceOf: UnreachableError });
  await client.get(Pod, key);
  finish();
  t.is((await slow).metadata.name, 'late');
});

test('close ends what is under way', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const { client } = await setUp(t, () => arrived.resolve());
  const failed = t.throwsAsync(client.delete(Pod, key), { instanceOf: UnreachableError });
  await arrived.promise;
  await client.close();
  await failed;
});
