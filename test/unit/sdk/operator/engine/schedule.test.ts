import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { ConflictError, GiveUpError } from '../../../../../sdk/errors.ts';
import { done } from '../../../../../sdk/reconcile/reconciler.ts';
import { exponentialBackoff } from '../../../../../sdk/retry.ts';
import { aConfigMap, controlled, theServer } from '../controlled.ts';

test('retries what failed by the policy, counting attempts, until it goes well', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
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
  await server.apply(aConfigMap('a'));
  const { log, controller } = controlled(server, async ({ object }) => {
    if (object?.data?.x === undefined) throw new GiveUpError('x is missing');
    return done;
  });
  await server.clock.advance(3_600_000);
  t.deepEqual(log(), ['created a']);
  t.like(controller.health(), { givenUp: 1, failing: 1 });
  await server.apply(aConfigMap('a', { x: '1' }));
  await server.clock.advance(0);
  t.deepEqual(log(), ['created a', 'updated a']);
  t.like(controller.health(), { givenUp: 1, failing: 0 });
});

test('giving up drops a retry that was still to come', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const { runs, controller } = controlled(
    server,
    async ({ cause }) => {
      if (cause === 'created') throw new Error('for now');
      throw new GiveUpError('for good');
    },
    { retry: () => 5000 },
  );
  await server.clock.advance(1000);
  await server.client.patch(ConfigMap, server.key('a'), { type: 'merge', value: { metadata: { labels: { a: 'b' } } } });
  await server.clock.advance(60_000);
  t.deepEqual(
    runs.map(({ cause, attempt }) => [cause, attempt]),
    [
      ['created', 0],
      ['updated', 1],
    ],
  );
  t.is(controller.health().givenUp, 1);
});

test('conflicts run again at once but never become a hot loop', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const status = { kind: 'Status', apiVersion: 'v1', code: 409, reason: 'Conflict' } as const;
  const { runs } = controlled(server, async () => {
    throw new ConflictError(status, { method: 'PUT', path: '/', server: '' });
  });
  await server.clock.advance(0);
  t.is(runs.length, 4, 'the first and three at once');
  await server.clock.advance(10_000);
  t.true(runs.length < 25, `${runs.length} runs in 10 s`);
});

test('a reconciler that always asks for no delay is not a hot loop either', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const { runs } = controlled(server, async () => (runs.length < 1_000 ? { requeueAfter: 0 } : done));
  await server.clock.advance(20);
  t.true(runs.length > 2 && runs.length <= 21, `${runs.length} runs in 20 ms`);
});

test('hands state from run to run, and honours requeueAfter once', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
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

test('a state without a wish to run again is handed on to no run', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const { runs } = controlled(server, async () => ({ state: { n: 1 } }));
  await server.clock.advance(100);
  await server.apply(aConfigMap('a', { x: '1' }));
  await server.clock.advance(100);
  t.deepEqual(
    runs.map(({ state }) => state),
    [undefined, undefined],
  );
});

test('a resync does not cancel a retry, nor lose its attempt and state', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
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
  await server.apply({ ...aConfigMap('a'), metadata: { ...server.key('a'), finalizers: ['test.io/held'] } });
  const { runs } = controlled(
    server,
    async ({ object }) => {
      if (object?.metadata.deletionTimestamp === undefined) throw new Error('no');
      return done;
    },
    { retry: () => 60_000 },
  );
  await server.clock.advance(1000);
  await server.client.delete(ConfigMap, server.key('a'));
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
  await server.apply(aConfigMap('a'));
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
  await server.client.delete(ConfigMap, server.key('a'));
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

test('a retry policy that throws stops nothing', async (t) => {
  const server = await theServer();
  await server.apply(aConfigMap('a'));
  const retry = () => {
    throw new Error('a bug');
  };
  const { runs } = controlled(server, () => Promise.reject(new Error('no')), { retry });
  await server.clock.advance(1500);
  t.is(runs.length, 2);
});

test('keeps nothing of objects that are gone', async (t) => {
  const server = await theServer();
  const { controller, runs } = controlled(server, async ({ object }) => {
    if (object === undefined) throw new GiveUpError('too late');
    return { state: { much: 'data' } };
  });
  await server.clock.advance(0);
  for (let i = 0; i < 20; i += 1) await server.apply(aConfigMap(`a${i}`));
  await server.clock.advance(0);
  for (let i = 0; i < 20; i += 1) await server.client.delete(ConfigMap, server.key(`a${i}`));
  await server.clock.advance(0);
  t.is(runs.length, 40);
  t.like(controller.health(), { failing: 0, givenUp: 20, queue: { ready: 0, delayed: 0, held: 0, running: 0 } });
});
