import test from 'ava';
import { createDryRunController, type DryRunController, plannedChangeText } from '../../../../../sdk/host/index.ts';
import { ConfigMap, DryRunStop, type ExternalResource, Workspace } from '../../../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../../../a-target-cluster.ts';
import { times } from '../a-keeper.ts';
import { aThirdParty, type Box, type BoxId, type Stored } from '../a-third-party.ts';

const stepsOf = ({ result: planned }: DryRunController): readonly string[] => planned().steps.map(plannedChangeText);
const key = { namespace: 'default', name: 'shop' };

/** Planner of a workspace with these recorded boxes, at a third party with those. */
async function aPlan(
  known: Readonly<Record<string, string>>,
  there: readonly Partial<Stored>[],
  more: Partial<ExternalResource<Box, BoxId>> = {},
) {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const { metadata } = await stage.create();
  const refs = Object.entries(known).map(([slot, id]) => ({ slot, id: { id }, hash: 'old' }));
  const guards = {
    ...(refs.length > 0 && { Boxes: { phase: 'done', op: 'create', key: 'k', token: 1, holder: 'a/b', refs } }),
  };
  const workspace = await stage.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { guards } } },
    { subresource: 'status' },
  );
  const boxes = there.map((box, index) => ({
    id: `box-${index}`,
    name: 'a',
    size: 1,
    key: 'x',
    mark: `${metadata.uid}/Boxes/${box.name ?? 'a'}`,
    ...box,
  }));
  party.boxes.push(...boxes);
  const dryRun = plannerOf(stage, workspace);
  const before = stage.cluster.audit.length;
  const writes = () => stage.cluster.audit.slice(before).filter(({ method }) => method !== 'GET').length;
  return { stage, party, planner: dryRun, resource: party.resource('tag', more), writes };
}

const plannerOf = (stage: TargetCluster, workspace: Workspace, terminating = false): DryRunController =>
  createDryRunController(stage.actor([], { times }).host, workspace, {
    type: 'Boxes',
    claim: 'se.quencer.io/boxes',
    terminating,
  });

const cases: readonly (readonly [
  title: string,
  known: Readonly<Record<string, string>>,
  there: readonly Partial<Stored>[],
  steps: readonly string[],
])[] = [
  ['what is nowhere is created', {}, [], ['create box a', 'create box b']],
  [
    'what carries our mark is adopted, and changed where it differs',
    {},
    [{ name: 'a', size: 9 }],
    ['adopt box a', 'change box a (size is 9, wanted 1)', 'create box b'],
  ],
  [
    'what was removed outside is created again',
    { a: 'gone', b: 'box-0' },
    [{ name: 'b', size: 2 }],
    ['create box a (it was removed outside)'],
  ],
  [
    'what is not wanted is deleted first, the last made first',
    { x: 'x', a: 'box-0', b: 'box-1', y: 'y' },
    [{ name: 'a' }, { name: 'b', size: 2 }],
    ['delete box y (it is no longer wanted)', 'delete box x (it is no longer wanted)'],
  ],
  ['what is as wanted is left alone', { a: 'box-0', b: 'box-1' }, [{ name: 'a' }, { name: 'b', size: 2 }], []],
];
for (const [title, known, there, steps] of cases)
  test(`ensure: ${title}`, async (t) => {
    const {
      party,
      planner: dryRun,
      resource,
      writes,
    } = await aPlan(known, there, {
      observe: async ({ id }) => {
        const box = party.boxes.find((one) => one.id === id);
        return box && { state: { name: box.name, size: box.size } };
      },
    });
    const ensuring = dryRun.controller.ensure(resource, [
      { name: 'a', size: 1 },
      { name: 'b', size: 2 },
    ]);
    await (steps.length > 0 ? t.throwsAsync(ensuring, { instanceOf: DryRunStop }) : ensuring);
    t.deepEqual(stepsOf(dryRun), steps);
    t.deepEqual([party.calls, writes()], [[], 0], 'nothing was done, here or there');
  });

test('ensure: what cannot be changed is deleted and created', async (t) => {
  const { planner: dryRun, resource } = await aPlan({ a: 'box-0' }, [{ size: 4 }], { update: undefined });
  await t.throwsAsync(dryRun.controller.ensure(resource, { name: 'a', size: 1 }));
  t.deepEqual(stepsOf(dryRun), ['delete box a (size is 4, wanted 1, and it cannot be changed)', 'create box a']);
});

test('ensure: where nothing can be read, the journal tells', async (t) => {
  const { planner: dryRun, resource } = await aPlan({ a: 'box-0' }, [], { observe: undefined });
  await t.throwsAsync(dryRun.controller.ensure(resource, { name: 'a', size: 1 }));
  t.deepEqual(stepsOf(dryRun), ['change box a (its spec has changed)']);
});

test('ensure: with nothing to do, it says what the condition would say, and when to look again', async (t) => {
  const { planner: dryRun, resource } = await aPlan({ a: 'box-0' }, [{}], {
    driftInterval: 1_000,
    observe: async () => ({ state: { name: 'a', size: 1 } }),
  });
  t.deepEqual(await dryRun.controller.ensure(resource, { name: 'a', size: 1 }), {});
  const { condition: said, requeueAfter: again = 0 } = dryRun.result();
  t.deepEqual(said, { status: 'Completed', reason: 'box a is there' });
  t.true(again >= 750 && again <= 1_250);
});

test('ensure: a third party that does not answer is given up when the lease would be over', async (t) => {
  const {
    stage,
    planner: dryRun,
    resource,
  } = await aPlan({ a: 'box-0' }, [], {
    observe: (_id, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  const ensuring = t.throwsAsync(dryRun.controller.ensure(resource, { name: 'a', size: 1 }), {
    message: 'box: find or observe: no answer within 10000 ms',
  });
  await stage.clock.advance(10_000);
  await ensuring;
});

test('destroy: where nothing was begun there is nothing to find', async (t) => {
  const { stage, party, writes } = await aPlan({}, []);
  const none = { phase: 'none', op: 'task', key: 'k-0', token: 0, holder: 'a' };
  const value = { status: { guards: { Boxes: none } } };
  const workspace = await stage.client.patch(Workspace, key, { type: 'merge', value }, { subresource: 'status' });
  const before = writes();
  const dryRun = plannerOf(stage, workspace, true);
  await dryRun.controller.destroy(party.resource('tag'));
  t.deepEqual(stepsOf(dryRun), []);
  t.is(dryRun.result().condition?.status, 'Terminated');
  t.is(writes(), before);
});

test('destroy: everything known is deleted, and what else may be found', async (t) => {
  const { stage, party } = await aPlan({ a: 'box-0', b: 'box-1' }, [{}, {}]);
  const dryRun = plannerOf(stage, await stage.read(), true);
  await t.throwsAsync(dryRun.controller.destroy(party.resource('tag')), { instanceOf: DryRunStop });
  t.deepEqual(stepsOf(dryRun), ['delete box b', 'delete box a']);
  const never = await aPlan({}, []);
  await t.throwsAsync(never.planner.controller.destroy(never.resource));
  t.deepEqual(stepsOf(never.planner), ['delete whatever else is found of box']);
});

test('a guard runs no task: its reason and what it does are noted, and the turn is over', async (t) => {
  const { planner: dryRun } = await aPlan({}, []);
  const { controller } = dryRun;
  const task = async () => t.fail() as never;
  await t.throwsAsync(controller.guard('publishing', task, { op: 'update' }), { instanceOf: DryRunStop });
  t.deepEqual(dryRun.result().steps, [{ op: 'update', what: 'publishing', guarded: true }]);
});

test('writes to the cluster are noted, and nothing is written', async (t) => {
  const { stage, planner: dryRun, writes } = await aPlan({}, []);
  const { controller } = dryRun;
  const made = await controller.create(ConfigMap, { metadata: { name: 'settings' } });
  t.is(made.metadata.ownerReferences?.[0]?.name, 'shop', 'as it would be');
  t.is(await controller.delete(ConfigMap, { name: 'never-there' }), 'gone');
  await t.throwsAsync(controller.patch(ConfigMap, { name: 'settings' }, { type: 'merge', value: {} }), {
    name: 'NotFoundError',
  });
  await controller.setFinalizer('a.b/c');
  await controller.removeFinalizer('a.b/c');
  controller.event('Normal', 'Said', 'something');
  t.deepEqual(stepsOf(dryRun), ['create ConfigMap settings', 'change ConfigMap settings']);
  t.is(writes(), 0);
  await t.throwsAsync(stage.client.get(ConfigMap, { namespace: 'default', name: 'settings' }), {
    name: 'NotFoundError',
  });
});

test('objects that are there and ours are nothing to do; those of others are reported', async (t) => {
  const { stage, planner: dryRun } = await aPlan({}, []);
  const { uid = '' } = (await stage.read()).metadata;
  const reference = { apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace', name: 'shop', uid, controller: true };
  const metadata = { namespace: 'default', name: 'ours', ownerReferences: [reference] };
  await stage.client.create(ConfigMap, { metadata });
  await stage.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'theirs' } });
  for (const name of ['ours', 'theirs']) await dryRun.controller.create(ConfigMap, { metadata: { name } });
  t.deepEqual(stepsOf(dryRun), ['create ConfigMap theirs (an object of that name exists, and has another owner)']);
  await dryRun.controller.delete(ConfigMap, { name: 'ours' });
  t.is(stepsOf(dryRun)[1], 'delete ConfigMap ours');
});

test('what would be written into the status can be read back, and is written nowhere', async (t) => {
  const { stage, planner: dryRun } = await aPlan({}, []);
  const { controller } = dryRun;
  await controller.update((status) => {
    status.host = 'shop.example.com';
  });
  await controller.updateCondition('Completed', 'there');
  t.is(controller.workspace.status?.host, 'shop.example.com');
  t.like(controller.condition, { status: 'Completed', reason: 'there', observedGeneration: 1 });
  t.deepEqual(dryRun.result().condition, { status: 'Completed', reason: 'there' });
  t.is((await stage.read()).status?.host, undefined);
});

test('where an attempt came to no end, finding out comes first', async (t) => {
  const { stage, party } = await aPlan({ a: 'box-0' }, [{}]);
  const value = { status: { guards: { Boxes: { phase: 'intent' } } } };
  const open = await stage.client.patch(Workspace, key, { type: 'merge', value }, { subresource: 'status' });
  const dryRun = plannerOf(stage, open);
  await t.throwsAsync(dryRun.controller.ensure(party.resource('tag'), { name: 'a', size: 1 }));
  t.is(stepsOf(dryRun)[0], 'start "finding out what became of "create""');
  const silent = plannerOf(stage, open);
  await t.throwsAsync(silent.controller.updateCondition('Completed', 'there'), { instanceOf: DryRunStop });
});
