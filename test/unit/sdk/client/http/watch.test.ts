import type { ServerResponse } from 'node:http';
import test from 'ava';
import { Pod } from '../../../../../sdk/api/kinds.ts';
import type { Client, WatchEvent, WatchOptions } from '../../../../../sdk/client/client.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { ApiError, ExpiredError, ForbiddenError, UnreachableError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { answer, failure, podNamed, setUp } from '../scripted-server.ts';

const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const added = (name: string) => line('ADDED', podNamed(name));
const bookmark = (resourceVersion: string, annotations = {}) =>
  line('BOOKMARK', { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion, annotations } });

const begin = (response: ServerResponse): ServerResponse => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  return response;
};

const nameOf = (event: WatchEvent<Pod>): string =>
  event.type === 'BOOKMARK' ? event.resourceVersion : `${event.type} ${event.object.metadata.name}`;

async function namesOf(client: Client, options: WatchOptions = {}): Promise<string[]> {
  const names: string[] = [];
  for await (const event of client.watch(Pod, options)) names.push(nameOf(event));
  return names;
}

test('a watch tells what the server says, in order, and ends when the server ends it', async (t) => {
  const { server, client } = await setUp(t, (_, response) => {
    const text = added('a') + line('MODIFIED', podNamed('a')) + bookmark('9') + line('DELETED', podNamed('a'));
    begin(response).end(text);
  });
  const names = await namesOf(client, {
    namespace: 'a',
    labels: 'x in (y)',
    fields: 'metadata.name=a',
    resourceVersion: '7',
    timeoutSeconds: 60,
  });
  t.deepEqual(names, ['ADDED a', 'MODIFIED a', '9', 'DELETED a']);
  t.is(
    server.arrivals[0]?.path,
    '/api/v1/namespaces/a/pods?watch=true&allowWatchBookmarks=true&resourceVersion=7&labelSelector=x%20in%20(y)&fieldSelector=metadata.name%3Da&timeoutSeconds=60',
  );
});

test('a streaming list asks for it, and its bookmark says where the initial objects end', async (t) => {
  const { server, client } = await setUp(t, (_, response) =>
    begin(response).end(added('a') + bookmark('9', { 'k8s.io/initial-events-end': 'true' }) + bookmark('10')),
  );
  const ends: boolean[] = [];
  for await (const event of client.watch(Pod, { sendInitialEvents: true }))
    if (event.type === 'BOOKMARK') ends.push(event.initialEventsEnd);
  t.deepEqual(ends, [true, false]);
  t.regex(server.arrivals[0]?.path ?? '', /sendInitialEvents=true&resourceVersionMatch=NotOlderThan/);
});

test('objects come frozen, without managedFields', async (t) => {
  const { client } = await setUp(t, (_, response) => begin(response).end(added('a')));
  for await (const event of client.watch(Pod)) {
    if (event.type === 'BOOKMARK') return t.fail();
    t.true(Object.isFrozen(event.object.metadata));
    t.false('managedFields' in event.object.metadata);
  }
});

test('lines cut anywhere are put together again', async (t) => {
  const text = Buffer.from(added('grün') + added('b'));
  const { client } = await setUp(t, async (_, response) => {
    begin(response);
    for (const byte of text) await new Promise((resolve) => response.write(Buffer.from([byte]), resolve));
    response.end();
  });
  t.deepEqual(await namesOf(client), ['ADDED grün', 'ADDED b']);
});

test('a line that the caller skips is not parsed', async (t) => {
  const { client } = await setUp(t, (_, response) => begin(response).end(`not JSON\n${added('b')}`));
  t.deepEqual(await namesOf(client, { skip: (bytes) => bytes.toString().startsWith('not') }), ['ADDED b']);
});

test('a version that is too old throws an ExpiredError, as an event or as the answer', async (t) => {
  const { client } = await setUp(t, (_, response, nth) =>
    nth === 1
      ? begin(response).end(added('a') + line('ERROR', failure(410, 'Expired', 'too old')))
      : answer(response, 410, failure(410, 'Expired', 'too old')),
  );
  const seen: string[] = [];
  await t.throwsAsync(
    async () => {
      for await (const event of client.watch(Pod)) seen.push(nameOf(event));
    },
    { instanceOf: ExpiredError, message: 'too old' },
  );
  t.deepEqual(seen, ['ADDED a']);
  await t.throwsAsync(namesOf(client), { instanceOf: ExpiredError });
});

test('other refusals throw by their reason', async (t) => {
  const { client } = await setUp(t, (_, response, nth) =>
    nth === 1
      ? answer(response, 403, failure(403, 'Forbidden', 'may not watch pods'))
      : begin(response).end(line('ERROR', failure(500, 'InternalError', 'etcd is away'))),
  );
  await t.throwsAsync(namesOf(client), { instanceOf: ForbiddenError, message: 'may not watch pods' });
  await t.throwsAsync(namesOf(client), { instanceOf: ApiError, message: 'etcd is away' });
});

test('a connection that breaks, or ends in mid-line, throws an UnreachableError', async (t) => {
  const { client } = await setUp(t, (_, response, nth) => {
    if (nth === 1) begin(response).write(added('a'), () => response.destroy());
    else begin(response).end(added('a').slice(0, 20));
  });
  await t.throwsAsync(namesOf(client), { instanceOf: UnreachableError });
  await t.throwsAsync(namesOf(client), { instanceOf: UnreachableError, message: /mid-line/ });
});

test('a connection that has gone silent counts as dead after the idle timeout', async (t) => {
  const clock = createManualClock();
  const { client } = await setUp(t, (_, response) => begin(response).write(added('a')), { clock });
  const events = client.watch(Pod, { idleTimeout: 10_000 })[Symbol.asyncIterator]();
  await events.next();
  const failed = t.throwsAsync(events.next(), { instanceOf: UnreachableError, message: /no data for 10000 ms/ });
  await clock.advance(10_000);
  await failed;
});

test('a server that does not even answer counts as dead after the idle timeout', async (t) => {
  const clock = createManualClock();
  const arrived = Promise.withResolvers<void>();
  const { client } = await setUp(t, () => arrived.resolve(), { clock });
  const failed = t.throwsAsync(namesOf(client, { idleTimeout: 10_000 }), { instanceOf: UnreachableError });
  await arrived.promise;
  await clock.advance(10_000);
  await failed;
});

test('bookmarks keep a quiet watch alive', async (t) => {
  const clock = createManualClock();
  let held: ServerResponse | undefined;
  const { client } = await setUp(
    t,
    (_, response) => {
      held = begin(response);
      held.write(bookmark('1'));
    },
    { clock },
  );
  const events = client.watch(Pod, { idleTimeout: 10_000 })[Symbol.asyncIterator]();
  await events.next();
  for (const version of ['2', '3', '4']) {
    await clock.advance(9_000);
    const next = events.next();
    held?.write(bookmark(version));
    const { value } = await next;
    t.is(value && nameOf(value), version);
  }
  held?.end();
  t.true((await events.next()).done);
});

test('an abort ends the iteration at once, without an error, and the connection with it', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { client } = await setUp(t, (_, response) => {
    response.on('close', closed.resolve);
    begin(response).write(added('a') + added('b'));
  });
  const abort = new AbortController();
  const seen: string[] = [];
  for await (const event of client.watch(Pod, { signal: abort.signal })) {
    seen.push(nameOf(event));
    abort.abort(new Error('enough'));
  }
  t.deepEqual(seen, ['ADDED a']);
  await closed.promise;
  t.deepEqual(await namesOf(client, { signal: abort.signal }), []);
});

test('a watch that waits ends when it is aborted', async (t) => {
  const { client } = await setUp(t, (_, response) => begin(response).write(added('a')));
  const abort = new AbortController();
  const events = client.watch(Pod, { signal: abort.signal })[Symbol.asyncIterator]();
  await events.next();
  const waiting = events.next();
  abort.abort();
  t.true((await waiting).done);
});

test('leaving the loop closes the connection', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { client } = await setUp(t, (_, response) => {
    response.on('close', closed.resolve);
    begin(response).write(added('a'));
  });
  for await (const _ of client.watch(Pod)) break;
  await closed.promise;
  t.pass();
});

test('watches do not take the connections that calls need', async (t) => {
  const { client } = await setUp(
    t,
    ({ path }, response) =>
      path.includes('watch=true') ? begin(response).write(added('a')) : answer(response, 200, podNamed('p')),
    { connections: 1 },
  );
  const watches = Array.from({ length: 3 }, () => client.watch(Pod)[Symbol.asyncIterator]());
  await Promise.all(watches.map((watch) => watch.next()));
  t.is((await client.get(Pod, { namespace: 'a', name: 'p' })).metadata.name, 'p');
  await Promise.all(watches.map((watch) => watch.return?.()));
});

test('a watch whose credentials never come fails after 30 seconds, so that it is begun again', async (t) => {
  const clock = createManualClock();
  const { server } = await setUp(t, (_, response) => begin(response).end());
  const client = createClient({
    clock,
    connection: { server: server.url, credentials: () => new Promise(() => undefined) },
  });
  t.teardown(() => client.close());
  const failing = t.throwsAsync(namesOf(client), {
    instanceOf: UnreachableError,
    message: /no answer \(no credentials within 30000 ms\)/,
  });
  while (clock.pending === 0) await clock.advance(0);
  await clock.advance(30_000);
  t.true((await failing).notSent);
});

test('a line without an end is not an event: the watch fails, and its connection is closed', async (t) => {
  const closed = Promise.withResolvers<void>();
  const blanks = Buffer.alloc(2 ** 20, ' ');
  const { client } = await setUp(t, async (_, response) => {
    response.on('close', closed.resolve);
    begin(response).write(added('a'));
    while (!response.destroyed)
      if (!response.write(blanks))
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  });
  await t.throwsAsync(namesOf(client), { instanceOf: UnreachableError, message: /a line of more than 33554432 bytes/ });
  await closed.promise;
});
