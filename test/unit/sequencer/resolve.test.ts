import test from 'ava';
import { conditionOf, Workspace } from '../../../sdk/index.ts';
import { noSeal } from '../../../sdk/provider/host/seal.ts';
import { aSeal, signedText } from '../a-seal.ts';
import { aTargetCluster, textOf } from '../a-target-cluster.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';
import { created, dyingIn, guarding, stateOf, times } from '../sdk/provider/guarding.ts';

const key = { namespace: 'default', name: 'shop' };

/** A workspace with an opaque creation that got no answer; the thing was made or not. */
async function aQuestion(made: boolean, seal = aSeal) {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  party.faults.push({ call: 'create', carriedOut: made, error: new Error('reset') });
  const actor = target.actor([boxKeeper(party.resource('opaque'))], {
    seal,
    times: { lease: 10_000, maxRequest: 2_000 },
  });
  await target.create({ integrations: { boxes: { a: 1 } } });
  await actor.walk().catch(() => undefined);
  const token = (await target.read()).status?.guards?.Boxes?.token;
  const annotate = (text: string) => {
    const annotations = { 'resolve.se.quencer.io/Boxes': text };
    return target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  };
  return {
    token,
    stage: target,
    party,
    actor,
    status: async () => conditionOf(await target.read(), 'Boxes').status,
    answer: async (text: string) => {
      const said = signedText(await target.read(), 'Boxes', text.replace('@', `@${token}`));
      await annotate(said);
      await actor.walk();
    },
    annotate,
  };
}

test('a person who found nothing has it made again', async (t) => {
  const { party, answer, status, stage: target, actor } = await aQuestion(false);
  t.is(await status(), 'Unknown');
  await answer('retry@');
  t.is(await status(), 'Completed');
  t.deepEqual(party.calls, ['create a']);
  t.is((await target.read()).metadata.annotations?.['resolve.se.quencer.io/Boxes'], undefined, 'the answer is removed');
  t.true(actor.events.some(({ reason }) => reason === 'GuardResolved'));
});

test('a person who found it has it adopted, and it is removed with the workspace', async (t) => {
  const { party, answer, status, stage: target, actor } = await aQuestion(true);
  await answer(`adopt@=${party.boxes[0]?.id}`);
  t.is(await status(), 'Completed');
  t.is(party.boxes.length, 1);
  await target.delete();
  await actor.walk();
  t.is(party.boxes.length, 0);
});

test('ids that are not signed, or signed for another question, are not taken for ours, and the question stays', async (t) => {
  const { party, annotate, status, stage: target, actor, token } = await aQuestion(true);
  party.boxes.push({ id: 'db-1', name: 'a', size: 1, mark: 'somebody', key: 'other' });
  const other = signedText(
    { ...(await target.read()), metadata: { ...(await target.read()).metadata, uid: 'other' } },
    'Boxes',
    `adopt@${token}=db-1`,
  );
  for (const forged of [`adopt@${token}=db-1`, `adopt@${token}=db-1 seal=x.y`, other]) {
    await annotate(forged);
    await actor.walk();
    t.is(await status(), 'Unknown', forged);
    t.is((await target.read()).metadata.annotations?.['resolve.se.quencer.io/Boxes'], undefined);
  }
  t.is(actor.events.filter(({ reason }) => reason === 'AnswerNotSigned').length, 3);
});

test('an operator without a key takes no id for ours: any user may have written it', async (t) => {
  const { party, annotate, status, stage: target, actor, token } = await aQuestion(false, noSeal);
  party.boxes.push({ id: 'db-1', name: 'theirs', size: 9, mark: 'theirs', key: 'theirs' });
  for (const forged of [
    `adopt@${token}=db-1`,
    signedText(await target.read(), 'Boxes', `adopt@${token}=db-1`),
    `adopt@${token}=db-1 seal=.`,
  ]) {
    await annotate(forged);
    await actor.walk();
    t.is(await status(), 'Unknown', forged);
  }
  const told = actor.events.filter(({ reason }) => reason === 'AnswerNotSigned');
  t.is(told.length, 3);
  t.regex(told[0]!.message, /has no key to check them by: give it its rights on the Secret sequencer-seal, or answer/);
  await annotate(`retry@${token}`);
  await actor.walk();
  t.is(await status(), 'Completed');
  t.deepEqual(party.boxes.map(({ name, size }) => `${name} ${size}`).sort(), ['a 1', 'theirs 9']);
});

test('a person who gives it up lets a workspace go that is being deleted', async (t) => {
  const { party, answer, stage: target, actor } = await aQuestion(true);
  await target.delete();
  await actor.walk();
  t.truthy(await target.read());
  await answer('orphan@').catch(() => undefined);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.is(party.boxes.length, 1, 'what there is stays');
});

test('an answer to an older question changes nothing', async (t) => {
  const { answer, status, party } = await aQuestion(false);
  await answer('retry@9');
  t.is(await status(), 'Unknown');
  t.deepEqual(party.calls, []);
});

test('an answer that is there before its question is carried out in the walk that asks, to the end', async (t) => {
  const target = await aTargetCluster();
  const plan = { task: created };
  await target.create();
  await dyingIn(target, plan);
  const { token } = (await stateOf(target)).entry ?? {};
  const annotations = { 'resolve.se.quencer.io/DNS': `retry@${token}` };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  const heir = target.actor([guarding(plan)], { holder: 'heir', times });
  await heir.walk();
  await target.clock.advance(22_000);
  await heir.walk();
  t.is((await stateOf(target)).status, 'Completed');
});

test('only the answer that was carried out is removed, not one that has come since', async (t) => {
  const { stage: target, answer, annotate, actor } = await aQuestion(false);
  let late = true;
  target.cluster.intercept(async (request, next) => {
    if (
      late &&
      request.method === 'PATCH' &&
      textOf(request).includes('"remove","path":"/metadata/annotations/resolve')
    ) {
      late = false;
      await annotate('orphan@9');
    }
    return next(request);
  });
  await answer('retry@').catch(() => undefined);
  await actor.walk().catch(() => undefined);
  t.false(late);
  t.is((await target.read()).metadata.annotations?.['resolve.se.quencer.io/Boxes'], 'orphan@9');
  t.false(actor.events.some(({ reason }) => reason === 'WriteRefused'));
});
