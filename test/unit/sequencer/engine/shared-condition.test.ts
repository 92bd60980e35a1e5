import test from 'ava';
import { claimOf, defineIntegration, type Integration, Workspace } from '../../../../sdk/index.ts';
import { type Move, nextMoves } from '../../../../sequencer/engine/plan.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { anEntry, aWorkspace, type WorkspaceFixture } from '../../a-workspace.ts';
import { boxes, key, restored, times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';

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
  ['is asked for by none of them any more', { spec: only(), guards: { DNS: { claim, phase: 'gone' } } }, 'forget bind'],
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
    'being deleted: what is recorded of one whose finalizer was removed is left, and told, so that the other can end',
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

async function aScene() {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const actor = stage.actor([boxKeeper(party.resource('tag'))], { times });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  const told = () => actor.events.filter(({ reason }) => reason === 'ClaimRemoved');
  const withoutFinalizers = () =>
    stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  return { stage, party, actor, told, withoutFinalizers };
}

test('a finalizer that others remove again and again is reported each time in the same words, which events count', async (t) => {
  const { stage, actor, told, withoutFinalizers } = await aScene();
  t.deepEqual(told(), []);
  for (let time = 0; time < 3; time += 1) {
    await withoutFinalizers();
    await actor.walk();
    t.deepEqual((await stage.read()).metadata.finalizers, ['se.quencer.io/boxes']);
  }
  t.is(new Set(told().map(({ type, message }) => `${type} ${message}`)).size, 1);
  t.regex(told()[0]?.message ?? '', /^the finalizer se\.quencer\.io\/boxes was removed by others, and is added again/);
});

test('it is reported where the mirror was removed with it', async (t) => {
  const { stage, actor, told } = await aScene();
  const value = { metadata: { finalizers: null, annotations: null } };
  await stage.client.patch(Workspace, key, { type: 'merge', value });
  await actor.walk();
  t.is(told().length, 1);
});

test('it is reported where nothing was begun yet, and the mirror was removed with it', async (t) => {
  const stage = await aTargetCluster();
  const idle = defineIntegration({
    name: 'boxes',
    condition: 'Boxes',
    handles: () => true,
    connect: ({ controller }) => ({
      reconcile: () => controller.updateCondition('Completed', 'said'),
      terminate: async () => {},
    }),
  });
  const actor = stage.actor([idle], { times });
  await stage.create();
  await actor.walk();
  const told = () => actor.events.filter(({ reason }) => reason === 'ClaimRemoved').length;
  t.is(told(), 0);
  for (let time = 1; time <= 2; time += 1) {
    const value = { metadata: { finalizers: null, annotations: null } };
    await stage.client.patch(Workspace, key, { type: 'merge', value });
    await actor.walk();
    t.is(told(), time);
  }
});

test('what was released, restored without finalizers, or is claimed for the first time counts as never removed', async (t) => {
  const { stage, actor, told } = await aScene();
  await restored(stage, { finalizers: false });
  for (let walk = 0; walk < 3; walk += 1) {
    await actor.walk();
    await stage.clock.advance(24_000);
  }
  t.deepEqual((await stage.read()).metadata.finalizers, ['se.quencer.io/boxes']);
  t.deepEqual(told(), []);
});
