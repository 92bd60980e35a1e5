import test from 'ava';
import { type ControllerHealth, problemsOf, stuckRunsOf } from '../../../../../sdk/operator/engine/health.ts';

const source = {
  resource: 'pods',
  synced: true,
  silence: 1000,
  failures: 0,
  lastError: undefined,
  lists: 1,
  objects: 3,
};
const queue = { ready: 0, delayed: 0, held: 0, running: 0, longestRun: 0, unfinished: 0, stalled: 0 };
const healthy: ControllerHealth = {
  name: 'pods',
  synced: true,
  sources: [source],
  queue,
  ownWrites: { waiting: 0, overdue: 0 },
  runs: 5,
  failures: 1,
  failing: 1,
  givenUp: 0,
};

const cases: readonly (readonly [string, ControllerHealth, readonly string[]])[] = [
  ['failing objects are no problem of the controller', healthy, []],
  [
    'a kind that was never listed is a problem, with its cause',
    { ...healthy, sources: [{ ...source, synced: false, silence: undefined, lastError: 'forbidden' }] },
    ['pods: pods not listed yet: forbidden'],
  ],
  [
    'a server that has long been silent is a problem',
    { ...healthy, sources: [source, { ...source, resource: 'secrets', silence: 300_001 }] },
    ['pods: secrets no list or watch event for 300001 ms'],
  ],
  [
    'a run without an end is a problem',
    { ...healthy, queue: { ...queue, longestRun: 900_001 } },
    ['pods: a run takes 900001 ms'],
  ],
];
for (const [title, health, problems] of cases)
  test(title, (t) => {
    t.deepEqual(problemsOf(health), problems);
  });

test('limits can be chosen', (t) => {
  t.deepEqual(problemsOf(healthy, { silence: 500 }), ['pods: pods no list or watch event for 1000 ms']);
});

test('only a run without an end is a reason to start anew', (t) => {
  t.deepEqual(stuckRunsOf({ ...healthy, sources: [{ ...source, synced: false }] }), []);
  t.deepEqual(stuckRunsOf({ ...healthy, queue: { ...queue, longestRun: 500 } }, { run: 400 }), [
    'pods: a run takes 500 ms',
  ]);
});
