import test from 'ava';
import {
  afterRun,
  blank,
  isBlankState,
  nextTurn,
  remember,
  renewed,
  strongerCause,
  supersedes,
  withEvent,
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
  t.true(isBlankState(remember(blank, { result: { state: { n: 1 } } }, false)), 'a state alone is not kept');
  const once = remember(blank, { result: { requeueAfter: 5, state: { n: 1 } } }, false);
  t.deepEqual(once.state, { n: 1 });
  t.deepEqual(remember(once, { result: { requeueAfter: 5 } }, false).state, { n: 1 }, 'what says nothing hands on');
  const failed = remember(remember(once, error, false), error, false);
  t.like(failed, { attempt: 2, state: { n: 1 }, delayed: 'retry' });
  t.like(remember(failed, { result: {} }, true), { attempt: 2, state: { n: 1 } }, 'while the retry is still to come');
  t.true(isBlankState(remember(failed, { result: {} }, false)));
});

test('starts afresh but for the reason to run', (t) => {
  const old = { ...blank, cause: 'updated', attempt: 3, state: { n: 1 }, epoch: 4 } as const;
  t.deepEqual(renewed(old), { ...blank, cause: 'updated', epoch: 5 });
});

test('the end of an object is due before what happens to the next of its name, once, and a life that was not reported is left out', (t) => {
  const [old, next] = [aConfigMap('a', { x: 'old' }), aConfigMap('a', { x: 'next' })];
  const made = withEvent(withEvent(blank, { action: 'deleted', object: old }), { action: 'created', object: next });
  const ended = nextTurn(made, next)!;
  t.like(ended.run, { cause: 'deleted', object: undefined, event: { action: 'deleted', object: old } });
  t.like(nextTurn(ended.memory, next)!.run, { object: next, event: { action: 'created' } });
  const failed = afterRun(ended.memory, ended, { settled: { error: new Error('no') }, isOver: false });
  t.like(nextTurn(failed, next)!.run, { cause: 'retry', event: { action: 'deleted', object: old } });
  const waits = afterRun(ended.memory, ended, { settled: { result: { requeueAfter: 5 } }, isOver: false });
  t.like(nextTurn(waits, next)!.run, { cause: 'requeue', event: { action: 'deleted', object: old } });
  t.is(
    afterRun(ended.memory, ended, { settled: { error: new Error('no') }, isOver: true }).ended,
    undefined,
    'given up',
  );
  const gone = withEvent(made, { action: 'deleted', object: next });
  t.is(gone.event, undefined);
  const third = withEvent(gone, { action: 'created', object: next });
  t.like(third, { ended: { event: { object: old } }, event: { action: 'created' } });
});
