import test from 'ava';
import { ConfigMap, Secret } from '../../../../../sdk/api/kinds.ts';
import { ownerReferenceTo } from '../../../../../sdk/api/object.ts';
import { DrainError } from '../../../../../sdk/operator/engine/drain.ts';
import { watched } from '../../../../../sdk/operator/engine/source.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { aConfigMap, controlled, theServer, until } from '../controlled.ts';

test('runs for what is there at the start and for every change after it', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const seen: (string | undefined)[] = [];
  const { log, controller } = controlled(server, async ({ object }) => {
    seen.push(object?.data?.x);
    return done;
  });
  await server.clock.advance(0);
  await controller.synced;
  await server.apply(aConfigMap('a', { x: '1' }));
  await server.clock.advance(0);
  await server.apply(aConfigMap('b', { x: '2' }));
  await server.clock.advance(0);
  await server.client.delete(ConfigMap, server.key('a'));
  await server.clock.advance(0);
  t.deepEqual(log(), ['created a', 'updated a', 'created b', 'deleted a']);
  t.deepEqual(seen, [undefined, '1', '2', undefined]);
  t.like(controller.health(), { synced: true, runs: 4, failures: 0, failing: 0, name: 'configmaps' });
  t.is(controller.store.size, 1);
});

test('a lost watch event holds a key for five seconds and no longer, and health says so', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  server.cluster.intercept(async (request, next) => {
    const response = await next(request);
    const { stream } = response;
    if (stream === undefined) return response;
    const isLost = (chunk: Uint8Array) => Buffer.from(chunk).includes('"MODIFIED"');
    return {
      ...response,
      stream: (sink) =>
        stream({ write: (chunk) => (isLost(chunk) ? undefined : sink.write(chunk)), end: () => sink.end() }),
    };
  });
  const { runs, controller } = controlled(server, async ({ key, attempt }, self) => {
    if (runs.length > 1) return done;
    await self.client.patch(ConfigMap, key, { type: 'merge', value: { data: { x: String(attempt) } } });
    self.enqueue(key);
    return done;
  });
  await server.clock.advance(4999);
  t.is(runs.length, 1);
  await server.clock.advance(1);
  t.deepEqual(
    runs.map(({ at }) => at),
    [0, 5000],
  );
  t.deepEqual(controller.health().ownWrites, { waiting: 0, overdue: 1 });
});

test('an owned object’s change runs its owner, and its writes are waited for too', async (t) => {
  const server = await theServer();
  const owner = await server.apply(aConfigMap('a'));
  const secret = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...server.key(name), ownerReferences: [ownerReferenceTo(owner)] },
  });
  const secrets: number[] = [];
  const { controller, log } = controlled(
    server,
    async ({ key }, self) => {
      const known = self.storeOf(Secret).by('owner', owner.metadata.uid as string).length;
      secrets.push(known);
      if (known === 0) await self.client.create(Secret, secret(`${key.name}-1`));
      return done;
    },
    { owns: [Secret] },
  );
  await until(server.clock, () => secrets.length === 2);
  await server.apply(secret('a-2'));
  await until(server.clock, () => secrets.length === 3);
  await server.client.delete(Secret, server.key('a-1'));
  await until(server.clock, () => secrets.length === 4);
  t.deepEqual(secrets, [0, 1, 2, 1]);
  t.deepEqual(log(), ['created a', 'updated a', 'updated a', 'updated a']);
  t.throws(() => controller.storeOf({ ...Secret, plural: 'pods' }), { message: /does not watch pods/ });
});

test('a watched kind runs the objects that its map names, before and after the change; what is not there does not run', async (t) => {
  const server = await theServer();
  for (const name of ['a', 'b']) await server.apply(aConfigMap(name));
  const secret = (target: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...server.key('s'), labels: { target } },
  });
  const map = ({ metadata }: Secret) => [server.key(metadata.labels?.target ?? '')];
  const { log, runs } = controlled(server, async () => done, { watches: [watched({ kind: Secret, map })] });
  await server.clock.advance(0);
  runs.length = 0;
  await server.apply(secret('a'));
  await server.clock.advance(0);
  await server.apply(secret('b'));
  await server.clock.advance(0);
  await server.apply(secret('nobody'));
  await server.clock.advance(0);
  t.deepEqual(log(), ['updated a', 'updated b', 'updated a', 'updated b']);
});

test('a map that throws stops nothing', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const map = () => {
    throw new Error('a bug');
  };
  const { log, controller } = controlled(server, async () => done, { watches: [watched({ kind: Secret, map })] });
  await server.apply({ apiVersion: 'v1', kind: 'Secret', metadata: server.key('s') } as never);
  await server.clock.advance(0);
  t.deepEqual(log(), ['created a']);
  t.truthy(controller.storeOf(Secret).get(server.key('s')));
});

test('stops after the runs that are on, and starts no others', async (t) => {
  const server = await theServer();
  for (const name of ['a', 'b']) await server.apply(aConfigMap(name));
  let finished = 0;
  const { stop, ended, runs } = controlled(
    server,
    async ({ signal }) => {
      await server.clock.sleep(200, signal);
      finished += 1;
      return { requeueAfter: 1 };
    },
    { workers: 1 },
  );
  await server.clock.advance(100);
  stop.abort();
  await server.clock.advance(1000);
  await ended;
  t.deepEqual([runs.length, finished], [1, 1]);
  t.is(server.clock.pending, 0);
});

test('aborts runs that outlast the drain, and names those that do not even end then', async (t) => {
  const server = await theServer();
  for (const name of ['polite', 'rude']) await server.apply(aConfigMap(name));
  const { stop, ended } = controlled(
    server,
    async ({ key, signal }) => {
      if (key.name === 'polite') await server.clock.sleep(1_000_000, signal);
      else await new Promise(() => undefined);
      return done;
    },
    { drain: 3000 },
  );
  await server.clock.advance(0);
  stop.abort();
  await server.clock.advance(4000);
  const error = await t.throwsAsync(ended, { instanceOf: DrainError });
  t.deepEqual(error?.keys, [`${server.namespace}/rude`]);
});

test('stops before it ever was in sync, too', async (t) => {
  const server = await theServer();
  server.cluster.intercept(async () => {
    throw new Error('not there');
  });
  const { stop, ended, controller } = controlled(server, async () => done);
  await server.clock.advance(5000);
  t.false(controller.health().synced);
  t.truthy(controller.health().sources[0]?.lastError);
  stop.abort();
  await server.clock.advance(0);
  await ended;
  await t.throwsAsync(controller.synced);
});

test('runs only once', async (t) => {
  const server = await theServer();
  const { controller } = controlled(server, async () => done);
  await t.throwsAsync(controller.run(new AbortController().signal), { message: /started before/ });
});
