import test from 'ava';
import { ConfigMap } from '../../../../../sdk/api/kinds.ts';
import { GiveUpError, RetryError } from '../../../../../sdk/errors.ts';
import { nextRun } from '../../../../../sdk/operator/engine/next-run.ts';
import { type StepContext, type StepHooks, stepper, steps } from '../../../../../sdk/reconcile/okt/stepper.ts';
import { done, type Result, requeueAfter, stop } from '../../../../../sdk/reconcile/reconciler.ts';
import { requestFor } from '../../../../../sdk/reconcile/request.ts';
import { aServerInVirtualTime } from '../../a-server-in-virtual-time.ts';
import { aConfigMap, controlled, inDefault, until } from '../../operator/controlled.ts';
import { states } from '../nesting/steps.ts';

type Ends = Partial<Record<keyof StepHooks<ConfigMap>, (context: StepContext<ConfigMap>) => Result | void>>;

/** A stepper that records the called hooks and its reported path. */
function stepping(ends: Ends = {}) {
  const calls: string[] = [];
  const paths: unknown[] = [];
  const hooks = Object.fromEntries(
    states.map((name) => [
      name,
      (context: StepContext<ConfigMap>) => {
        calls.push(context.step);
        return ends[name]?.(context);
      },
    ]),
  );
  const warnings: unknown[] = [];
  const logger = {
    debug: (said: { path?: unknown }) => paths.push(said.path),
    warn: (said: { error: Error }) => warnings.push(said.error.message),
  };
  const reconcile = stepper<ConfigMap>(hooks);
  const run = (object: ConfigMap = aConfigMap('a'), signal?: AbortSignal) =>
    reconcile({
      ...requestFor(ConfigMap, object, signal && { signal }),
      logger: logger as never,
    });
  return { calls, paths, warnings, run, reconcile };
}

const failing = (message: string) => () => {
  throw new Error(message);
};
const deleting: ConfigMap = {
  ...aConfigMap('a'),
  metadata: { ...inDefault('a'), deletionTimestamp: '2026-01-01T00:00:00Z' },
};

test('OKT-1: a healthy object goes the whole course, each hook once', async (t) => {
  const { calls, paths, run } = stepping();
  t.deepEqual(await run(), done);
  t.deepEqual(calls, ['CRChecker', 'ObjectsGetter', 'Mutator', 'Updater', 'SuccessManager']);
  t.deepEqual(paths, ['>CRChecker>ObjectsGetter>Mutator>Updater>SuccessManager>End']);
});

test('OKT-2: an error in Mutator leads to ErrorManager past Updater, and is thrown', async (t) => {
  const { calls, paths, run } = stepping({ Mutator: failing('no') });
  await t.throwsAsync(run(), { message: 'no' });
  t.deepEqual(calls, ['CRChecker', 'ObjectsGetter', 'Mutator', 'ErrorManager']);
  t.deepEqual(paths, ['>CRChecker>ObjectsGetter>Mutator>ErrorManager>End']);
});

test('OKT-3: an alarm visits ErrorManager, then GiveupManager, and is what the run fails with, terminally (a GiveUpError, where OKT returned nothing)', async (t) => {
  let errors = 0;
  const { paths, run } = stepping({
    Updater: ({ results }) => results.addGiveupError('ImplementationConcern', { error: new Error('the alarm') }),
    ErrorManager: ({ results }) => {
      results.addOp('StatusUpdateError', { error: new Error('another'), requeueAfter: 5000 });
      errors = results.errors;
    },
  });
  await t.throwsAsync(run(), { instanceOf: GiveUpError, message: 'the alarm' });
  t.deepEqual(paths, ['>CRChecker>ObjectsGetter>Mutator>Updater>ErrorManager>GiveupManager>End']);
  t.is(errors, 2);
});

test('OKT-4: giving up quietly skips ErrorManager and asks for nothing', async (t) => {
  const { calls, paths, run } = stepping({
    ObjectsGetter: ({ results }) => {
      results.addOp('AskRequeue', { requeueAfter: 1000 });
      results.addGiveupError('CRNotReady');
    },
  });
  t.deepEqual(await run(), stop);
  t.deepEqual(calls, ['CRChecker', 'ObjectsGetter']);
  t.deepEqual(paths, ['>CRChecker>ObjectsGetter>GiveupManager>End']);
});

test('OKT-4: giving up in SuccessManager ends the run by GiveupManager, as in any other state', async (t) => {
  const { paths, run } = stepping({ SuccessManager: ({ results }) => results.addGiveupError('None') });
  t.deepEqual(await run(), stop);
  t.deepEqual(paths, ['>CRChecker>ObjectsGetter>Mutator>Updater>SuccessManager>GiveupManager>End']);
});

test('OKT-8: runs at the same time give up for reasons of their own, and none comes back for it', async (t) => {
  const gate = Promise.withResolvers<void>();
  const reconcile = stepper<ConfigMap>({
    CRChecker: () => gate.promise,
    Mutator({ key, results }) {
      if (key.name === 'c') results.addGiveupError('CRNotReady');
      else results.addGiveupError('CRSemanticError', { error: new Error(`no ${key.name}`) });
    },
    ErrorManager: ({ results }) => void results.addOp('CRUDError', { error: new Error('more'), requeueAfter: 5 }),
  });
  const runs = ['a', 'b', 'c'].map((name) => reconcile(requestFor(ConfigMap, aConfigMap(name))));
  gate.resolve();
  const ends = await Promise.allSettled(runs);
  t.deepEqual(
    ends.map((end) => (end.status === 'rejected' ? end.reason.message : end.value)),
    ['no a', 'no b', stop],
  );
  const next = ends.map((end) =>
    nextRun(end.status === 'rejected' ? { error: end.reason } : { result: end.value }, 0, { retry: () => 1000 }),
  );
  t.deepEqual(next, [undefined, undefined, undefined]);
});

test('OKT-6: an object that is gone calls no hook; one that could not be listed is run once it can', async (t) => {
  const { calls, reconcile } = stepping();
  t.deepEqual(await reconcile(requestFor(ConfigMap, inDefault('a'))), done);
  t.deepEqual(calls, []);

  const world = await aServerInVirtualTime();
  await world.client.create(ConfigMap, { metadata: world.key('a') });
  let refusals = 0;
  const undo = world.cluster.intercept(async () => {
    refusals += 1;
    return { status: 500, headers: {}, body: 'out of order' };
  });
  controlled(world, reconcile);
  await until(world.clock, () => refusals > 0);
  await world.clock.advance(10_000);
  t.deepEqual([refusals > 3, calls], [true, []]);
  undo();
  await world.clock.advance(60_000);
  await until(world.clock, () => calls.length === 5);
  t.is(calls.at(-1), 'SuccessManager');
});

test('OKT-c2: an object that is being deleted never goes the normal course, regardless of its finalizers', async (t) => {
  const { calls, paths, run } = stepping();
  t.deepEqual(await run(deleting), done);
  t.deepEqual(calls, ['CRChecker', 'CRFinalizer']);
  t.deepEqual(paths, ['>CRChecker>CRFinalizer>End']);
});

test('an alarm in CRChecker about an object that is being deleted is said, and keeps nothing from being cleaned up; giving up quietly and errors do', async (t) => {
  const alarms: readonly NonNullable<Ends['CRChecker']>[] = [
    ({ results }) => results.addGiveupError('CRSemanticError', { error: new Error('image is empty') }),
    () => {
      throw new GiveUpError('image is empty');
    },
  ];
  for (const CRChecker of alarms) {
    const { calls, warnings, run } = stepping({ CRChecker });
    t.deepEqual(await run(deleting), done);
    t.deepEqual(calls, ['CRChecker', 'CRFinalizer']);
    t.deepEqual(warnings, ['image is empty']);
    await t.throwsAsync(run(), { instanceOf: GiveUpError, message: 'image is empty' });
  }
  const both = stepping({ CRChecker: alarms[0]!, CRFinalizer: failing('not yet') });
  await t.throwsAsync(both.run(deleting), { message: 'not yet' }, 'what the clean-up says counts');
  for (const [CRChecker, path] of [
    [({ results }: StepContext<ConfigMap>) => results.addGiveupError('CRNotReady'), 'CRChecker'],
    [failing('no connection'), 'CRChecker,ErrorManager'],
  ] as const) {
    const { calls, warnings, run } = stepping({ CRChecker });
    await run(deleting).catch(() => undefined);
    t.deepEqual([calls.join(), warnings], [path, []]);
  }
});

test('an error of ErrorManager’s own does not lead back to it, and the first error stays', async (t) => {
  const { calls, run } = stepping({ CRChecker: failing('first'), ErrorManager: failing('second') });
  await t.throwsAsync(run(), { message: 'first' });
  t.deepEqual(calls, ['CRChecker', 'ErrorManager']);
});

test('an error with a delay is thrown with it', async (t) => {
  const { run } = stepping({
    Updater: ({ results }) => void results.addOp('CRUDError', { error: new Error('busy'), requeueAfter: 3000 }),
  });
  t.is((await t.throwsAsync(run(), { instanceOf: RetryError, message: 'busy' }))?.retryAfter, 3000);
});

test('a hook may be any reconciler: what it wishes counts, and its stop skips the rest', async (t) => {
  const { calls, run } = stepping({
    CRChecker: () => requeueAfter(30),
    Mutator: () => ({ requeueAfter: 0, stop: true }),
  });
  t.deepEqual(await run(), { requeueAfter: 0, stop: true });
  t.deepEqual(calls, ['CRChecker', 'ObjectsGetter', 'Mutator']);
});

test('a run whose signal has aborted calls no further hook but ErrorManager', async (t) => {
  const abort = new AbortController();
  const { calls, run } = stepping({ CRChecker: () => abort.abort(new Error('too long')) });
  await t.throwsAsync(run(aConfigMap('a'), abort.signal), { message: 'too long' });
  t.deepEqual(calls, ['CRChecker', 'ErrorManager']);
});

test('OKT-c3: hooks made for a run, and its data, are that run’s alone', async (t) => {
  const seen: unknown[] = [];
  const gate = Promise.withResolvers<void>();
  const reconcile = stepper<ConfigMap>((request) => ({
    CRChecker: ({ data }) => void data.set('name', request.key.name),
    ObjectsGetter: () => gate.promise,
    Updater: ({ data, results }) => void seen.push([request.key.name, data.get('name'), results.operations.length]),
  }));
  const runs = ['a', 'b'].map((name) => reconcile(requestFor(ConfigMap, aConfigMap(name))));
  gate.resolve();
  await Promise.all(runs);
  t.deepEqual(seen, [
    ['a', 'a', 0],
    ['b', 'b', 0],
  ]);
});

test('the graph has no circle', (t) => {
  const longest = (state: keyof typeof steps): number => 1 + Math.max(0, ...steps[state].map(longest));
  t.is(longest('CRChecker'), 8);
});
