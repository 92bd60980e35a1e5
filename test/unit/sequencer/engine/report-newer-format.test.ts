import test from 'ava';
import {
  claimOf,
  conditionOf,
  defineIntegration,
  type GuardEntry,
  mirrorAnnotation,
  policyAnnotation,
  resolveAnnotation,
  Workspace,
} from '../../../../sdk/index.ts';
import { sealedMirror } from '../../a-seal.ts';
import { type Actor, aTargetCluster, type TargetCluster } from '../../a-target-cluster.ts';
import { boxes, key, times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';

const other = defineIntegration({
  name: 'other',
  condition: 'Other',
  handles: () => true,
  connect: ({ controller }) => ({
    reconcile: () => controller.updateCondition('Completed', 'there'),
    terminate: () => controller.updateCondition('Terminated', 'gone'),
  }),
});

async function aScene() {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const integrations = [boxKeeper(party.resource('tag')), other];
  const one = target.actor(integrations, { times });
  return { stage: target, party, one, rolledBack: () => target.actor(integrations, { holder: 'rolled-back', times }) };
}

/** Writes the status in a newer format, or, with `null`, in a readable one. */
const inFormat = (target: TargetCluster, format: number | null) =>
  target.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { guards: { Boxes: { format } } } } },
    { subresource: 'status' },
  );

const entryOf = async (target: TargetCluster): Promise<GuardEntry | undefined> =>
  (await target.read()).status?.guards?.Boxes;

const annotate = (target: TargetCluster, annotations: Readonly<Record<string, string>>) =>
  target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });

/** Reconciles for longer than any wait for a lost answer. */
async function settled(target: TargetCluster, actor: Actor): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await actor.walk().catch(() => undefined);
    await target.clock.advance(24_000);
  }
}

const told = ({ events }: Actor) => events.filter(({ reason }) => reason === 'NewerJournal');

test('half-way through a creation: nothing is done, the reason says why, others continue, and the newer release finds all as it was', async (t) => {
  const { stage: target, party, one, rolledBack } = await aScene();
  party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
  await target.create(boxes({ a: 1 }));
  await one.walk().catch(() => undefined);
  one.die();
  await inFormat(target, 2);
  const entry = await entryOf(target);
  t.is(entry?.phase, 'intent');
  const actor = rolledBack();
  await settled(target, actor);
  const workspace = await target.read();
  t.deepEqual(await entryOf(target), entry, 'not written');
  t.deepEqual(party.calls, ['create a'], 'nothing outside');
  t.true(workspace.metadata.finalizers?.includes(claimOf('boxes')));
  const { status, reason } = conditionOf(workspace, 'Boxes');
  t.is(status, 'Locked', 'a holder may be at work');
  t.regex(reason, /^E#3020: its journal has format 2, .*run that release again$/);
  t.is(conditionOf(workspace, 'Other').status, 'Completed');
  t.is(told(actor).length, 1, 'once');
  await inFormat(target, null);
  await settled(target, actor);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
  t.deepEqual(party.calls, ['create a'], 'found again');
});

test('in deletion: the claim stays, whatever the entry or a policy says, and goes once it can be read', async (t) => {
  const { stage: target, party, one } = await aScene();
  await target.create(boxes({ a: 1 }));
  await one.walk();
  await inFormat(target, 3);
  await target.delete();
  for (const change of [
    async () => undefined,
    () => annotate(target, { [policyAnnotation('Boxes')]: 'orphan' }),
    () =>
      target.client.patch(
        Workspace,
        key,
        { type: 'merge', value: { status: { guards: { Boxes: { phase: 'gone' } } } } },
        { subresource: 'status' },
      ),
  ]) {
    await change();
    const entry = await entryOf(target);
    await settled(target, one);
    t.deepEqual(await entryOf(target), entry);
    const workspace = await target.read();
    t.deepEqual(workspace.metadata.finalizers, [claimOf('boxes')], 'the others have gone');
    t.regex(conditionOf(workspace, 'Boxes').reason, /^E#3020/);
    t.is(party.boxes.length, 1);
  }
  t.deepEqual(party.calls, ['create a']);
  await inFormat(target, null);
  await settled(target, one);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('what is there and as wanted is said to be in the way, until it can be read again', async (t) => {
  const { stage: target, one } = await aScene();
  await target.create(boxes({ a: 1 }));
  await one.walk();
  await inFormat(target, 2);
  await settled(target, one);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Error');
  await inFormat(target, null);
  await settled(target, one);
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
});

test('an answer waits for a release that can read the question; a question of a person keeps its words; a mirror in another form is not removed', async (t) => {
  const { stage: target, party, one } = await aScene();
  await target.create(boxes({ a: 1 }));
  await one.walk();
  const mirror = mirrorAnnotation('Boxes');
  await annotate(target, { [resolveAnnotation('Boxes')]: 'orphan@1', [mirror]: '{"v":2}' });
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = [{ type: 'Boxes', status: 'Unknown', reason: 'whether it was made', lastTransitionTime }];
  await target.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { conditions, guards: { Boxes: { phase: 'unknown', token: 1, format: 2 } } } } },
    { subresource: 'status' },
  );
  await settled(target, one);
  const { annotations } = (await target.read()).metadata;
  t.is(annotations?.[resolveAnnotation('Boxes')], 'orphan@1');
  t.is(annotations?.[mirror], '{"v":2}');
  t.is(conditionOf(await target.read(), 'Boxes').reason, 'whether it was made');
  t.true(told(one).length > 0);
  t.is(party.boxes.length, 1);
});

for (const [what, operations] of [
  ['the journal was lost', [{ op: 'remove', path: '/status' }]],
  ['an older journal was put back', []],
] as const)
  test(`a mirror of a newer release is enough when ${what}: nothing is done, and it stays as it is`, async (t) => {
    const { stage: target, party, one, rolledBack } = await aScene();
    await target.create(boxes({ a: 1 }));
    await one.walk();
    const workspace = await target.read();
    const mirror = mirrorAnnotation('Boxes');
    const former = workspace.metadata.annotations?.[mirror] ?? '';
    const newer = sealedMirror(workspace, 'Boxes', { format: 2, token: 9 });
    await annotate(target, { [mirror]: newer });
    if (operations.length > 0)
      await target.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
    const actor = rolledBack();
    await settled(target, actor);
    const after = await target.read();
    t.is(after.metadata.annotations?.[mirror], newer);
    t.deepEqual(party.calls, ['create a']);
    t.regex(conditionOf(after, 'Boxes').reason, /^E#3020: its journal has format 2/);
    t.is(told(actor).length, 1, 'once');
    await target.delete();
    await settled(target, actor);
    t.deepEqual((await target.read()).metadata.finalizers, [claimOf('boxes')], 'its claim stays');
    await annotate(target, { [mirror]: former });
    await settled(target, actor);
    await t.throwsAsync(target.read(), { name: 'NotFoundError' });
    t.deepEqual(party.boxes, []);
  });
