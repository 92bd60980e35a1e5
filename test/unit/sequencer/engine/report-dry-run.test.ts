import test from 'ava';
import { conditionOf, type Integration, policyAnnotation } from '../../../../sdk/index.ts';
import { aTargetCluster } from '../../a-target-cluster.ts';
import { boxes, times, want } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';
import { created, dyingIn, guarding } from '../../sdk/provider/guarding.ts';
import { annotate, aScene, names, policed, said } from '../../sdk/provider/policed.ts';

test('plan: says what would be made, changed and deleted, in the condition and once as an event, and does nothing', async (t) => {
  const { stage: target, party, actor } = await aScene(undefined, { a: 1, b: 1, c: 1 });
  await actor.walk();
  await policed(target, 'plan');
  await want(target, { a: 5, b: null, d: 1 });
  const calls = [...party.calls];
  await actor.walk();
  t.is(
    await said(target),
    'Waiting: plan: would delete box b (it is no longer wanted), change box a (size is 1, wanted 5), create box d',
  );
  await actor.walk();
  t.deepEqual(party.calls, calls);
  t.is(actor.events.filter(({ reason }) => reason === 'BoxesHeldBack').length, 1);
  t.is((await target.read()).status?.phase, 'Deploying');
});

test('plan: without it, what was planned is done', async (t) => {
  const { stage: target, party, actor } = await aScene();
  await policed(target, 'plan');
  await actor.walk();
  t.is(await said(target), 'Waiting: plan: would create box a');
  t.deepEqual((await target.read()).metadata.finalizers, undefined, 'what makes nothing needs no claim');
  await policed(target, null);
  await actor.walk();
  t.deepEqual(names(party), ['a 1']);
  t.is(await said(target), 'Completed: box a is there');
});

test('plan: a deletion waits and says what would be deleted, until the plan is lifted', async (t) => {
  const { stage: target, party, actor } = await aScene();
  await actor.walk();
  await policed(target, 'plan');
  await target.delete();
  await actor.walk();
  t.is(await said(target), 'Waiting: plan: would delete box a');
  t.deepEqual(names(party), ['a 1']);
  await policed(target, null);
  await actor.walk();
  t.deepEqual(names(party), []);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('plan: a workspace that never had anything is deleted at once', async (t) => {
  const { stage: target, actor } = await aScene('plan');
  await actor.walk();
  await target.delete();
  await actor.walk();
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
});

test('observeOnly: says what is missing and what differs, again and again, and changes nothing', async (t) => {
  const { stage: target, party, actor } = await aScene('observeOnly', { a: 1, b: 2 });
  const result = await actor.walk();
  t.is(await said(target), 'Not Healthy: observeOnly: box a is missing, box b is missing');
  t.true(result.requeueAfter !== undefined && result.requeueAfter >= 225_000 && result.requeueAfter <= 300_000);
  const uid = (await target.read()).metadata.uid;
  for (const [name, size] of [
    ['a', 7],
    ['b', 2],
  ] as const)
    party.boxes.push({ id: name, name, size, mark: `${uid}/Boxes/${name}`, key: 'x' });
  await actor.walk();
  t.is(await said(target), 'Not Healthy: observeOnly: box a differs (size is 7, wanted 1)');
  party.boxes[0] = { ...party.boxes[0]!, size: 1 };
  await actor.walk();
  t.is(await said(target), 'Completed: observeOnly: box a is there, box b is there');
  t.is(conditionOf(await target.read(), 'Ready').status, 'True');
  t.deepEqual(party.calls, []);
});

test('observeOnly: drift is reported and not fixed; on deletion everything stays, and an event names it', async (t) => {
  const { stage: target, party, actor } = await aScene();
  await actor.walk();
  await policed(target, 'observeOnly', 'Boxes');
  party.boxes[0] = { ...party.boxes[0]!, size: 9 };
  await actor.walk();
  t.is(await said(target), 'Not Healthy: observeOnly: box a differs (size is 9, wanted 1)');
  await target.delete();
  await actor.walk();
  t.deepEqual(names(party), ['a 9']);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  const orphaned = actor.events.find(({ reason }) => reason === 'Orphaned');
  t.regex(orphaned?.message ?? '', /policy observeOnly: what is outside stays there: \{"id":"box-1"\}$/);
});

for (const policy of ['plan', 'observeOnly'] as const)
  test(`${policy}: a plain guard does not run, and its reason is reported`, async (t) => {
    const target = await aTargetCluster();
    let calls = 0;
    const task = async () => {
      calls += 1;
      return created();
    };
    await target.create();
    const actor = target.actor([{ ...guarding({ task }), policy }], { times });
    await actor.walk();
    t.is(calls, 0);
    t.is(
      await said(target, 'DNS'),
      policy === 'plan' ? 'Waiting: plan: would start "creating"' : 'Not Healthy: observeOnly: "creating" is not run',
    );
  });

test('an attempt whose holder died is not run again under plan, and no person is asked; lifted, it continues', async (t) => {
  const target = await aTargetCluster();
  let calls = 0;
  const task = async () => {
    calls += 1;
    return created();
  };
  const options = { identity: 'name' as const };
  await target.create();
  await dyingIn(target, { task, options });
  const heir = target.actor([guarding({ task, options })], { holder: 'heir', times });
  await heir.walk();
  await policed(target, 'plan');
  await target.clock.advance(22_000);
  await heir.walk();
  t.is(calls, 1);
  t.is((await target.read()).status?.guards?.DNS?.phase, 'intent', 'still to be resolved');
  t.is(await said(target, 'DNS'), 'Waiting: plan: would start "creating"');
  await policed(target, null);
  await heir.walk();
  t.is(calls, 2);
  t.is(await said(target, 'DNS'), 'Completed: made');
});

test('a paused workspace is not even planned; of several policies the strictest counts', async (t) => {
  const { stage: target, actor } = await aScene('observeOnly');
  await annotate(target, { 'se.quencer.io/paused': 'true' });
  await actor.walk();
  t.is(await said(target), 'Initialized: not reconciled yet');
  await annotate(target, { 'se.quencer.io/paused': null, [policyAnnotation()]: 'manage' });
  await actor.walk();
  t.regex(await said(target), /^Not Healthy: observeOnly: /);
});

test('an annotation that is not a policy holds everything back, and the condition says what it may be', async (t) => {
  const { stage: target, party, actor } = await aScene();
  await actor.walk();
  await annotate(target, { [policyAnnotation()]: 'observeonly' });
  await want(target, { b: 1 });
  await actor.walk();
  t.is(
    await said(target),
    'Error: annotation se.quencer.io/policy is "observeonly", which is not a policy: it is one of manage, orphan, plan, observeOnly',
  );
  await target.delete();
  await actor.walk();
  t.truthy(await target.read());
  t.deepEqual(names(party), ['a 1']);
});

test('what comes after another condition is planned with it', async (t) => {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  await target.create(boxes({ a: 1 }));
  await policed(target, 'plan');
  const later: Integration = { ...guarding({ task: created }), after: ['Boxes'] };
  await target.actor([boxKeeper(party.resource('tag')), later], { times }).walk();
  t.is(await said(target, 'DNS'), 'Waiting: plan: would start "creating"');
});

test('a third party that cannot be looked at is an error of the condition, not of the plan', async (t) => {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const find = async () => {
    throw new Error('not reached');
  };
  await target.create(boxes({ a: 1 }));
  const actor = target.actor([{ ...boxKeeper(party.resource('tag', { find })), policy: 'plan' as const }], { times });
  await t.throwsAsync(actor.walk(), { message: 'not reached' });
  t.is(await said(target), 'Error: not reached');
});
