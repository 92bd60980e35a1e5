import test from 'ava';
import { dequeueAll } from '../../../../../sdk/operator/engine/retry-dequeue.ts';
import { informer } from '../../../../../sdk/operator/watch-controller/informer.ts';
import { createWatchController } from '../../../../../sdk/operator/watch-controller/watch-controller.ts';
import { exponentialBackoff } from '../../../../../sdk/retry.ts';
import { theWidgets, Widget, watching } from '../a-widget.ts';
import { until } from '../controlled.ts';

test('GRAF-T1: watchers come first, then reconcilers, one after the other, and one that fails stops no other', async (t) => {
  const server = await theWidgets();
  const { controller, failures, run, pending } = await watching(server);
  const log: string[] = [];
  const step =
    (name: string, takes = 0) =>
    async () => {
      log.push(`${name} begins`);
      if (takes > 0) await server.clock.sleep(takes);
      log.push(`${name} ends`);
      if (name === 'W1') throw new Error('W1 is broken');
      return {};
    };
  const add = (name: string, takes?: number) => ({ add: async () => void (await step(name, takes)()) });
  controller.addReconciler(step('R1'), 'foo');
  controller.addWatcher(add('W1'), 'foo');
  controller.addWatcher(add('W2', 50), 'foo');
  controller.addReconciler(step('R2'), 'foo');
  void run();
  await server.create('a');
  await server.clock.advance(60);
  t.deepEqual(
    log,
    ['W1', 'W2', 'R1', 'R2'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  t.like(failures, [{ message: 'W1 is broken', type: 'watcher', action: 'created', attempt: 0, retryAfter: 5000 }]);
  t.is(failures.length, 1);
  t.is(pending(), 1);
  await server.clock.advance(5000);
  t.deepEqual(log.slice(8), ['W1 begins', 'W1 ends'], 'only W1 is tried again');
});

test('GRAF-T2, GRAF-c6: what always fails is called seven times, 0, 5, 15, 35, 75, 155 and 315 s after the first, and the last failure is told to be the last', async (t) => {
  const policy = exponentialBackoff({ initialDelay: 5000, maxDelay: Infinity, retries: 6, jitter: 0 });
  const delays = [0, 1, 2, 3, 4, 5, 6].map((attempt) => policy(undefined, attempt));
  t.deepEqual(delays, [5000, 10_000, 20_000, 40_000, 80_000, 160_000, undefined]);

  const server = await theWidgets();
  const { controller, failures, run, pending } = await watching(server);
  const calls: number[] = [];
  controller.addWatcher(
    {
      add: () => {
        calls.push(server.clock.monotonic());
        throw new Error('always');
      },
    },
    'foo',
  );
  void run();
  await server.create('a');
  await until(server.clock, () => calls.length === 1);
  await server.clock.advance(600_000);
  const first = calls[0]!;
  t.deepEqual(
    calls.map((at) => (at - first) / 1000),
    [0, 5, 15, 35, 75, 155, 315],
  );
  t.deepEqual(
    failures.flatMap((failure) => (failure.type === 'watcher' ? [failure.retryAfter] : [])),
    [5000, 10_000, 20_000, 40_000, 80_000, 160_000, undefined],
  );
  t.is(pending(), 0);
  t.like(controller.health(), { givenUp: 1, failing: 0 });
});

test('GRAF-T3: what fails once and then goes well is called twice, and nothing is left to be tried', async (t) => {
  const server = await theWidgets();
  const { controller, run, pending } = await watching(server);
  let calls = 0;
  const add = () => {
    calls += 1;
    if (calls === 1) throw new Error('once');
  };
  controller.addWatcher({ add }, 'foo');
  void run();
  await server.create('a');
  await server.clock.advance(600_000);
  t.deepEqual([calls, pending(), controller.health().failing], [2, 0, 0]);
});

test('GRAF-T4: a policy that drops all drops the retries of this object and leaves those of others', async (t) => {
  const server = await theWidgets();
  const { controller, run } = await watching(server, { retryDequeuePolicy: dequeueAll });
  const log: string[] = [];
  controller.addWatcher<Widget>(
    {
      add: ({ metadata }) => {
        log.push(`add ${metadata.name}`);
        throw new Error('no');
      },
      update: (_, { metadata }) => void log.push(`update ${metadata.name}`),
    },
    'foo',
  );
  void run();
  for (const name of ['a', 'b']) await server.create(name);
  await until(server.clock, () => log.length === 2);
  await server.label('a', { x: 'y' });
  await server.clock.advance(5000);
  t.deepEqual(log, ['add a', 'add b', 'update a', 'add b']);
});

test('GRAF-c9: removing one watcher leaves the retries of the others', async (t) => {
  const server = await theWidgets();
  const { controller, run } = await watching(server);
  const log: string[] = [];
  const failing = (name: string) => ({
    add: () => {
      log.push(name);
      throw new Error(name);
    },
  });
  const [one, two] = [failing('one'), failing('two')];
  controller.addWatcher(one, 'foo');
  controller.addWatcher(two, 'foo');
  void run();
  await server.create('a');
  await until(server.clock, () => log.length === 2);
  controller.removeWatcher(one, 'foo');
  controller.removeWatcher(one, 'foo');
  await server.clock.advance(5000);
  t.deepEqual(log, ['one', 'two', 'two']);
  controller.removeAllWatchersForResource('foo');
  await server.clock.advance(600_000);
  t.is(log.length, 3);
});

test('GRAF-c12: what handlers are given cannot be written into, however deep', async (t) => {
  const server = await theWidgets();
  const { controller, run } = await watching(server);
  const attempts: unknown[] = [];
  controller.addWatcher<Widget>(
    {
      add: (object) => {
        for (const write of [
          () => Object.assign(object.metadata, { finalizers: [] }),
          () => Object.assign(object.spec, { size: 9 }),
        ])
          attempts.push(t.throws(write, { instanceOf: TypeError }));
      },
    },
    'foo',
  );
  void run();
  await server.create('a');
  await until(server.clock, () => attempts.length === 2);
});

test('GRAF-T20: all reconcilers of a kind go at once, with their retries, and those of other kinds stay', async (t) => {
  const server = await theWidgets();
  const { controller, widgets, run, pending } = await watching(server);
  controller.addInformer(widgets, 'bar');
  const log: string[] = [];
  const failing = (name: string) => async () => {
    log.push(name);
    throw new Error(name);
  };
  controller.addReconciler(failing('one'), 'foo');
  controller.addReconciler(failing('two'), 'foo');
  controller.addReconciler(failing('other'), 'bar');
  void run();
  await server.create('a');
  await until(server.clock, () => log.length === 3);
  controller.removeAllReconcilersForResource('foo');
  controller.removeAllReconcilersForResource('nobody');
  await server.clock.advance(5000);
  t.deepEqual(log.toSorted(), ['one', 'other', 'other', 'two']);
  await server.resize('a', 2);
  await until(server.clock, () => log.length === 5);
  t.is(log.at(-1), 'other');
  t.is(pending(), 1);
});

test('GRAF-T20: waiting for the first lists ends when they are there, and fails when the controller stops before', async (t) => {
  const server = await theWidgets();
  await server.create('a');
  const { controller, widgets, run } = await watching(server);
  let isSynced = false;
  const waiting = controller.synced.then(() => {
    isSynced = true;
  });
  await server.clock.advance(100);
  t.false(isSynced, 'no list has come yet');
  void run();
  await until(server.clock, () => isSynced);
  await waiting;
  t.is(controller.storeOf(widgets).size, 1);
  const stopped = await watching(server);
  const never = stopped.controller.synced;
  stopped.stop.abort(new Error('enough'));
  stopped.controller.run(stopped.stop.signal).catch(() => undefined);
  await t.throwsAsync(never);
});

test('GRAF-c6: without an error handler the logger is told of every failure, and of the last as an error', async (t) => {
  const server = await theWidgets();
  const said: unknown[] = [];
  const say = (level: string) => (about: { err?: Error }, text: string) =>
    void (about.err && said.push([level, text, about.err.message]));
  const logger = {
    child: () => logger,
    warn: say('warn'),
    error: say('error'),
    info: say('info'),
    debug: say('debug'),
  };
  const { client, clock, namespace } = server;
  const controller = createWatchController({
    client,
    clock,
    random: () => 0,
    retry: (_, attempt) => (attempt === 0 ? 1000 : undefined),
    logger: logger as never,
  });
  controller.addInformer(informer(Widget, { selection: { namespace } }), 'foo');
  controller.addReconciler(() => Promise.reject(new Error('no')), 'foo');
  controller.run(new AbortController().signal).catch(() => undefined);
  await server.create('a');
  await until(clock, () => said.length === 1);
  await clock.advance(1000);
  t.deepEqual(said, [
    ['warn', 'reconciler failed', 'no'],
    ['error', 'reconciler failed, giving up', 'no'],
  ]);
});
