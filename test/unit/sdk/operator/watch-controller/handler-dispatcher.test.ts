import test from 'ava';
import { GiveUpError, RetryError } from '../../../../../sdk/errors.ts';
import { simple } from '../../../../../sdk/reconcile/grafana-app-sdk/simple.ts';
import type { Result, State } from '../../../../../sdk/reconcile/reconciler.ts';
import { theWidgets, type Widget, watching } from '../a-widget.ts';
import { until } from '../controlled.ts';

test('GRAF-T6: a failure that says when is tried again then, with its state, and no policy is asked', async (t) => {
  const server = await theWidgets();
  const retry = () => t.fail('the policy was asked') as never;
  const { controller, run, failures } = await watching(server, { retry });
  const seen: [number, State | undefined][] = [];
  controller.addReconciler<Widget>(async ({ state }) => {
    seen.push([server.clock.monotonic(), state]);
    if (seen.length === 1) throw new RetryError('not yet', { retryAfter: 100, state: { a: 1 } });
    return {};
  }, 'foo');
  void run();
  await server.create('a');
  await server.clock.advance(60_000);
  t.is(seen.length, 2);
  t.is(seen[1]![0] - seen[0]![0], 100);
  t.deepEqual(seen[1]![1], { a: 1 });
  t.is(failures.length, 1, 'it is reported all the same');
});

test('GRAF-T7, GRAF-c6: each run hands its state to the next, failed ones too', async (t) => {
  const server = await theWidgets();
  const { controller, run } = await watching(server);
  const ends: (Result | Error)[] = [
    { requeueAfter: 10, state: { n: 1 } },
    { requeueAfter: 10, state: { n: 2 } },
    new RetryError('no', { state: { n: 3 } }),
    {},
  ];
  const seen: (State | undefined)[] = [];
  const about: unknown[] = [];
  controller.addReconciler<Widget>(
    simple<Widget>(async ({ state, action, attempt, cause }) => {
      seen.push(state);
      about.push(`${action} ${cause} ${attempt}`);
      const end = ends.shift()!;
      if (end instanceof Error) throw end;
      return end;
    }),
    'foo',
  );
  void run();
  await server.create('a');
  await server.clock.advance(60_000);
  t.deepEqual(seen, [undefined, { n: 1 }, { n: 2 }, { n: 3 }]);
  t.deepEqual(about, ['created created 0', 'created requeue 0', 'created requeue 0', 'created retry 1']);
  await server.resize('a', 2);
  await server.clock.advance(10);
  t.is(seen.length, 4 + 1);
  t.is(seen[4], undefined, 'state ends with its chain');
});

test('GRAF-T9, GRAF-c17: retries and events of one object never run side by side, others are not held up, and a retry that fails after a newer spec came does not come back', async (t) => {
  const server = await theWidgets();
  const { controller, run, pending } = await watching(server);
  const log: string[] = [];
  let active = 0;
  let most = 0;
  controller.addReconciler<Widget>(async ({ key, object, attempt, cause }) => {
    if (key.name === 'a') active += 1;
    most = Math.max(most, active);
    log.push(`${cause} ${key.name}${object?.spec.size}`);
    if (cause === 'retry') await server.clock.sleep(1000);
    if (key.name === 'a') active -= 1;
    if (key.name === 'a' && object?.spec.size === 2) throw new Error(`attempt ${attempt}`);
    return {};
  }, 'foo');
  void run();
  await server.create('a');
  await server.create('b');
  await until(server.clock, () => log.length === 2);
  await server.resize('a', 2);
  await server.clock.advance(5100);
  t.deepEqual(log.slice(2), ['updated a2', 'retry a2'], 'the retry is in flight');
  await server.resize('a', 3);
  await server.resize('b', 3);
  await server.clock.advance(100);
  t.deepEqual(log.slice(4), ['updated b3'], 'b runs, a waits');
  await server.clock.advance(1000);
  t.deepEqual(log.slice(5), ['updated a3']);
  await server.clock.advance(600_000);
  t.deepEqual(log.slice(6), [], 'the retry of the old spec did not come back');
  t.is(most, 1);
  t.is(pending(), 0);
});

test('GRAF-T10, GRAF-c7: a hundred objects that fail at once are all tried again within their delay and a second, by all ten workers', async (t) => {
  const server = await theWidgets();
  const { controller, run } = await watching(server, { workers: 10 });
  let first = 0;
  const retried: number[] = [];
  controller.addWatcher<Widget>(
    {
      add: async (_, { attempt }) => {
        if (attempt === 0) {
          first = server.clock.monotonic();
          throw new Error('all at once');
        }
        await server.clock.sleep(100);
        retried.push(server.clock.monotonic());
      },
    },
    'foo',
  );
  for (let i = 0; i < 100; i += 1) await server.create(`w${i}`);
  void run();
  await server.clock.advance(7000);
  t.is(retried.length, 100);
  t.true(retried.at(-1)! - first <= 6100, `took ${retried.at(-1)! - first} ms`);
});

test('GRAF-c15: a policy or an error handler that throws stops nothing, and what gives up is not tried again', async (t) => {
  const server = await theWidgets();
  const broken = () => {
    throw new Error('a bug');
  };
  const { controller, run } = await watching(server, {
    retry: broken,
    retryDequeuePolicy: broken,
    errorHandler: broken,
  });
  const log: string[] = [];
  controller.addReconciler<Widget>(async ({ key, object, attempt }) => {
    log.push(`${key.name}${object?.spec.size}`);
    if (key.name === 'b') throw new GiveUpError('never');
    if (attempt === 0) throw new Error('no');
    return {};
  }, 'foo');
  void run();
  await server.create('a');
  await server.create('b');
  await until(server.clock, () => log.length === 2);
  await server.resize('a', 2);
  await server.clock.advance(600_000);
  // The retry of the creation is kept beside that of the update, as the default policy prescribes.
  t.deepEqual(log.toSorted(), ['a1', 'a2', 'a2', 'a2', 'b1']);
  t.is(controller.health().givenUp, 1);
});

test('handlers find the stores of the controller, and events go to its sink', async (t) => {
  const server = await theWidgets();
  const reported: string[] = [];
  const events = { event: (...[, type, reason]: readonly unknown[]) => void reported.push(`${type} ${reason}`) };
  const { controller, widgets, run } = await watching(server, { events });
  const stored: number[] = [];
  controller.addReconciler<Widget>(async (request) => {
    stored.push(request.stored(request.kind).size);
    request.events.event(request.object!, 'Normal', 'Seen', 'it is there');
    return {};
  }, 'foo');
  void run();
  await server.create('a');
  await until(server.clock, () => stored.length === 1);
  t.deepEqual([stored, reported], [[1], ['Normal Seen']]);
  t.is(controller.storeOf(widgets).get(server.key('a'))?.spec.size, 1);
});

test('an observer that throws ends neither the process nor what comes after', async (t) => {
  const server = await theWidgets();
  let isBroken = true;
  const observer = {
    async call(_: unknown, work: () => Promise<never>) {
      if (isBroken) throw new Error('a bug of the observer');
      return work();
    },
  };
  const { controller, run } = await watching(server, { observer });
  const seen: (number | undefined)[] = [];
  controller.addReconciler<Widget>(async ({ object }) => {
    seen.push(object?.spec.size);
    return {};
  }, 'foo');
  void run();
  await server.create('a');
  await server.clock.advance(100);
  isBroken = false;
  await server.resize('a', 2);
  await server.clock.advance(100);
  t.deepEqual(seen, [2]);
});
