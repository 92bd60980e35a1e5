import test from 'ava';
import fc from 'fast-check';
import { nextRun } from '../../../../sdk/operator/engine/next-run.ts';
import {
  asksForMore,
  combineResults,
  done,
  keepFinalizer,
  requeueAfter,
  stop,
} from '../../../../sdk/reconcile/reconciler.ts';
import { noRetry } from '../../../../sdk/retry.ts';

test('done asks for nothing, requeueAfter for another run', (t) => {
  t.is(nextRun({ result: done }, 0, { retry: noRetry }), undefined);
  t.is(nextRun({ result: requeueAfter(250) }, 0, { retry: noRetry }), 250);
});

test('several results add up to the smallest delay, the latest state, and any stop or kept finalizer', (t) => {
  const results = [requeueAfter(30), { requeueAfter: 5, state: { a: 1 } }, stop, { state: { b: 2 } }, keepFinalizer];
  t.deepEqual(combineResults(results), { requeueAfter: 5, state: { b: 2 }, stop: true, keepFinalizer: true });
  t.deepEqual(combineResults([]), done);
});

test('what results add up to does not depend on how they are grouped', (t) => {
  const result = fc.record(
    { requeueAfter: fc.nat(), state: fc.record({ n: fc.nat() }), stop: fc.boolean(), keepFinalizer: fc.boolean() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(result), fc.array(result), (a, b) => {
      t.deepEqual(combineResults([combineResults(a), combineResults(b)]), combineResults([...a, ...b]));
    }),
  );
});

test('a delay, a stop and a kept finalizer ask for more, a state alone does not', (t) => {
  for (const result of [requeueAfter(0), stop, keepFinalizer]) t.true(asksForMore(result));
  for (const result of [done, { state: { step: 1 } }]) t.false(asksForMore(result));
});
