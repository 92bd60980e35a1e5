import test from 'ava';
import { claimOf, defineIntegration, type Integration } from '../../../../../sdk/index.ts';
import { type Move, nextMoves } from '../../../../../sequencer/engine/plan/plan.ts';
import { aCondition, anEntry, aWorkspace, type WorkspaceFixture } from '../../../a-workspace.ts';

const integration = (name: string, condition: string, after: readonly string[] = []): Integration =>
  defineIntegration({
    name,
    condition,
    after,
    handles: ({ spec }) => spec.integrations?.[name] !== false,
    connect: () => ({ reconcile: async () => {}, terminate: async () => {} }),
  });

const integrations = [
  integration('tunnel', 'Tunneling'),
  integration('dns', 'DNS', ['Tunneling', 'Ingress']),
  integration('mail', 'Mail'),
];
const claims = (...names: readonly string[]): readonly string[] => names.map(claimOf);
const said = (moves: readonly Move[]): string =>
  moves.map((move) => (move.kind === 'initialize' ? 'initialize' : `${move.kind} ${move.integration.name}`)).join(', ');
const none = anEntry({ phase: 'none', token: 0 });
const adopted = { phase: 'Deploying', guards: { Tunneling: none, DNS: none, Mail: none } } as const;
const initial = { Tunneling: 'Initialized', DNS: 'Initialized', Mail: 'Initialized' } as const;

const cases: readonly (readonly [title: string, fixture: WorkspaceFixture, moves: string])[] = [
  ['one never seen is adopted first', {}, 'initialize'],
  [
    'of which nothing is journalled is adopted before it is claimed',
    { status: { ...adopted, guards: { Tunneling: none, Mail: none } }, conditions: initial },
    'initialize',
  ],
  [
    'claimed without a journal entry has lost it, and is not adopted again',
    { status: { ...adopted, guards: { Tunneling: none, Mail: none } }, conditions: initial, finalizers: claims('dns') },
    'claim tunnel, wait dns, claim mail',
  ],
  [
    'whose mirror tells of something is claimed without a word that nothing was begun',
    {
      status: { ...adopted, guards: { Tunneling: none, DNS: none } },
      conditions: initial,
      annotations: { 'external.se.quencer.io/Mail': '[{"id":1}]' },
    },
    'claim tunnel, wait dns, claim mail',
  ],
  [
    'that only looks needs no such word',
    {
      status: { phase: 'Deploying', guards: {} },
      conditions: initial,
      annotations: { 'se.quencer.io/policy': 'plan' },
    },
    'reconcile tunnel, reconcile dns, reconcile mail',
  ],
  [
    'independent integrations are claimed side by side, what comes after waits',
    { status: adopted, conditions: initial },
    'claim tunnel, wait dns, claim mail',
  ],
  [
    'what is claimed reconciles',
    { status: adopted, conditions: initial, finalizers: claims('tunnel', 'mail') },
    'reconcile tunnel, wait dns, reconcile mail',
  ],
  [
    'completed by the first, moves to the second; a condition without a registered integration is not waited for',
    { status: adopted, conditions: { ...initial, Tunneling: 'Completed' }, finalizers: claims('tunnel', 'mail') },
    'reconcile tunnel, claim dns, reconcile mail',
  ],
  [
    'completed for an older spec holds up what comes after',
    {
      status: {
        ...adopted,
        conditions: [
          { type: 'Tunneling', status: 'Completed', reason: 'x', observedGeneration: 1, lastTransitionTime: '' },
          { type: 'DNS', status: 'Initialized', reason: 'x', lastTransitionTime: '' },
          { type: 'Mail', status: 'Initialized', reason: 'x', lastTransitionTime: '' },
        ],
      },
      generation: 2,
      finalizers: claims('tunnel', 'dns', 'mail'),
    },
    'reconcile tunnel, wait dns, reconcile mail',
  ],
  [
    'what no integration handles is not waited for',
    { spec: { integrations: { tunnel: false } }, status: adopted, conditions: initial },
    'dropCondition tunnel, claim dns, claim mail',
  ],
  [
    'no longer asked for, is terminated while the rest continues',
    {
      spec: { integrations: { mail: false } },
      status: adopted,
      conditions: { ...initial, Mail: 'Completed' },
      finalizers: claims('tunnel', 'mail'),
    },
    'terminate mail, reconcile tunnel, wait dns',
  ],
  [
    'no longer asked for and gone, is released',
    {
      spec: { integrations: { mail: false } },
      status: { phase: 'Deploying' },
      guards: { ...adopted.guards, Mail: { phase: 'gone' } },
      conditions: initial,
      finalizers: claims('mail'),
    },
    'release mail, claim tunnel, wait dns',
  ],
  [
    'being deleted, terminates in reverse',
    {
      guards: { Tunneling: {}, DNS: {}, Mail: {} },
      conditions: initial,
      finalizers: claims('tunnel', 'dns', 'mail'),
      deleting: true,
    },
    'wait tunnel, terminate dns, terminate mail',
  ],
  [
    'being deleted, lets those go at once for which nothing was ever begun',
    {
      generation: 2,
      status: { ...adopted, conditions: [aCondition('DNS', 'Initialized'), aCondition('Mail', 'Error')] },
      finalizers: claims('dns', 'mail'),
      deleting: true,
    },
    'release dns, release mail',
  ],
  [
    'being deleted, asks one again whose deletion has failed, though no guard ever ran',
    {
      generation: 2,
      status: { ...adopted, conditions: [aCondition('Mail', 'Error', 2)] },
      finalizers: claims('mail'),
      deleting: true,
    },
    'terminate mail',
  ],
  [
    'being deleted, asks those for which nothing was begun while another finalizer holds it',
    {
      generation: 2,
      status: { ...adopted, conditions: [aCondition('Mail', 'Initialized')] },
      finalizers: [...claims('mail'), 'acme.example/own'],
      deleting: true,
    },
    'terminate mail',
  ],
  [
    'that stays, asks those to terminate for which nothing was begun',
    {
      status: adopted,
      conditions: initial,
      finalizers: claims('mail'),
      spec: { integrations: { tunnel: false, dns: false, mail: false } },
    },
    'terminate mail, dropCondition tunnel, dropCondition dns',
  ],
  [
    'being deleted, what is gone is released and the one before it continues',
    { guards: { DNS: { phase: 'gone' } }, conditions: initial, finalizers: claims('tunnel', 'dns'), deleting: true },
    'terminate tunnel, release dns',
  ],
  [
    'being deleted, ids learned late hold the claim',
    { guards: { DNS: { phase: 'gone', late: [{ id: 1 }] } }, finalizers: claims('dns'), deleting: true },
    'terminate dns',
  ],
  [
    'being deleted, nothing new starts',
    { status: adopted, conditions: initial, deleting: true, finalizers: ['somebody/else'] },
    '',
  ],
  [
    'that never guarded anything is released once its condition says Terminated',
    { conditions: { Mail: 'Terminated' }, finalizers: claims('mail'), deleting: true },
    'release mail',
  ],
  [
    'of which nothing was begun terminates, since what guards nothing may have made something',
    { status: adopted, conditions: { ...initial, Mail: 'Completed' }, finalizers: claims('mail'), deleting: true },
    'terminate mail',
  ],
  [
    'of which nothing was begun is released once its condition says Terminated',
    { status: adopted, conditions: { Mail: 'Terminated' }, finalizers: claims('mail'), deleting: true },
    'release mail',
  ],
  ['paused, rests', { status: adopted, conditions: initial, annotations: { 'se.quencer.io/paused': 'true' } }, ''],
  [
    'paused, still goes when deleted',
    { finalizers: claims('mail'), annotations: { 'se.quencer.io/paused': 'true' }, deleting: true },
    'terminate mail',
  ],
];

for (const [title, fixture, moves] of cases)
  test(`a workspace ${title}`, (t) => t.is(said(nextMoves(aWorkspace(fixture), integrations)), moves));

test('what was made under a former condition is removed in the order of the present one', (t) => {
  const made = (name: string) => anEntry({ claim: claimOf(name) });
  const removed = (all: readonly Integration[], guards: Readonly<Record<string, ReturnType<typeof anEntry>>>) => {
    const fixture = { conditions: {}, finalizers: claims(...all.map(({ name }) => name)), deleting: true };
    const moves = nextMoves(aWorkspace({ ...fixture, status: { guards: { ...guards, New: none } } }), all);
    return moves.map((move) => ('integration' in move ? `${move.kind} ${move.integration.condition}` : move.kind));
  };
  const base = integration('base', 'Base');
  const entries = { Base: made('base'), Old: made('site') };
  t.deepEqual(removed([base, integration('site', 'New', ['Base'])], entries), [
    'wait Base',
    'wait New',
    'terminate Old',
  ]);
  const swapped = [integration('base', 'Site'), integration('site', 'Base', ['Site'])];
  const former = { Base: made('base'), Site: made('site') };
  t.deepEqual(removed(swapped, former), ['wait Site', 'wait Base', 'wait Base', 'terminate Site']);
});

test('the claim of what is recorded is put back at once, whatever its condition waits for', (t) => {
  const made = (name: string) => anEntry({ claim: claimOf(name) });
  const conditions = { ...initial, DNS: 'Completed' } as const;
  const waiting = aWorkspace({
    status: { ...adopted, guards: { ...adopted.guards, DNS: made('dns') } },
    conditions,
    finalizers: claims('tunnel', 'mail'),
  });
  t.is(said(nextMoves(waiting, integrations)), 'reconcile tunnel, claim dns, reconcile mail');
  const contested = [integration('dns', 'DNS'), integration('zone', 'DNS')];
  const fixture = { status: { ...adopted, guards: { DNS: made('zone') } }, conditions: { DNS: 'Error' } } as const;
  t.is(said(nextMoves(aWorkspace({ ...fixture, finalizers: claims('zone') }), contested)), 'wait dns, blocked zone');
  t.is(said(nextMoves(aWorkspace({ ...fixture, finalizers: claims('dns') }), contested)), 'wait dns, claim zone');
  const looking = { ...fixture, annotations: { 'se.quencer.io/policy': 'observe' } };
  t.is(said(nextMoves(aWorkspace(looking), contested)), 'wait dns, blocked zone');
});
