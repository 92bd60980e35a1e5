import test from 'ava';
import type { ConditionStatus, Integration } from '../../../../sdk/index.ts';
import { phaseOf, readyOf, summaryOf } from '../../../../sequencer/engine/summarize-conditions.ts';
import { aWorkspace } from '../../a-workspace.ts';

const integration = (condition: string): Integration => ({
  name: condition.toLowerCase(),
  condition,
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});
const integrations = [integration('A'), integration('B')];
const both = (a: ConditionStatus, b: ConditionStatus, more = {}) => aWorkspace({ conditions: { A: a, B: b }, ...more });

const cases = [
  [both('Completed', 'Healthy'), 'Healthy', 'True', 'Healthy'],
  [both('Completed', 'Initialized'), 'Deploying', 'False', 'Deploying'],
  [both('Completed', 'Error'), 'Error', 'False', 'Error: B'],
  [both('Unknown', 'Error'), 'Error', 'Unknown', 'Error: A, B'],
  [both('Completed', 'Completed', { deleting: true }), 'Terminating', 'False', 'Terminating'],
  [aWorkspace(), 'Deploying', 'False', 'Deploying'],
] as const;

for (const [workspace, phase, status, reason] of cases) {
  test(`${JSON.stringify(workspace.status?.conditions?.map((one) => one.status) ?? [])} adds up to ${phase}${workspace.metadata.deletionTimestamp ? ' when deleting' : ''}`, (t) => {
    t.is(phaseOf(workspace, integrations), phase);
    t.like(readyOf(workspace, integrations), { type: 'Ready', status, reason });
  });
}

test('a condition completed for an older spec does not count before its provider has confirmed it', (t) => {
  const workspace = aWorkspace({ conditions: { A: 'Completed', B: 'Completed' }, generation: 1 });
  const edited = { ...workspace, metadata: { ...workspace.metadata, generation: 2 } };
  t.is(phaseOf(edited, integrations), 'Deploying');
  t.is(summaryOf(edited, integrations, { confirmed: new Set(['A']), now: 0 }).phase, 'Deploying');
  const all = summaryOf(edited, integrations, { confirmed: new Set(['A', 'B']), now: 0 });
  t.is(all.phase, 'Healthy');
  t.deepEqual(
    all.conditions.map(({ observedGeneration }) => observedGeneration),
    [2, 2, 2],
  );
});

test('the summary names what is not through yet', (t) => {
  const workspace = aWorkspace({ conditions: { A: 'Completed', B: 'Locked' } });
  t.is(summaryOf(workspace, integrations, { confirmed: new Set(), now: 0 }).waitsFor, 'B');
});

test('a summary that changes nothing is the same conditions, so that nothing is written', (t) => {
  const workspace = aWorkspace({ conditions: { A: 'Completed', B: 'Completed' } });
  const first = summaryOf(workspace, integrations, { confirmed: new Set(), now: 0 });
  const written = { ...workspace, status: { ...workspace.status, ...first } };
  t.is(summaryOf(written, integrations, { confirmed: new Set(['A', 'B']), now: 5_000 }).conditions, first.conditions);
});
