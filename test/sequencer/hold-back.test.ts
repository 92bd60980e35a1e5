import test from 'ava';
import { conditionOf, type Integration, policyAnnotation } from '../../sdk/index.ts';
import { aStage } from '../a-stage.ts';
import { boxes, times, want } from '../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../sdk/provider/a-third-party.ts';
import { created, dyingIn, guarding } from '../sdk/provider/guarding.ts';
import { annotate, aScene, names, policed, said } from '../sdk/provider/policed.ts';

test('plan: says what would be made, changed and deleted, in the condition and once as an event, and does nothing', async (t) => {
  const { stage, party, actor } = await aScene(undefined, { a: 1, b: 1, c: 1 });
  await actor.walk();
  await policed(stage, 'plan');
  await want(stage, { a: 5, b: null, d: 1 });
  const calls = [...party.calls];
  await actor.walk();
  t.is(
    await said(stage),
    'Waiting: plan: would delete box b (nobody wants it any more), change box a (size is 1, wanted 5), create box d',
  );
  await actor.walk();
  t.deepEqual(party.calls, calls);
  t.is(actor.events.filter(({ reason }) => reason === 'BoxesHeldBack').length, 1);
  t.is((await stage.read()).status?.phase, 'Deploying');
});

test('plan: without it, what was planned is done', async (t) => {
  const { stage, party, actor } = await aScene();
  await policed(stage, 'plan');
  await actor.walk();
  t.is(await said(stage), 'Waiting: plan: would create box a');
  t.deepEqual((await stage.read()).metadata.finalizers, undefined, 'what makes nothing needs no claim');
  await policed(stage, null);
  await actor.walk();
  t.deepEqual(names(party), ['a 1']);
  t.is(await said(stage), 'Completed: box a is there');
});

test('plan: a deletion waits and says what would be deleted, until the plan is lifted', async (t) => {
  const { stage, party, actor } = await aScene();
  await actor.walk();
  await policed(stage, 'plan');
  await stage.delete();
  await actor.walk();
  t.is(await said(stage), 'Waiting: plan: would delete box a');
  t.deepEqual(names(party), ['a 1']);
  await policed(stage, null);
  await actor.walk();
  t.deepEqual(names(party), []);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('plan: a workspace that never had anything is deleted at once', async (t) => {
  const { stage, actor } = await aScene('plan');
  await actor.walk();
  await stage.delete();
  await actor.walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('observeOnly: says what is missing and what differs, again and again, and changes nothing', async (t) => {
  const { stage, party, actor } = await aScene('observeOnly', { a: 1, b: 2 });
  const result = await actor.walk();
  t.is(await said(stage), 'Not Healthy: observeOnly: box a is missing, box b is missing');
  t.true(result.requeueAfter !== undefined && result.requeueAfter >= 225_000 && result.requeueAfter <= 300_000);
  const uid = (await stage.read()).metadata.uid;
  for (const [name, size] of [
    ['a', 7],
    ['b', 2],
  ] as const)
    party.boxes.push({ id: name, name, size, mark: `${uid}/Boxes/${name}`, key: 'x' });
  await actor.walk();
  t.is(await said(stage), 'Not Healthy: observeOnly: box a differs (size is 7, wanted 1)');
  party.boxes[0] = { ...party.boxes[0]!, size: 1 };
  await actor.walk();
  t.is(await said(stage), 'Completed: observeOnly: box a is there, box b is there');
  t.is(conditionOf(await stage.read(), 'Ready').status, 'True');
  t.deepEqual(party.calls, []);
});

test('observeOnly: drift is told and not mended; on deletion everything stays, and an event names it', async (t) => {
  const { stage, party, actor } = await aScene();
  await actor.walk();
  await policed(stage, 'observeOnly', 'Boxes');
  party.boxes[0] = { ...party.boxes[0]!, size: 9 };
  await actor.walk();
  t.is(await said(stage), 'Not Healthy: observeOnly: box a differs (size is 9, wanted 1)');
  await stage.delete();
  await actor.walk();
  t.deepEqual(names(party), ['a 9']);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  const orphaned = actor.events.find(({ reason }) => reason === 'Orphaned');
  t.regex(orphaned?.message ?? '', /policy observeOnly: what is outside stays there: \{"id":"box-1"\}$/);
});

for (const policy of ['plan', 'observeOnly'] as const)
  test(`${policy}: a plain guard does not run, and its reason is told`, async (t) => {
    const stage = await aStage();
    let calls = 0;
    const task = async () => {
      calls += 1;
      return created();
    };
    await stage.create();
    const actor = stage.actor([{ ...guarding({ task }), policy }], { times });
    await actor.walk();
    t.is(calls, 0);
    t.is(
      await said(stage, 'DNS'),
      policy === 'plan'
        ? 'Waiting: plan: would start "creating"'
        : 'Not Healthy: observeOnly: "creating" is left undone',
    );
  });

test('an attempt whose holder died is not run again under plan, and no person is asked; lifted, it goes on', async (t) => {
  const stage = await aStage();
  let calls = 0;
  const task = async () => {
    calls += 1;
    return created();
  };
  const options = { identity: 'name' as const };
  await stage.create();
  await dyingIn(stage, { task, options });
  const heir = stage.actor([guarding({ task, options })], { holder: 'heir', times });
  await heir.walk();
  await policed(stage, 'plan');
  await stage.clock.advance(22_000);
  await heir.walk();
  t.is(calls, 1);
  t.is((await stage.read()).status?.guards?.DNS?.phase, 'intent', 'still to be resolved');
  t.is(await said(stage, 'DNS'), 'Waiting: plan: would start "creating"');
  await policed(stage, null);
  await heir.walk();
  t.is(calls, 2);
  t.is(await said(stage, 'DNS'), 'Completed: made');
});

test('a paused workspace is not even planned; of several policies the strictest counts', async (t) => {
  const { stage, actor } = await aScene('observeOnly');
  await annotate(stage, { 'se.quencer.io/paused': 'true' });
  await actor.walk();
  t.is(await said(stage), 'Initialized: not looked at yet');
  await annotate(stage, { 'se.quencer.io/paused': null, [policyAnnotation()]: 'manage' });
  await actor.walk();
  t.regex(await said(stage), /^Not Healthy: observeOnly: /);
});

test('an annotation that is no policy holds everything back, and the condition says what it may be', async (t) => {
  const { stage, party, actor } = await aScene();
  await actor.walk();
  await annotate(stage, { [policyAnnotation()]: 'observeonly' });
  await want(stage, { b: 1 });
  await actor.walk();
  t.is(
    await said(stage),
    'Error: annotation se.quencer.io/policy is "observeonly", which is no policy: it is one of manage, orphan, plan, observeOnly',
  );
  await stage.delete();
  await actor.walk();
  t.truthy(await stage.read());
  t.deepEqual(names(party), ['a 1']);
});

test('what comes after another condition is planned with it', async (t) => {
  const [stage, party] = [await aStage(), aThirdParty()];
  await stage.create(boxes({ a: 1 }));
  await policed(stage, 'plan');
  const later: Integration = { ...guarding({ task: created }), after: ['Boxes'] };
  await stage.actor([boxKeeper(party.resource('tag')), later], { times }).walk();
  t.is(await said(stage, 'DNS'), 'Waiting: plan: would start "creating"');
});

test('a third party that cannot be looked at is an error of the condition, not of the plan', async (t) => {
  const [stage, party] = [await aStage(), aThirdParty()];
  const find = async () => {
    throw new Error('not reached');
  };
  await stage.create(boxes({ a: 1 }));
  const actor = stage.actor([{ ...boxKeeper(party.resource('tag', { find })), policy: 'plan' as const }], { times });
  await t.throwsAsync(actor.walk(), { message: 'not reached' });
  t.is(await said(stage), 'Error: not reached');
});
