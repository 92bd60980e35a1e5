import test from 'ava';
import { conditionOf, policyAnnotation, resolveAnnotation, Workspace } from '../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';
import { boxes, key, times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';

async function settled(target: TargetCluster, actor: { walk(): Promise<unknown> }): Promise<void> {
  for (let walks = 0; walks < 4; walks += 1) {
    await actor.walk().catch(() => undefined);
    await target.clock.advance(24_000);
  }
}

/** A workspace with boxes made under the condition `Boxes`, and a sequencer with an integration that now reports `Crates`. */
async function aRenaming() {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const keeper = boxKeeper(party.resource('tag'));
  await target.create(boxes({ a: 1, b: 2 }));
  await target.actor([keeper], { times }).walk();
  const renamed = target.actor([{ ...keeper, condition: 'Crates' }], { holder: 'renamed', times });
  return { stage: target, party, keeper, renamed };
}

test('nothing is made a second time under a new condition: it says where the things are and what to do, once', async (t) => {
  const { stage: target, party, renamed } = await aRenaming();
  for (let walk = 0; walk < 3; walk += 1) await renamed.walk();
  t.deepEqual(party.calls, ['create a', 'create b']);
  const { status, reason } = conditionOf(await target.read(), 'Crates');
  t.is(status, 'Error');
  t.regex(
    reason,
    /integration "boxes" answered for condition Boxes before.*register it with that condition again, or annotate policy\.se\.quencer\.io\/Boxes=orphan/,
  );
  t.is(renamed.events.filter((event) => event.reason === 'ConditionRenamed').length, 1);
});

test('a workspace that is deleted takes away what was made under the former condition', async (t) => {
  const { stage: target, party, renamed } = await aRenaming();
  await renamed.walk();
  await target.delete();
  for (let walk = 0; walk < 4; walk += 1) await renamed.walk().catch(() => undefined);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.deepEqual(party.boxes, []);
});

test('given its condition back, it goes on as before', async (t) => {
  const { stage: target, party, keeper, renamed } = await aRenaming();
  await renamed.walk();
  const back = target.actor([keeper], { holder: 'back', times });
  await back.walk();
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
  t.deepEqual(party.calls, ['create a', 'create b']);
});

test('with what is there left to itself, it begins afresh', async (t) => {
  const { stage: target, party, renamed } = await aRenaming();
  const annotations = { [policyAnnotation('Boxes')]: 'orphan' };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  for (let walk = 0; walk < 4; walk += 1) await renamed.walk().catch(() => undefined);
  t.is(conditionOf(await target.read(), 'Crates').status, 'Completed');
  t.is(party.boxes.length, 4);
});

test('a question that is open under the former condition can be answered while its workspace is deleted', async (t) => {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const keeper = boxKeeper(party.resource('opaque'));
  party.faults.push({ call: 'create', carriedOut: false, error: new Error('reset') });
  await target.create(boxes({ a: 1 }));
  await target
    .actor([keeper], { times })
    .walk()
    .catch(() => undefined);
  const renamed = target.actor([{ ...keeper, condition: 'Crates' }], { holder: 'renamed', times });
  await target.delete();
  await settled(target, renamed);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Unknown');
  const token = (await target.read()).status?.guards?.Boxes?.token;
  const annotations = { [resolveAnnotation('Boxes')]: `retry@${token}` };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await settled(target, renamed);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.deepEqual(party.boxes, []);
});
