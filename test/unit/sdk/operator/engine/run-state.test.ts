import test from 'ava';
import {
  afterRun,
  initialRunState,
  isInitialRunState,
  nextScheduledRun,
  strongerCause,
  supersedes,
  withEvent,
  withOutcome,
  withoutPendingRuns,
} from '../../../../../sdk/operator/engine/run-state.ts';
import type { Cause } from '../../../../../sdk/reconcile/reconciler.ts';
import { aConfigMap } from '../controlled.ts';

const causes: readonly (readonly [Cause | undefined, Cause, Cause])[] = [
  [undefined, 'resync', 'resync'],
  ['resync', 'updated', 'updated'],
  ['updated', 'resync', 'updated'],
  ['updated', 'requeue', 'updated'],
  ['created', 'updated', 'created'],
  ['created', 'deleted', 'deleted'],
  ['deleted', 'created', 'created'],
  ['deleted', 'updated', 'deleted'],
];
for (const [known, next, expected] of causes)
  test(`${known ?? 'nothing'} and then ${next} are ${expected}`, (t) => {
    t.is(strongerCause(known, next), expected);
  });

const anObject = (metadata: object) => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'a', generation: 1, ...metadata },
});
const updated = (before: object, after: object) =>
  ({ type: 'updated', key: 'a', object: anObject(after), previous: anObject(before) }) as const;

test('a new spec and the wish to delete make older plans void, a label or a status does not', (t) => {
  t.true(supersedes(updated({}, { generation: 2 })));
  t.true(supersedes(updated({}, { deletionTimestamp: 'now' })));
  t.true(supersedes({ type: 'added', key: 'a', object: anObject({}) }));
  t.true(supersedes({ type: 'deleted', key: 'a', object: anObject({}) }));
  t.false(supersedes(updated({}, { labels: { a: 'b' }, resourceVersion: '7' })));
});

test('remembers failures until a run goes well, and state as long as runs ask for the next one or fail', (t) => {
  const error = { error: new Error('no') };
  t.true(
    isInitialRunState(withOutcome(initialRunState, { result: { state: { n: 1 } } }, false)),
    'a state alone is not kept',
  );
  const once = withOutcome(initialRunState, { result: { requeueAfter: 5, state: { n: 1 } } }, false);
  t.deepEqual(once.state, { n: 1 });
  t.deepEqual(withOutcome(once, { result: { requeueAfter: 5 } }, false).state, { n: 1 }, 'what says nothing hands on');
  const failed = withOutcome(withOutcome(once, error, false), error, false);
  t.like(failed, { attempt: 2, state: { n: 1 }, delayed: 'retry' });
  t.like(
    withOutcome(failed, { result: {} }, true),
    { attempt: 2, state: { n: 1 } },
    'while the retry is still to come',
  );
  t.true(isInitialRunState(withOutcome(failed, { result: {} }, false)));
});

test('starts afresh but for the reason to run', (t) => {
  const old = { ...initialRunState, cause: 'updated', attempt: 3, state: { n: 1 }, epoch: 4 } as const;
  t.deepEqual(withoutPendingRuns(old), { ...initialRunState, cause: 'updated', epoch: 5 });
});

test('the end of an object is due before what happens to the next of its name, once, and a life that was not reported is left out', (t) => {
  const [old, next] = [aConfigMap('a', { x: 'old' }), aConfigMap('a', { x: 'next' })];
  const made = withEvent(withEvent(initialRunState, { action: 'deleted', object: old }), {
    action: 'created',
    object: next,
  });
  const previousDeletion = nextScheduledRun(made, next)!;
  t.like(previousDeletion.run, { cause: 'deleted', object: undefined, event: { action: 'deleted', object: old } });
  t.like(nextScheduledRun(previousDeletion.memory, next)!.run, { object: next, event: { action: 'created' } });
  const failed = afterRun(previousDeletion.memory, previousDeletion, {
    settled: { error: new Error('no') },
    isOver: false,
  });
  t.like(nextScheduledRun(failed, next)!.run, { cause: 'retry', event: { action: 'deleted', object: old } });
  const waits = afterRun(previousDeletion.memory, previousDeletion, {
    settled: { result: { requeueAfter: 5 } },
    isOver: false,
  });
  t.like(nextScheduledRun(waits, next)!.run, { cause: 'requeue', event: { action: 'deleted', object: old } });
  t.is(
    afterRun(previousDeletion.memory, previousDeletion, { settled: { error: new Error('no') }, isOver: true })
      .previousDeletion,
    undefined,
    'given up',
  );
  const gone = withEvent(made, { action: 'deleted', object: next });
  t.is(gone.event, undefined);
  const third = withEvent(gone, { action: 'created', object: next });
  t.like(third, { previousDeletion: { event: { object: old } }, event: { action: 'created' } });
});
