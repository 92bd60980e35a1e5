import test from 'ava';
import { claimOf, defineIntegration, type Integration } from '../../../../../sdk/index.ts';
import { type Move, nextMoves } from '../../../../../sequencer/engine/plan/plan.ts';
import { anEntry, aWorkspace, type WorkspaceFixture } from '../../../a-workspace.ts';

const integration = (name: string, condition: string, after: readonly string[] = []): Integration =>
  defineIntegration({
    name,
    condition,
    after,
    handles: ({ spec }) => spec.integrations?.[name] !== false,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
  });
const claims = (...names: readonly string[]): readonly string[] => names.map(claimOf);
const said = (moves: readonly Move[]): string =>
  moves.map((move) => (move.kind === 'initialize' ? 'initialize' : `${move.kind} ${move.integration.name}`)).join(', ');
const none = anEntry({ phase: 'none', token: 0 });

const shared = [integration('bind', 'DNS'), integration('cloud', 'DNS'), integration('mail', 'Mail', ['DNS'])];
const only = (...names: readonly string[]) => ({
  integrations: Object.fromEntries(['bind', 'cloud', 'mail'].map((name) => [name, names.includes(name)])),
});
const claim = claimOf('bind');

const sharedCases: readonly (readonly [title: string, fixture: WorkspaceFixture, moves: string])[] = [
  [
    'moves to the other: the one whose claim is there goes first',
    { spec: only('cloud'), guards: { DNS: none }, finalizers: claims('bind') },
    'terminate bind, wait cloud',
  ],
  [
    'moves to the other: what is recorded goes first, though its finalizer was removed',
    { spec: only('cloud'), guards: { DNS: { claim } } },
    'claim bind, wait cloud',
  ],
  [
    'moves to the other: what is gone is released first',
    { spec: only('cloud'), guards: { DNS: { claim, phase: 'gone' } }, finalizers: claims('bind') },
    'release bind, wait cloud',
  ],
  [
    'moves to the other: of what is released, it is journalled that nothing is left',
    { spec: only('cloud'), guards: { DNS: { claim, phase: 'gone' } } },
    'initialize',
  ],
  ['moves to the other, which is next', { spec: only('cloud'), guards: { DNS: none } }, 'claim cloud'],
  [
    'is kept by the one that has recorded something; the other’s finalizer has to wait',
    { spec: only('cloud'), guards: { DNS: { claim } }, finalizers: claims('bind', 'cloud') },
    'terminate bind, wait cloud',
  ],
  [
    'moves to the other: what is recorded under a former condition goes first',
    { spec: only('cloud'), guards: { DNS: none, Zone: { claim } }, finalizers: claims('bind') },
    'terminate bind, terminate bind, wait cloud',
  ],
  [
    'moves to the other: what is recorded under a former condition goes first, though its finalizer was removed',
    { spec: only('cloud'), guards: { DNS: none, Zone: { claim } } },
    'claim bind, claim bind, wait cloud',
  ],
  [
    'is claimed by two',
    {
      spec: only('bind', 'cloud', 'mail'),
      guards: { DNS: none, Mail: none },
      conditions: { DNS: 'Initialized', Mail: 'Initialized' },
    },
    'blocked bind, wait cloud, wait mail',
  ],
  [
    'is claimed by two, and one has recorded something',
    { spec: only('bind', 'cloud'), guards: { DNS: { claim: claimOf('cloud') } }, finalizers: claims('cloud') },
    'wait bind, blocked cloud',
  ],
  [
    'has things of one that is not registered',
    { spec: only('cloud'), guards: { DNS: { claim: claimOf('old') } }, finalizers: claims('old') },
    'blocked cloud',
  ],
  [
    'has things of one that is not registered, and was given up',
    { spec: only('cloud'), guards: { DNS: { claim: claimOf('old') } } },
    'orphan old',
  ],
  [
    'is asked for by none of them any more',
    { spec: only(), guards: { DNS: { claim, phase: 'gone' } } },
    'dropCondition bind',
  ],
  [
    'is asked for by none of them any more, and what is recorded has lost its finalizer',
    { spec: only(), guards: { DNS: { claim } } },
    'claim bind',
  ],
  [
    'being deleted: the one with things first',
    { guards: { DNS: { claim } }, finalizers: claims('cloud', 'bind'), deleting: true },
    'terminate bind, wait cloud',
  ],
  [
    'being deleted: with nothing recorded, one after the other',
    { guards: { DNS: { claim, phase: 'gone' } }, finalizers: claims('cloud', 'bind'), deleting: true },
    'release bind, wait cloud',
  ],
  [
    'being deleted: what is recorded of one whose finalizer was removed is left, and reported, so that the other can end',
    { guards: { DNS: { claim } }, finalizers: claims('cloud'), deleting: true },
    'orphan bind, wait cloud',
  ],
  [
    'being deleted: what the other has left does not say that it is gone',
    {
      guards: { DNS: { claim, phase: 'gone' } },
      conditions: { DNS: 'Terminated' },
      finalizers: claims('cloud'),
      deleting: true,
    },
    'terminate cloud',
  ],
];

for (const [title, fixture, moves] of sharedCases)
  test(`a workspace whose condition two integrations share ${title}`, (t) => {
    const workspace = aWorkspace({ status: { phase: 'Deploying' }, conditions: { DNS: 'Initialized' }, ...fixture });
    t.is(said(nextMoves(workspace, shared)), moves);
  });
