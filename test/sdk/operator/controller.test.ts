import test from 'ava';
import { ConfigMap, Secret } from '../../../sdk/api/kinds.ts';
import { ownerReferenceTo } from '../../../sdk/api/object.ts';
import { ConflictError, GiveUpError } from '../../../sdk/errors.ts';
import { createController, DrainError } from '../../../sdk/operator/controller.ts';
import type { ControllerOptions } from '../../../sdk/operator/controller-options.ts';
import { exponentialBackoff } from '../../../sdk/operator/retry.ts';
import { watched } from '../../../sdk/operator/source.ts';
import { done } from '../../../sdk/reconcile/reconciler.ts';
import { aConfigMap, controlled, inDefault, theServer, until } from './controlled.ts';

test('runs for what is there at the start and for every change after it', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const seen: (string | undefined)[] = [];
  const { log, controller } = controlled(server, async ({ object }) => {
    seen.push(object?.data?.x);
    return done;
  });
  await server.clock.advance(0);
  await controller.synced;
  await server.cluster.apply(aConfigMap('a', { x: '1' }));
  await server.clock.advance(0);
  await server.cluster.apply(aConfigMap('b', { x: '2' }));
  await server.clock.advance(0);
  await server.client.delete(ConfigMap, inDefault('a'));
  await server.clock.advance(0);
  t.deepEqual(log(), ['created a', 'updated a', 'created b', 'deleted a']);
  t.deepEqual(seen, [undefined, '1', '2', undefined]);
  t.like(controller.health(), { synced: true, runs: 4, failures: 0, failing: 0, name: 'configmaps' });
  t.is(controller.store.size, 1);
});

test('a run never sees an object older than its own last write, and others run meanwhile', async (t) => {
  const server = await theServer();
  for (const name of ['a', 'b']) await server.cluster.apply(aConfigMap(name, { count: '0' }));
  /** Keeps watch events back until let through, so that the store lags behind. */
  const backlog: (() => void)[] = [];
  let lagging = false;
  server.cluster.intercept(async (request, next) => {
    const response = await next(request);
    const { stream } = response;
    if (stream === undefined) return response;
    return {
      ...response,
      stream: (sink) =>
        stream({
          write: (chunk) => (lagging ? void backlog.push(() => sink.write(chunk)) : sink.write(chunk)),
          end: () => sink.end(),
        }),
    };
  });
  const counts: string[] = [];
  const { controller } = controlled(server, async ({ key, object }, self) => {
    counts.push(`${key.name}${object?.data?.count}`);
    const count = Number(object?.data?.count);
    if (key.name !== 'a' || count >= 2) return done;
    lagging = true;
    await self.client.patch(ConfigMap, key, { type: 'merge', value: { data: { count: String(count + 1) } } });
    self.enqueue(key);
    return done;
  });
  await until(server.clock, () => controller.health().queue.held === 1);
  t.deepEqual(counts, ['a0', 'b0']);
  controller.enqueue(inDefault('b'));
  await server.clock.advance(0);
  t.deepEqual(counts, ['a0', 'b0', 'b0'], 'b does not');
  lagging = false;
  for (const send of backlog.splice(0)) send();
  await server.clock.advance(0);
  for (const send of backlog.splice(0)) send();
  await server.clock.advance(0);
  t.deepEqual(counts, ['a0', 'b0', 'b0', 'a1', 'a2']);
  t.like(controller.health().ownWrites, { waiting: 0, overdue: 0 });
});

test('a lost watch event holds a key for five seconds and no longer, and health says so', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  server.cluster.intercept(async (request, next) => {
    const response = await next(request);
    const { stream } = response;
    if (stream === undefined) return response;
    let lines = 0;
    return {
      ...response,
      stream: (sink) =>
        stream({ write: (chunk) => (lines++ === 0 ? sink.write(chunk) : undefined), end: () => sink.end() }),
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

test('retries what failed by the policy, counting attempts, until it goes well', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const { runs, controller } = controlled(
    server,
    async ({ attempt }) => {
      if (attempt < 3) throw new Error('not yet');
      return done;
    },
    { retry: exponentialBackoff({ initialDelay: 1000, jitter: 0 }) },
  );
  await server.clock.advance(60_000);
  t.deepEqual(
    runs.map(({ cause, attempt, at }) => ({ cause, attempt, at })),
    [
      { cause: 'created', attempt: 0, at: 0 },
      { cause: 'retry', attempt: 1, at: 1000 },
      { cause: 'retry', attempt: 2, at: 3000 },
      { cause: 'retry', attempt: 3, at: 7000 },
    ],
  );
  t.like(controller.health(), { failures: 3, failing: 0, givenUp: 0 });
});

test('gives up on demand until something changes', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const { log, controller } = controlled(server, async ({ object }) => {
    if (object?.data?.x === undefined) throw new GiveUpError('x is missing');
    return done;
  });
  await server.clock.advance(3_600_000);
  t.deepEqual(log(), ['created a']);
  t.like(controller.health(), { givenUp: 1, failing: 1 });
  await server.cluster.apply(aConfigMap('a', { x: '1' }));
  await server.clock.advance(0);
  t.deepEqual(log(), ['created a', 'updated a']);
  t.like(controller.health(), { givenUp: 1, failing: 0 });
});

test('conflicts run again at once but never become a hot loop', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const status = { kind: 'Status', apiVersion: 'v1', code: 409, reason: 'Conflict' } as const;
  const { runs } = controlled(server, async () => {
    throw new ConflictError(status, { method: 'PUT', path: '/', server: '' });
  });
  await server.clock.advance(0);
  t.is(runs.length, 4, 'the first and three at once');
  await server.clock.advance(10_000);
  t.true(runs.length < 25, `${runs.length} runs in 10 s`);
});

test('hands state from run to run, and honours requeueAfter once', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const { runs } = controlled(server, async ({ state }) => {
    const n = Number(state?.n ?? 0);
    return n < 3 ? { requeueAfter: 100, state: { n: n + 1 } } : done;
  });
  await server.clock.advance(10_000);
  t.deepEqual(
    runs.map(({ cause, state, at }) => [cause, state?.n, at]),
    [
      ['created', undefined, 0],
      ['requeue', 1, 100],
      ['requeue', 2, 200],
      ['requeue', 3, 300],
    ],
  );
});

test('a resync does not cancel a retry, nor lose its attempt and state', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const { runs } = controlled(
    server,
    async ({ cause }) => {
      if (cause === 'created') return { requeueAfter: 60_000, state: { job: 7 } };
      if (cause === 'resync') return done;
      if (runs.filter((run) => run.cause === 'requeue').length === 1) throw new Error('fails once');
      return done;
    },
    { resyncInterval: 25_000, retry: () => 40_000 },
  );
  await server.clock.advance(120_000);
  t.deepEqual(
    runs
      .filter(({ cause }) => cause !== 'resync')
      .map(({ cause, attempt, state, at }) => [cause, attempt, state?.job, at]),
    [
      ['created', 0, undefined, 0],
      ['requeue', 0, 7, 60_000],
      ['retry', 1, 7, 100_000],
    ],
  );
  t.is(runs.filter(({ cause }) => cause === 'resync').length, 4);
});

test('a deletion makes pending retries void and starts afresh', async (t) => {
  const server = await theServer();
  await server.cluster.apply({ ...aConfigMap('a'), metadata: { ...inDefault('a'), finalizers: ['test.io/held'] } });
  const { runs } = controlled(
    server,
    async ({ object }) => {
      if (object?.metadata.deletionTimestamp === undefined) throw new Error('no');
      return done;
    },
    { retry: () => 60_000 },
  );
  await server.clock.advance(1000);
  await server.client.delete(ConfigMap, inDefault('a'));
  await server.clock.advance(600_000);
  t.deepEqual(
    runs.map(({ cause, attempt, at }) => [cause, attempt, at]),
    [
      ['created', 0, 0],
      ['updated', 0, 1000],
    ],
  );
});

test('a failure of an old state does not replace the run for a newer one', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const gate = Promise.withResolvers<void>();
  const { runs } = controlled(
    server,
    async ({ cause }) => {
      if (cause !== 'created') return done;
      await gate.promise;
      throw new Error('about the old one');
    },
    { retry: () => 5000 },
  );
  await server.clock.advance(0);
  await server.client.delete(ConfigMap, inDefault('a'));
  await server.clock.advance(0);
  t.is(runs.length, 1, 'one run at a time');
  gate.resolve();
  await server.clock.advance(60_000);
  t.deepEqual(
    runs.map(({ cause, attempt }) => [cause, attempt]),
    [
      ['created', 0],
      ['deleted', 0],
    ],
  );
});

test('an owned object’s change runs its owner, and its writes are waited for too', async (t) => {
  const server = await theServer();
  const owner = (await server.cluster.apply(aConfigMap('a'))) as unknown as ConfigMap;
  const secret = (name: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...inDefault(name), ownerReferences: [ownerReferenceTo(owner)] },
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
  await server.cluster.apply(secret('a-2'));
  await until(server.clock, () => secrets.length === 3);
  await server.client.delete(Secret, inDefault('a-1'));
  await until(server.clock, () => secrets.length === 4);
  t.deepEqual(secrets, [0, 1, 2, 1]);
  t.deepEqual(log(), ['created a', 'updated a', 'updated a', 'updated a']);
  t.throws(() => controller.storeOf({ ...Secret, plural: 'pods' }), { message: /does not follow pods/ });
});

test('a watched kind runs whom its map names, before and after the change; what is not there does not run', async (t) => {
  const server = await theServer();
  for (const name of ['a', 'b']) await server.cluster.apply(aConfigMap(name));
  const secret = (target: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...inDefault('s'), labels: { target } },
  });
  const map = ({ metadata }: Secret) => [inDefault(metadata.labels?.target ?? '')];
  const { log, runs } = controlled(server, async () => done, { watches: [watched({ kind: Secret, map })] });
  await server.clock.advance(0);
  runs.length = 0;
  await server.cluster.apply(secret('a'));
  await server.clock.advance(0);
  await server.cluster.apply(secret('b'));
  await server.clock.advance(0);
  await server.cluster.apply(secret('nobody'));
  await server.clock.advance(0);
  t.deepEqual(log(), ['updated a', 'updated b', 'updated a', 'updated b']);
});

test('a map that throws stops nothing', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const map = () => {
    throw new Error('a bug');
  };
  const { log, controller } = controlled(server, async () => done, { watches: [watched({ kind: Secret, map })] });
  await server.cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: inDefault('s') } as never);
  await server.clock.advance(0);
  t.deepEqual(log(), ['created a']);
  t.is(controller.storeOf(Secret).size, 1);
});

test('a retry policy that throws stops nothing', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const retry = () => {
    throw new Error('a bug');
  };
  const { runs } = controlled(server, () => Promise.reject(new Error('no')), { retry });
  await server.clock.advance(1500);
  t.is(runs.length, 2);
});

test('a result that makes no sense counts as a failure', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const { controller, runs } = controlled(server, async () => ({ requeueAfter: Number.NaN }), {
    retry: () => undefined,
  });
  await server.clock.advance(60_000);
  t.is(runs.length, 1);
  t.like(controller.health(), { failures: 1, givenUp: 1 });
});

test('aborts the signal of a run that takes too long', async (t) => {
  const server = await theServer();
  await server.cluster.apply(aConfigMap('a'));
  const reasons: unknown[] = [];
  controlled(
    server,
    async ({ signal }) => {
      await server.clock.sleep(1_000_000, signal).catch((reason) => reasons.push(reason.message));
      return done;
    },
    { deadline: 30_000 },
  );
  await server.clock.advance(30_000);
  t.deepEqual(reasons, ['the run took longer than 30000 ms']);
});

test('stops after the runs that are on, and starts no others', async (t) => {
  const server = await theServer();
  for (const name of ['a', 'b']) await server.cluster.apply(aConfigMap(name));
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
  for (const name of ['polite', 'rude']) await server.cluster.apply(aConfigMap(name));
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
  t.deepEqual(error?.keys, ['default/rude']);
});

test('stops before it ever was in sync, too', async (t) => {
  const server = await theServer();
  server.cluster.intercept(async () => {
    throw new Error('nobody there');
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

test('refuses options that are unknown or make no sense', async (t) => {
  const { client } = await theServer();
  const good: ControllerOptions<ConfigMap> = { client, kind: ConfigMap, reconciler: async () => done };
  const refused = (options: object, message: RegExp) =>
    t.throws(() => createController({ ...good, ...options }), { instanceOf: TypeError, message });
  refused({ worker: 3 }, /controller configmaps: worker is no option; known are client/);
  refused({ workers: 0 }, /workers must be a whole number of at least 1, found 0/);
  refused({ deadline: -1 }, /deadline must be more than 0 ms, found -1/);
  refused({ drain: Number.NaN }, /drain must be 0 ms or more/);
  refused({ reconciler: undefined }, /reconciler is missing/);
});

test('keeps nothing of objects that are gone', async (t) => {
  const server = await theServer();
  const { controller, runs } = controlled(server, async ({ object }) => {
    if (object === undefined) throw new GiveUpError('too late');
    return { state: { much: 'data' } };
  });
  await server.clock.advance(0);
  for (let i = 0; i < 20; i += 1) await server.cluster.apply(aConfigMap(`a${i}`));
  await server.clock.advance(0);
  for (let i = 0; i < 20; i += 1) await server.client.delete(ConfigMap, inDefault(`a${i}`));
  await server.clock.advance(0);
  t.is(runs.length, 40);
  t.like(controller.health(), { failing: 0, givenUp: 20, queue: { ready: 0, delayed: 0, held: 0, running: 0 } });
});
