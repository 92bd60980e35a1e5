import test from 'ava';
import { GiveUpError } from '../../../../../sdk/errors.ts';
import { finalizer } from '../../../../../sdk/reconcile/finalizer.ts';
import { type OrderedPhase, phases } from '../../../../../sdk/reconcile/operator-sdk-extra/phases.ts';
import { done, type Reconciler, requeueAfter } from '../../../../../sdk/reconcile/reconciler.ts';
import { finalizerName, type Parent, theParents } from '../fixtures/a-parent.ts';

type Hooks = Partial<Omit<OrderedPhase<Parent>, 'name'>>;

/** Phases A, B and C; the test defines B. */
function threePhases(b: Hooks, hooks: Omit<Parameters<typeof phases<Parent>>[0], 'phases'> = {}) {
  const calls: string[] = [];
  const phase = (name: string, more: Hooks = {}): OrderedPhase<Parent> => ({
    name,
    ...more,
    reconcile: async (request) => {
      calls.push(name);
      return more.reconcile?.(request) ?? done;
    },
  });
  const reconcile = phases<Parent>({
    finalizer: finalizerName,
    status: { fields: ['isOnError', 'lastErrorMessage', 'phase'] },
    phases: [phase('A'), phase('B', b), phase('C')],
    async onSuccess() {
      calls.push('onSuccess');
    },
    ...hooks,
  });
  return { calls, reconcile };
}

const failing: Reconciler<Parent> = () => Promise.reject(new Error('no room'));

test('SDKX-c8: phases run in order, each has its condition, and the whole is ready after the last', async (t) => {
  const { create, run, condition, read, writes } = await theParents();
  const { reconcile, calls } = threePhases({});
  await create('a');
  writes.length = 0;
  t.deepEqual(await run(reconcile), done);
  t.deepEqual(calls, ['A', 'B', 'C', 'onSuccess']);
  for (const name of ['AReady', 'BReady', 'CReady'])
    t.like(await condition(name), { status: 'True', reason: 'Success', observedGeneration: 1 });
  t.like(await condition('Ready'), { status: 'True', reason: 'Success', observedGeneration: 1 });
  t.is((await read()).status?.phase, 'running');
  t.is(writes.length, 1);
  await run(reconcile);
  t.is(writes.length, 1);
});

test('SDKX-9: a phase’s own onSuccess is called when the phase is through, not while it waits; what it asks for ends the pass', async (t) => {
  const { create, run } = await theParents();
  const ends = [requeueAfter(9), done, done];
  const asks = [requeueAfter(7), done];
  const told: string[] = [];
  const { reconcile, calls } = threePhases({
    reconcile: async () => ends.shift() ?? done,
    async onSuccess({ key }) {
      told.push(key.name);
      return asks.shift();
    },
  });
  await create('a');
  t.deepEqual(await run(reconcile), requeueAfter(9));
  t.deepEqual(told, []);
  t.deepEqual(await run(reconcile), requeueAfter(7));
  t.deepEqual([told, calls], [['a'], ['A', 'B', 'A', 'B']]);
  t.deepEqual(await run(reconcile), done);
  t.deepEqual(
    [told, calls.slice(4)],
    [
      ['a', 'a'],
      ['A', 'B', 'C', 'onSuccess'],
    ],
  );
});

test('SDKX-8: no phase runs while the object is being deleted; clean-ups do, in reverse order', async (t) => {
  const { create, remove, run, read } = await theParents();
  const cleaned: string[] = [];
  const calls: string[] = [];
  const phase = (name: string): OrderedPhase<Parent> => ({
    name,
    reconcile: async () => {
      calls.push(name);
      return done;
    },
    cleanUp: async () => {
      cleaned.push(name);
      return done;
    },
  });
  const reconcile = phases<Parent>({ finalizer: finalizerName, phases: [phase('A'), phase('B')] });
  await create('a');
  await remove();
  await run(reconcile);
  t.deepEqual([cleaned, calls], [['B', 'A'], []]);
  await t.throwsAsync(read(), { name: 'NotFoundError' });
});

test('SDKX-9: a phase that asks to come back ends the pass', async (t) => {
  const { create, run, condition } = await theParents();
  const { reconcile, calls } = threePhases({ reconcile: async () => requeueAfter(9) });
  await create('a');
  t.deepEqual(await run(reconcile), requeueAfter(9));
  t.deepEqual(calls, ['A', 'B']);
  t.like(await condition('AReady'), { status: 'True' });
  t.like(await condition('BReady'), { status: 'False', reason: 'Waiting' });
  t.is(await condition('CReady'), undefined);
  t.like(await condition('Ready'), { status: 'False', message: 'waiting for phase B' });
});

test('SDKX-10: with a failure that its phase swallows the next one runs', async (t) => {
  const { create, run, condition, events } = await theParents();
  const { reconcile, calls } = threePhases({ reconcile: failing, onError: async () => done });
  await create('a');
  t.deepEqual(await run(reconcile), done);
  t.deepEqual(calls, ['A', 'B', 'C', 'onSuccess']);
  t.like(await condition('BReady'), { status: 'False', reason: 'Failed', message: 'no room' });
  t.deepEqual(events, ['Warning ReconcilerStepActionError: phase B: no room']);
});

test('SDKX-10, SDKX-c7: a failure that stands is the whole pass’s: told once, with the phase’s name, in both conditions', async (t) => {
  const { create, run, condition, events, read, writes } = await theParents();
  const told: string[] = [];
  const { reconcile, calls } = threePhases(
    { reconcile: failing, onError: async () => void told.push('phase') },
    { onError: async (_context, _error, step) => void told.push(step) },
  );
  await create('a');
  writes.length = 0;
  await t.throwsAsync(run(reconcile), { message: 'no room' });
  t.deepEqual(calls, ['A', 'B']);
  t.deepEqual(told, ['phase', 'phase B']);
  t.deepEqual(events, ['Warning ReconcilerStepActionError: phase B: no room']);
  t.like(await condition('BReady'), { status: 'False', reason: 'Failed' });
  t.like(await condition('Ready'), { status: 'False', reason: 'Failed', message: 'phase B: no room' });
  t.like((await read()).status, { isOnError: true, lastErrorMessage: 'phase B: no room' });
  t.is(writes.length, 1);
});

test('SDKX-c8: a success takes back what a failure said', async (t) => {
  const { create, run, read } = await theParents();
  const ends: (() => Promise<never>)[] = [() => failing(undefined as never) as Promise<never>];
  const { reconcile } = threePhases({ reconcile: async () => ends.pop()?.() ?? done });
  await create('a');
  await t.throwsAsync(run(reconcile));
  await run(reconcile);
  const { status } = await read();
  t.is(status?.isOnError, false);
  t.is(status?.lastErrorMessage, undefined);
});

test('SDKX-c8: what was ready is not while it waits', async (t) => {
  const { create, run, condition } = await theParents();
  const ends = [done, requeueAfter(9)];
  const { reconcile } = threePhases({ reconcile: async () => ends.shift() ?? done });
  await create('a');
  for (const [status, reason] of [
    ['True', 'Success'],
    ['False', 'Waiting'],
    ['True', 'Success'],
  ]) {
    await run(reconcile);
    t.like(await condition('Ready'), { status, reason });
  }
});

test('the reason tells a failure that is given up from one that is tried again', async (t) => {
  const { create, run, condition } = await theParents();
  const ends = [new GiveUpError('no image'), new Error('no room')];
  const { reconcile } = threePhases({ reconcile: () => Promise.reject(ends.shift()) });
  await create('a');
  for (const reason of ['GivenUp', 'Failed']) {
    await t.throwsAsync(run(reconcile));
    t.like(await condition('BReady'), { status: 'False', reason });
    t.like(await condition('Ready'), { status: 'False', reason });
  }
});

test('SDKX-c4: a status that cannot be written fails the pass', async (t) => {
  const { create, run, client } = await theParents();
  const refusing = new Proxy(client, {
    get: (target, member: keyof typeof client) =>
      member === 'patch' ? () => Promise.reject(new Error('refused')) : target[member],
  });
  await create('a');
  await t.throwsAsync(run(threePhases({}).reconcile, 'a', { client: refusing }), { message: 'refused' });
});

test('phases that cannot be told apart, and none at all, are refused', (t) => {
  const phase: OrderedPhase<Parent> = { name: 'A', reconcile: async () => done };
  t.throws(() => phases<Parent>({ phases: [phase, phase] }), { message: 'phases: two are called A' });
  t.throws(() => phases<Parent>({ phases: [] }), { message: 'phases: at least one phase is expected, found none' });
});

test('SDKX-8: without a finalizer there is nothing to clean up, regardless of other finalizers', async (t) => {
  const { create, remove, run } = await theParents();
  const cleaned: string[] = [];
  const cleanUp: Reconciler<Parent> = async () => {
    cleaned.push('A');
    return done;
  };
  const reconcile = phases<Parent>({ phases: [{ name: 'A', reconcile: async () => done, cleanUp }] });
  await create('a', { finalizers: [finalizerName, 'example.com/other'] });
  await remove();
  t.deepEqual(await run(reconcile), done);
  t.deepEqual(cleaned, []);
  await run(finalizer(finalizerName, reconcile));
  t.deepEqual(cleaned, ['A'], 'one that is kept around it counts');
});
