import test from 'ava';
import { conditionOf, type Integration, StaleError } from '../../../sdk/index.ts';
import { aTargetCluster } from '../a-target-cluster.ts';
import { boxes, want } from '../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';

/** A workspace that wants these boxes; while the first one is created, its spec is changed to others. */
async function changedWhileCreating(sizes: Readonly<Record<string, number>>, then: Readonly<Record<string, number>>) {
  const target = await aTargetCluster();
  const party = aThirdParty();
  const plain = party.resource('name');
  const create: typeof plain.create = async (...call) => {
    if (party.calls.length === 0) await want(target, then);
    return plain.create(...call);
  };
  await target.create(boxes(sizes));
  const actor = target.actor([boxKeeper({ ...plain, create } as typeof plain)]);
  const generations = async () => {
    const workspace = await target.read();
    const { status } = workspace;
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const { status: said, observedGeneration } = conditionOf(workspace, 'Boxes');
    return { Boxes: [said, observedGeneration], Ready: ready?.status, generation: workspace.metadata.generation };
  };
  return { target, party, actor, generations };
}

test('a condition is about the spec that its integration was called with, though another one is there by then', async (t) => {
  const { party, actor, generations } = await changedWhileCreating({ a: 7 }, { a: 8 });
  await actor.walk();
  t.deepEqual(party.calls, ['create a']);
  t.deepEqual(await generations(), { Boxes: ['Completed', 1], Ready: 'False', generation: 2 });
  await actor.walk();
  t.deepEqual(party.calls, ['create a', 'update a']);
  t.deepEqual(await generations(), { Boxes: ['Completed', 2], Ready: 'True', generation: 2 });
});

test('nothing further is begun for a spec that has been changed since the integration was called', async (t) => {
  const { party, actor, generations } = await changedWhileCreating({ a: 7, b: 7 }, { a: 7, b: 8 });
  await t.throwsAsync(actor.walk(), { instanceOf: StaleError, message: /has changed: nothing was done about Boxes/ });
  t.deepEqual(party.calls, ['create a']);
  t.is((await generations()).Ready, 'False');
  await actor.walk();
  t.deepEqual(
    party.boxes.map(({ name, size }) => `${name} ${size}`),
    ['a 7', 'b 8'],
  );
  t.deepEqual(party.calls, ['create a', 'create b']);
  t.deepEqual(await generations(), { Boxes: ['Completed', 2], Ready: 'True', generation: 2 });
});

test('what an integration says itself is about the spec that it was called with', async (t) => {
  const target = await aTargetCluster();
  await target.create();
  const integration: Integration = {
    ...boxKeeper(aThirdParty().resource('name')),
    connect: ({ controller }) => ({
      async reconcile() {
        await controller.updateCondition('In Progress', 'looking');
        await want(target, { a: 1 });
        await controller.updateCondition('In Progress', 'looking further');
        await controller.updateCondition('Completed', 'seen');
      },
      terminate: () => controller.updateCondition('Terminated', 'gone'),
    }),
  };
  await target.actor([integration]).walk();
  const workspace = await target.read();
  t.is(workspace.metadata.generation, 2);
  const { status, observedGeneration } = conditionOf(workspace, 'Boxes');
  t.deepEqual([status, observedGeneration], ['Completed', 1]);
});
