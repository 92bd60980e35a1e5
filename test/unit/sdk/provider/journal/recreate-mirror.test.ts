import test from 'ava';
import { conditionOf, Workspace } from '../../../../../sdk/index.ts';
import { mirroredRefs } from '../../../a-seal.ts';
import { aTargetCluster, refusing } from '../../../a-target-cluster.ts';
import { aKeeper, boxes, key, times, want } from '../a-keeper.ts';
import { created, guarding, isMirror } from '../guarding.ts';

const mirror = 'external.se.quencer.io/Boxes';
type Stage = Awaited<ReturnType<typeof aKeeper>>['stage'];
const patched = (stage: Stage, value: object, options: object = {}) =>
  stage.client.patch(Workspace, key, { type: 'merge', value }, options);
const wiped = (stage: Stage) => patched(stage, { metadata: { annotations: { [mirror]: null } } });
const slots = (workspace: Workspace) =>
  mirroredRefs(workspace, 'Boxes')?.map((ref) => (ref as { readonly slot: string }).slot);

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  test(`a mirror that is removed while the status is whole is written again, and is as good as before (${identity})`, async (t) => {
    const { stage, party, actor } = await aKeeper(identity);
    await stage.create(boxes({ a: 1, b: 2 }));
    await actor.walk();
    await want(stage, { a: 3 });
    await actor.walk();
    await wiped(stage);
    await actor.walk();
    t.deepEqual(slots(await stage.read()), ['a', 'b']);
    t.is(actor.events.filter(({ reason }) => reason === 'MirrorMissing').length, 1);
    const { revision } = stage.cluster;
    await actor.walk();
    t.is(stage.cluster.revision, revision, 'written once');
    await patched(stage, { status: null }, { subresource: 'status' });
    for (let turn = 0; turn < 4; turn += 1) {
      await actor.walk();
      await stage.clock.advance(24_000);
    }
    t.is(conditionOf(await stage.read(), 'Boxes').status, 'Completed');
    t.deepEqual(party.calls, ['create a', 'create b', 'update a']);
    await stage.delete();
    await actor.walk();
    t.deepEqual(party.boxes, []);
  });

test('a mirror that the server refuses is not tried at every walk, and again after a while', async (t) => {
  const { stage, actor } = await aKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await wiped(stage);
  const refusal = refusing(stage, isMirror, { code: 403, reason: 'Forbidden', message: 'no mirrors' });
  for (let walk = 0; walk < 5; walk += 1) await actor.walk();
  t.is(refusal.count, 1);
  t.true(actor.events.some(({ reason, message }) => reason === 'MirrorRefused' && message.includes('no mirrors')));
  refusal.over = true;
  await actor.walk();
  t.is(slots(await stage.read()), undefined);
  await stage.clock.advance(20 * 10_000);
  await actor.walk();
  t.deepEqual(slots(await stage.read()), ['a']);
});

test('a journal that has changed since it was read is not mirrored', async (t) => {
  const { stage, actor } = await aKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await wiped(stage);
  let races = 0;
  stage.cluster.intercept(async (request, next) => {
    if (isMirror(request) && races++ === 0)
      await patched(stage, { status: { guards: { Boxes: { token: 7 } } } }, { subresource: 'status' });
    return next(request);
  });
  await actor.walk();
  t.is(slots(await stage.read()), undefined);
  t.is(races, 1);
});

test('while the server refuses every mirror, a creation costs one patch more, and a change none', async (t) => {
  const { stage, actor } = await aKeeper('tag');
  const refusal = refusing(stage, isMirror, { code: 403, reason: 'Forbidden', message: 'no mirrors' });
  await stage.create(boxes({ a: 1 }));
  await actor.walk(); // learns it: as it is claimed, by the intent, the outcome
  const costs: number[] = [];
  const changes: readonly Readonly<Record<string, number>>[] = [{ b: 1 }, { c: 1 }, { a: 2 }];
  for (const sizes of changes) {
    const before = refusal.count;
    await want(stage, sizes);
    await actor.walk();
    costs.push(refusal.count - before);
  }
  t.deepEqual(costs, [1, 1, 0]);
  t.is(conditionOf(await stage.read(), 'Boxes').status, 'Completed');
  refusal.over = true;
  await want(stage, { d: 1 });
  await actor.walk();
  t.deepEqual(slots(await stage.read()), ['a', 'b', 'c', 'd'], 'the next new id is tried, and all are there');
});

test('a mirror that is removed from what a plain guard has made is written again, too', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const actor = stage.actor([guarding({ task: created })], { times });
  await actor.walk();
  const annotations = { 'external.se.quencer.io/DNS': null };
  await patched(stage, { metadata: { annotations } });
  await actor.walk();
  t.deepEqual(mirroredRefs(await stage.read(), 'DNS'), [{ id: 'a' }]);
  t.is(actor.events.filter(({ reason }) => reason === 'MirrorMissing').length, 1);
});
