import test from 'ava';
import { conditionOf, Workspace } from '../../sdk/index.ts';
import { aStage } from '../a-stage.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';

const key = { namespace: 'default', name: 'shop' };

/** A workspace of which an opaque creation got no answer; the thing was made, or not. */
async function aQuestion(made: boolean) {
  const [stage, party] = [await aStage(), aThirdParty()];
  party.faults.push({ call: 'create', carriedOut: made, error: new Error('reset') });
  const actor = stage.actor([boxKeeper(party.resource('opaque'))], { times: { lease: 10_000, maxRequest: 2_000 } });
  await stage.create({ integrations: { boxes: { a: 1 } } });
  await actor.walk().catch(() => undefined);
  const token = (await stage.read()).status?.guards?.Boxes?.token;
  return {
    stage,
    party,
    actor,
    status: async () => conditionOf(await stage.read(), 'Boxes').status,
    answer: async (text: string) => {
      const annotations = { 'resolve.se.quencer.io/Boxes': text.replace('@', `@${token}`) };
      await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
      await actor.walk();
    },
  };
}

test('a person who found nothing has it made again', async (t) => {
  const { party, answer, status, stage, actor } = await aQuestion(false);
  t.is(await status(), 'Unknown');
  await answer('retry@');
  t.is(await status(), 'Completed');
  t.deepEqual(party.calls, ['create a']);
  t.is(
    (await stage.read()).metadata.annotations?.['resolve.se.quencer.io/Boxes'],
    undefined,
    'the answer is taken away',
  );
  t.true(actor.events.some(({ reason }) => reason === 'GuardResolved'));
});

test('a person who found it has it adopted, and it is taken away with the workspace', async (t) => {
  const { party, answer, status, stage, actor } = await aQuestion(true);
  await answer(`adopt@=${party.boxes[0]?.id}`);
  t.is(await status(), 'Completed');
  t.is(party.boxes.length, 1);
  await stage.delete();
  await actor.walk();
  t.is(party.boxes.length, 0);
});

test('a person who gives it up lets a workspace go that is being deleted', async (t) => {
  const { party, answer, stage, actor } = await aQuestion(true);
  await stage.delete();
  await actor.walk();
  t.truthy(await stage.read());
  await answer('orphan@').catch(() => undefined);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.is(party.boxes.length, 1, 'what there is stays');
});

test('an answer to an older question changes nothing', async (t) => {
  const { answer, status, party } = await aQuestion(false);
  await answer('retry@9');
  t.is(await status(), 'Unknown');
  t.deepEqual(party.calls, []);
});
