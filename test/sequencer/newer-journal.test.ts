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
} from '../../sdk/index.ts';
import { type Actor, aStage, type Stage } from '../a-stage.ts';
import { boxes, key, times } from '../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';

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
  const [stage, party] = [await aStage(), aThirdParty()];
  const integrations = [boxKeeper(party.resource('tag')), other];
  const one = stage.actor(integrations, { times });
  return { stage, party, one, rolledBack: () => stage.actor(integrations, { holder: 'rolled-back', times }) };
}

/** What the status says is written in a newer format, or, with `null`, in one that can be read. */
const inFormat = (stage: Stage, format: number | null) =>
  stage.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { guards: { Boxes: { format } } } } },
    { subresource: 'status' },
  );

const entryOf = async (stage: Stage): Promise<GuardEntry | undefined> => (await stage.read()).status?.guards?.Boxes;

const annotate = (stage: Stage, annotations: Readonly<Record<string, string>>) =>
  stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });

/** Walks for longer than anything that was lost is waited for. */
async function settled(stage: Stage, actor: Actor): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await actor.walk().catch(() => undefined);
    await stage.clock.advance(24_000);
  }
}

const told = ({ events }: Actor) => events.filter(({ reason }) => reason === 'NewerJournal');

test('half-way through a creation: nothing is done, the reason says why, others go on, and the newer release finds all as it was', async (t) => {
  const { stage, party, one, rolledBack } = await aScene();
  party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
  await stage.create(boxes({ a: 1 }));
  await one.walk().catch(() => undefined);
  one.die();
  await inFormat(stage, 2);
  const entry = await entryOf(stage);
  t.is(entry?.phase, 'intent');
  const actor = rolledBack();
  await settled(stage, actor);
  const workspace = await stage.read();
  t.deepEqual(await entryOf(stage), entry, 'not written');
  t.deepEqual(party.calls, ['create a'], 'nothing outside');
  t.true(workspace.metadata.finalizers?.includes(claimOf('boxes')));
  const { status, reason } = conditionOf(workspace, 'Boxes');
  t.is(status, 'Locked', 'somebody may be at work');
  t.regex(reason, /^E#3020: its journal entry has format 2, .*run that release again$/);
  t.is(conditionOf(workspace, 'Other').status, 'Completed');
  t.is(told(actor).length, 1, 'once');
  await inFormat(stage, null);
  await settled(stage, actor);
  t.is(conditionOf(await stage.read(), 'Boxes').status, 'Completed');
  t.deepEqual(party.calls, ['create a'], 'found again');
});

test('in deletion: the claim stays, whatever the entry or a policy says, and goes once it can be read', async (t) => {
  const { stage, party, one } = await aScene();
  await stage.create(boxes({ a: 1 }));
  await one.walk();
  await inFormat(stage, 3);
  await stage.delete();
  for (const change of [
    async () => undefined,
    () => annotate(stage, { [policyAnnotation('Boxes')]: 'orphan' }),
    () =>
      stage.client.patch(
        Workspace,
        key,
        { type: 'merge', value: { status: { guards: { Boxes: { phase: 'gone' } } } } },
        { subresource: 'status' },
      ),
  ]) {
    await change();
    const entry = await entryOf(stage);
    await settled(stage, one);
    t.deepEqual(await entryOf(stage), entry);
    const workspace = await stage.read();
    t.deepEqual(workspace.metadata.finalizers, [claimOf('boxes')], 'the others have gone');
    t.regex(conditionOf(workspace, 'Boxes').reason, /^E#3020/);
    t.is(party.boxes.length, 1);
  }
  t.deepEqual(party.calls, ['create a']);
  await inFormat(stage, null);
  await settled(stage, one);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('what is there and as wanted is said to be in the way, until it can be read again', async (t) => {
  const { stage, one } = await aScene();
  await stage.create(boxes({ a: 1 }));
  await one.walk();
  await inFormat(stage, 2);
  await settled(stage, one);
  t.is(conditionOf(await stage.read(), 'Boxes').status, 'Error');
  await inFormat(stage, null);
  await settled(stage, one);
  t.is(conditionOf(await stage.read(), 'Boxes').status, 'Completed');
});

test('an answer waits for who can read the question; a question of a person keeps its words; a mirror in another form is not removed', async (t) => {
  const { stage, party, one } = await aScene();
  await stage.create(boxes({ a: 1 }));
  await one.walk();
  const mirror = mirrorAnnotation('Boxes');
  await annotate(stage, { [resolveAnnotation('Boxes')]: 'orphan@1', [mirror]: '{"v":2}' });
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = [{ type: 'Boxes', status: 'Unknown', reason: 'whether it was made', lastTransitionTime }];
  await stage.client.patch(
    Workspace,
    key,
    { type: 'merge', value: { status: { conditions, guards: { Boxes: { phase: 'unknown', token: 1, format: 2 } } } } },
    { subresource: 'status' },
  );
  await settled(stage, one);
  const { annotations } = (await stage.read()).metadata;
  t.is(annotations?.[resolveAnnotation('Boxes')], 'orphan@1');
  t.is(annotations?.[mirror], '{"v":2}');
  t.is(conditionOf(await stage.read(), 'Boxes').reason, 'whether it was made');
  t.true(told(one).length > 0);
  t.is(party.boxes.length, 1);
});
