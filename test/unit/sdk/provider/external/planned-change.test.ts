import test from 'ava';
import {
  driftText,
  forbiddenChangesText,
  type PlannedChange,
  plannedChangeText,
} from '../../../../../sdk/provider/external/planned-change.ts';

const cases: readonly (readonly [PlannedChange, intention: string, fact: string])[] = [
  [{ op: 'create', what: 'box a' }, 'create box a', 'box a is missing'],
  [
    { op: 'create', what: 'box a', why: 'it was removed outside' },
    'create box a (it was removed outside)',
    'box a is missing (it was removed outside)',
  ],
  [
    { op: 'update', what: 'box a', why: 'size is 7, wanted 1' },
    'change box a (size is 7, wanted 1)',
    'box a differs (size is 7, wanted 1)',
  ],
  [{ op: 'delete', what: 'box a' }, 'delete box a', 'box a is not wanted'],
  [{ op: 'adopt', what: 'box a' }, 'adopt box a', 'box a is there'],
  [{ op: 'create', what: 'publishing', guarded: true }, 'start "publishing"', '"publishing" is not run'],
];
for (const [step, intention, fact] of cases)
  test(`${intention}, or: ${fact}`, (t) => t.deepEqual([plannedChangeText(step), driftText(step)], [intention, fact]));

test('a plan says what would be done, other policies what differs', (t) => {
  const steps: readonly PlannedChange[] = [
    { op: 'create', what: 'a' },
    { op: 'delete', what: 'b' },
  ];
  t.is(forbiddenChangesText('plan', steps), 'plan: would create a, delete b');
  t.is(forbiddenChangesText('observeOnly', steps), 'observeOnly: a is missing, b is not wanted');
});

test('a condition can hold what is said of any number of steps', (t) => {
  const steps = Array.from({ length: 200 }, (_, index): PlannedChange => ({ op: 'create', what: `box ${index}` }));
  t.is(forbiddenChangesText('plan', steps).length, 1024);
  t.true(forbiddenChangesText('plan', steps).endsWith('…'));
});
