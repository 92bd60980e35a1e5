import test from 'ava';
import fc from 'fast-check';
import {
  allConditions,
  anyCondition,
  type ConditionStatus,
  conditionStatuses,
  findCondition,
  nextCondition,
  removeCondition,
  setCondition,
  timestamp,
} from '../../../../sdk/api/condition.ts';
import { aCondition } from '../../a-workspace.ts';

const later = Date.UTC(2026, 5, 1);

test('the transition time moves only with the status', (t) => {
  const first = setCondition([], { type: 'DNS', status: 'Initialized', reason: 'a' }, 0);
  const again = setCondition(first, { type: 'DNS', status: 'Initialized', reason: 'b' }, later);
  t.is(findCondition(again, 'DNS')?.lastTransitionTime, '1970-01-01T00:00:00Z');
  const moved = setCondition(again, { type: 'DNS', status: 'Completed', reason: 'b' }, later);
  t.is(findCondition(moved, 'DNS')?.lastTransitionTime, timestamp(later));
});

test('setting what is there already gives the same array back', (t) => {
  const conditions = [aCondition('A', 'Completed'), aCondition('B', 'Error')];
  t.is(
    setCondition(conditions, { type: 'B', status: 'Error', reason: 'Error', observedGeneration: 1 }, later),
    conditions,
  );
});

test('a reason is never empty and never too long for the schema', (t) => {
  t.is(nextCondition(undefined, { type: 'A', status: 'In Progress', reason: '' }, 0).reason, 'InProgress');
  t.is(nextCondition(undefined, { type: 'A', status: 'Error', reason: 'x'.repeat(5_000) }, 0).reason.length, 1_024);
});

test('removing keeps the rest, and the array itself when there is nothing to remove', (t) => {
  const conditions = [aCondition('A', 'Completed'), aCondition('B', 'Error')];
  t.deepEqual(removeCondition(conditions, 'A'), [conditions[1]]);
  t.is(removeCondition(conditions, 'C'), conditions);
});

test('any and all look at the types they are given', (t) => {
  const conditions = [aCondition('A', 'Completed'), aCondition('B', 'Error')];
  t.true(anyCondition(conditions, ['Error']));
  t.false(anyCondition(conditions, ['Error'], ['A']));
  t.true(allConditions(conditions, ['Completed', 'Healthy'], ['A']));
  t.false(allConditions(conditions, ['Completed'], ['A', 'C']));
  t.true(allConditions(undefined, ['Completed'], []));
});

test('whatever is set is found, once, in its old place', (t) => {
  const status = fc.constantFrom<ConditionStatus>(...conditionStatuses);
  const change = fc.record({
    type: fc.constantFrom('A', 'B', 'C'),
    status,
    reason: fc.string({ minLength: 1, maxLength: 20 }),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const conditions = changes.reduce(
        (made, next, index) => setCondition(made, next, index * 1_000),
        [] as ReturnType<typeof setCondition>,
      );
      const types = conditions.map(({ type }) => type);
      t.deepEqual(types, [...new Set(changes.map(({ type }) => type))]);
      for (const type of types) {
        const { status: found, reason } = findCondition(conditions, type)!;
        const last = changes.findLast((one) => one.type === type)!;
        t.deepEqual([found, reason], [last.status, last.reason]);
      }
    }),
  );
});
