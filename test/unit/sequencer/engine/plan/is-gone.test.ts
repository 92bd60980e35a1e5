import test from 'ava';
import { claimOf, defineIntegration } from '../../../../../sdk/index.ts';
import { isGone, isNewer, isUnusedOnDeletion } from '../../../../../sequencer/engine/plan/is-gone.ts';
import { aCondition, anEntry, aWorkspace, type WorkspaceFixture } from '../../../a-workspace.ts';

const dns = defineIntegration({
  name: 'dns',
  condition: 'DNS',
  handles: () => true,
  connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
});
const claim = claimOf('dns');
const none = anEntry({ phase: 'none', token: 0 });

const cases: readonly (readonly [title: string, fixture: WorkspaceFixture, gone: boolean])[] = [
  ['its journal says so', { guards: { DNS: { claim, phase: 'gone' } } }, true],
  [
    'its journal says so, and an id was handed over late',
    { guards: { DNS: { claim, phase: 'gone', late: [{}] } } },
    false,
  ],
  ['its journal records something', { guards: { DNS: { claim } }, conditions: { DNS: 'Terminated' } }, false],
  [
    'another integration has recorded its own end',
    { guards: { DNS: { claim: 'se.quencer.io/other', phase: 'gone' } } },
    false,
  ],
  ['no guard ever ran, and its condition says so', { guards: { DNS: none }, conditions: { DNS: 'Terminated' } }, true],
  [
    'no guard ever ran, and its condition is settled',
    { guards: { DNS: none }, conditions: { DNS: 'Completed' } },
    false,
  ],
  [
    'a newer release has recorded the end',
    { guards: { DNS: { claim, phase: 'gone', format: 99 } }, conditions: { DNS: 'Terminated' } },
    false,
  ],
];

for (const [title, fixture, gone] of cases)
  test(`${title}: ${gone ? 'gone' : 'not gone'}`, (t) => t.is(isGone(aWorkspace(fixture), dns), gone));

test('an idle condition of a deleted workspace is untouched, unless others have finalizers or objects are owned', (t) => {
  const status = { guards: { DNS: none }, conditions: [aCondition('DNS', 'Initialized')] };
  const idle = { status, generation: 2, deleting: true };
  t.true(isUnusedOnDeletion(aWorkspace({ ...idle, finalizers: [claim] }), dns));
  t.false(isUnusedOnDeletion(aWorkspace({ ...idle, finalizers: ['example.com/other'] }), dns));
  t.false(isUnusedOnDeletion(aWorkspace({ ...idle, finalizers: [claim], deleting: false }), dns));
});

test('only a newer release reads an entry of a newer format', (t) => {
  t.true(isNewer(aWorkspace({ guards: { DNS: { claim, format: 99 } } }), dns));
  t.false(isNewer(aWorkspace({ guards: { DNS: { claim } } }), dns));
});
