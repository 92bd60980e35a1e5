import test from 'ava';
import { blank, isBlank, remember, renewed, strongerCause, supersedes } from '../../../sdk/operator/memory.ts';
import type { Cause } from '../../../sdk/reconcile/reconciler.ts';

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

test('remembers failures until a run goes well, and state until a run without one', (t) => {
  const error = { error: new Error('no') };
  const once = remember(blank, { result: { state: { n: 1 } } }, false);
  t.deepEqual(once.state, { n: 1 });
  const failed = remember(remember(once, error, false), error, false);
  t.like(failed, { attempt: 2, state: { n: 1 }, wish: 'retry' });
  t.like(remember(failed, { result: {} }, true), { attempt: 2, state: { n: 1 } }, 'while the retry is still to come');
  t.true(isBlank(remember(failed, { result: {} }, false)));
});

test('starts afresh but for the reason to run', (t) => {
  const old = { ...blank, cause: 'updated', attempt: 3, state: { n: 1 }, epoch: 4 } as const;
  t.deepEqual(renewed(old), { ...blank, cause: 'updated', epoch: 5 });
});
