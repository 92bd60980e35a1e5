import test from 'ava';
import { ConfigMap } from '../../../../sdk/api/kinds.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import { GiveUpError, RetryError, StaleError } from '../../../../sdk/errors.ts';
import { stepper } from '../../../../sdk/reconcile/okt/stepper.ts';
import { done, requeueAfter } from '../../../../sdk/reconcile/reconciler.ts';
import { successCondition } from '../../../../sdk/reconcile/status.ts';
import { manageError, manageSuccess } from '../../../../sdk/reconcile/success-condition.ts';
import { createManualClock } from '../../../cluster/apimachinery/clock/manual-clock.ts';
import { map } from './fixtures/a-keeper.ts';
import { Parent, theParents } from './fixtures/a-parent.ts';

const hour = 3_600_000;

/** A parent with given results of its runs; the usual managers keep its status. */
async function managed(condition: string = successCondition) {
  const world = await theParents();
  const clock = createManualClock();
  await world.create('a');
  let end: Error | undefined;
  const reconcile = stepper<Parent>(
    {
      Updater({ results }) {
        if (end instanceof GiveUpError) results.addGiveupError('CRSemanticError', { error: end });
        else if (end !== undefined) throw end;
        results.addOpSuccess('None');
      },
      ErrorManager: manageError,
      SuccessManager: manageSuccess,
    },
    { condition },
  );
  return {
    ...world,
    clock,
    succeeding: () => world.condition(condition),
    async run(error?: Error) {
      end = error;
      world.writes.length = 0;
      return world.run(reconcile, 'a', { clock });
    },
    async delayAfter(error: Error, by: Clock = clock) {
      end = error;
      world.writes.length = 0;
      const thrown: unknown = await world.run(reconcile, 'a', { clock: by }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      return thrown instanceof RetryError ? thrown.retryAfter : undefined;
    },
  };
}

test('OKT-13: the same failure again doubles the delay, up to 6 h, and is not written again; another one begins anew', async (t) => {
  const { clock, delayAfter, succeeding, writes } = await managed();
  const no = new Error('no');
  t.is(await delayAfter(no), undefined, 'the first failure is the retry policy’s');
  const first = await succeeding();
  t.like(first, { status: 'False', reason: 'Failed', message: 'no' });
  t.is(first?.lastTransitionTime, '2026-01-01T00:00:00Z');

  const delays: (number | undefined)[] = [];
  let wait = 2000;
  for (let turn = 0; turn < 15; turn += 1) {
    await clock.advance(wait);
    wait = (await delayAfter(no))!;
    delays.push(wait);
    t.deepEqual(writes, []);
  }
  t.deepEqual(delays.slice(0, 4), [2000, 4000, 8000, 16_000]);
  t.is(delays.at(-1), 6 * hour);
  t.deepEqual(await succeeding(), first);

  t.is(await delayAfter(new Error('something else')), undefined);
  t.is((await succeeding())?.lastTransitionTime, `${new Date(clock.now()).toISOString().slice(0, 19)}Z`);
});

test('a wall clock that goes back does not have a failure tried each second for as long', async (t) => {
  const { clock, delayAfter } = await managed();
  await clock.advance(3 * hour);
  await delayAfter(new Error('no'));
  const back = { ...clock, now: () => clock.now() - 2 * hour };
  t.is(await delayAfter(new Error('no'), back), 2 * hour);
});

test('the condition is Ready, as of every model; or that of OKT, where asked', async (t) => {
  t.is(successCondition, 'Ready');
  const reconcile = stepper<Parent>({ SuccessManager: manageSuccess });
  const world = await theParents();
  await world.create('a');
  await world.run(reconcile);
  t.like(await world.condition('Ready'), { status: 'True', reason: 'Success' });
  const okt = await managed('ReconciliationSuccess');
  await okt.delayAfter(new Error('no'));
  t.like(await okt.succeeding(), { status: 'False', reason: 'Failed' });
  await okt.run();
  t.like(await okt.succeeding(), { status: 'True', reason: 'Success' });
});

test('a new generation begins anew', async (t) => {
  const { clock, client, key, delayAfter, succeeding } = await managed();
  await delayAfter(new Error('no'));
  await client.patch(Parent, key('a'), { type: 'merge', value: { spec: { size: 2 } } });
  await clock.advance(5000);
  t.is(await delayAfter(new Error('no')), undefined);
  t.like(await succeeding(), { observedGeneration: 2, lastTransitionTime: '2026-01-01T00:00:05Z' });
});

test('OKT-c11: success is written once for each generation, with that generation', async (t) => {
  const { run, writes, succeeding } = await managed();
  t.deepEqual(await run(), done);
  t.deepEqual(writes, ['patch parents/a/status']);
  t.like(await succeeding(), { status: 'True', reason: 'Success', message: 'None: 1', observedGeneration: 1 });
  await run();
  t.deepEqual(writes, []);
});

test('an alarm is written as such, and success after it', async (t) => {
  const { run, writes, succeeding } = await managed();
  const alarm = new GiveUpError('no image');
  await t.throwsAsync(run(alarm), { is: alarm });
  t.like(await succeeding(), { status: 'False', reason: 'GivenUp', message: 'no image' });
  await t.throwsAsync(run(alarm), { is: alarm });
  t.deepEqual(writes, []);
  await run();
  t.like(await succeeding(), { status: 'True', reason: 'Success' });
});

test('OKT-c5: without an error, or after a race, there is nothing to manage', async (t) => {
  const { run, writes, succeeding } = await managed();
  const stale = new StaleError('changed');
  await t.throwsAsync(run(stale), { is: stale });
  t.deepEqual(writes, []);
  t.is(await succeeding(), undefined);
  const world = await theParents();
  await world.create('a');
  t.deepEqual(await world.run(stepper<Parent>({ CRChecker: manageError })), done);
});

test('a status that cannot be written is tried again after 5 s, and is not a failure', async (t) => {
  const { client, create, run } = await theParents();
  await create('a');
  const refusing = Object.assign(Object.create(client) as typeof client, {
    patch: () => Promise.reject(new Error('refused')),
  });
  const reconcile = stepper<Parent>({ SuccessManager: manageSuccess });
  t.deepEqual(await run(reconcile, 'a', { client: refusing }), { requeueAfter: 5000 });
});

test('OKT-12: while creations are delayed the condition says Waiting, also where it said Success before', async (t) => {
  const { create, run, condition } = await theParents([ConfigMap]);
  await create('a');
  const wanting = (...names: readonly string[]) =>
    stepper<Parent>({
      ObjectsGetter: ({ resources }) => names.forEach((name) => void resources.register(map(name, '1'))),
      Mutator: ({ resources }) => resources.mutateAll(),
      Updater: ({ resources }) => resources.createOrUpdateAll({ maxCreation: 1 }),
      SuccessManager: manageSuccess,
    });
  const [success, waiting] = [
    { status: 'True', reason: 'Success' },
    { status: 'False', reason: 'Waiting' },
  ];
  t.deepEqual(await run(wanting('one', 'two')), requeueAfter(4000));
  t.like(await condition('Ready'), { ...waiting, message: 'CreateDelayed: 1' });
  t.deepEqual(await run(wanting('one', 'two')), done);
  t.like(await condition('Ready'), success);
  await run(wanting('one', 'two', 'three', 'four', 'five'));
  t.like(await condition('Ready'), { ...waiting, message: 'CreateDelayed: 2' });
});
