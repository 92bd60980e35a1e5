import test from 'ava';
import { defineIntegration, Workspace } from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { boxes, key, restored, times } from '../../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../../sdk/provider/a-third-party.ts';

async function aScene() {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const actor = stage.actor([boxKeeper(party.resource('tag'))], { times });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  const reportedRemovals = () => actor.events.filter(({ reason }) => reason === 'ClaimRemoved');
  const withoutFinalizers = () =>
    stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  return { stage, party, actor, reportedRemovals, withoutFinalizers };
}

test('a finalizer that others remove again and again is reported each time in the same words, which events count', async (t) => {
  const { stage, actor, reportedRemovals, withoutFinalizers } = await aScene();
  t.deepEqual(reportedRemovals(), []);
  for (let time = 0; time < 3; time += 1) {
    await withoutFinalizers();
    await actor.walk();
    t.deepEqual((await stage.read()).metadata.finalizers, ['se.quencer.io/boxes']);
  }
  t.is(new Set(reportedRemovals().map(({ type, message }) => `${type} ${message}`)).size, 1);
  t.regex(
    reportedRemovals()[0]?.message ?? '',
    /^the finalizer se\.quencer\.io\/boxes was removed by others, and is added again/,
  );
});

test('it is reported where the mirror was removed with it', async (t) => {
  const { stage, actor, reportedRemovals } = await aScene();
  const value = { metadata: { finalizers: null, annotations: null } };
  await stage.client.patch(Workspace, key, { type: 'merge', value });
  await actor.walk();
  t.is(reportedRemovals().length, 1);
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
  const reportedRemovals = () => actor.events.filter(({ reason }) => reason === 'ClaimRemoved').length;
  t.is(reportedRemovals(), 0);
  for (let time = 1; time <= 2; time += 1) {
    const value = { metadata: { finalizers: null, annotations: null } };
    await stage.client.patch(Workspace, key, { type: 'merge', value });
    await actor.walk();
    t.is(reportedRemovals(), time);
  }
});

test('what was released, restored without finalizers, or is claimed for the first time counts as never removed', async (t) => {
  const { stage, actor, reportedRemovals } = await aScene();
  await restored(stage, { finalizers: false });
  for (let walk = 0; walk < 3; walk += 1) {
    await actor.walk();
    await stage.clock.advance(24_000);
  }
  t.deepEqual((await stage.read()).metadata.finalizers, ['se.quencer.io/boxes']);
  t.deepEqual(reportedRemovals(), []);
});

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  test(`where the mirror was removed with it, it is written again from the journal, and a lost status hides nothing: ${identity}`, async (t) => {
    const [stage, party] = [await aTargetCluster(), aThirdParty()];
    const actor = stage.actor([boxKeeper(party.resource(identity))], { times });
    await stage.create(boxes({ a: 1 }));
    await actor.walk();
    const patch = (value: object, options = {}) =>
      stage.client.patch(Workspace, key, { type: 'merge', value }, options);
    await patch({ metadata: { finalizers: null, annotations: null } });
    await actor.walk();
    await patch({ status: null }, { subresource: 'status' });
    const later = async (): Promise<void> => {
      for (let walk = 0; walk < 4; walk += 1) {
        await actor.walk().catch(() => undefined); // a journal that is restored ends a walk
        await stage.clock.advance(24_000);
      }
    };
    await later();
    t.is(party.boxes.length, 1);
    await stage.delete();
    await later();
    t.is(party.boxes.length, 0);
  });
