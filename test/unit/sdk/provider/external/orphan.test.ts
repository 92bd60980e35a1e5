import test from 'ava';
import { type Integration, Workspace } from '../../../../../sdk/index.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { boxes, key, times, want } from '../a-keeper.ts';
import { aThirdParty, boxKeeper } from '../a-third-party.ts';
import { created, dyingIn, guarding } from '../guarding.ts';
import { aScene, names, policed, said } from '../policed.ts';

test('orphan: creates and changes, but what is no longer wanted stays, and an event names it', async (t) => {
  const { stage, party, actor } = await aScene('orphan', { a: 1, b: 1 });
  await actor.walk();
  await want(stage, { a: 3, b: null });
  await actor.walk();
  t.deepEqual(names(party), ['a 3', 'b 1']);
  t.is(await said(stage), 'Completed: box a is there');
  t.true(
    actor.events.some(
      ({ reason, message }) =>
        reason === 'Orphaned' && message === 'Boxes: box b is no longer desired, and stays outside: {"id":"box-2"}',
    ),
  );
});

test('orphan: on deletion the third party is not called at all, the finalizer goes, the things stay', async (t) => {
  const { stage, party, actor } = await aScene('orphan');
  await actor.walk();
  party.faults.push({ call: 'delete', carriedOut: false, error: new Error('its credential was revoked') });
  await stage.delete();
  await actor.walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.deepEqual(names(party), ['a 1']);
  t.is(party.faults.length, 1, 'no call was tried');
});

test('orphan: what could only be changed by deleting it stays as it is, and the condition says so', async (t) => {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const integration: Integration = { ...boxKeeper(party.resource('tag', { update: undefined })), policy: 'orphan' };
  const actor = stage.actor([integration], { times });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await want(stage, { a: 2 });
  await t.throwsAsync(actor.walk(), { name: 'GiveUpError' });
  t.is(
    await said(stage),
    'Error: box a would have to be deleted to become as wanted, which policy orphan does not allow',
  );
  t.deepEqual(names(party), ['a 1']);
});

test('orphan: a workspace that no longer asks for it lets go, and may ask for it again', async (t) => {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const integration: Integration = {
    ...boxKeeper(party.resource('tag')),
    handles: ({ spec }) => spec.integrations?.boxes !== undefined,
    policy: 'orphan',
  };
  const actor = stage.actor([integration], { times });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { boxes: null } } } });
  await actor.walk();
  t.deepEqual(names(party), ['a 1']);
  t.deepEqual((await stage.read()).metadata.finalizers ?? [], []);
  await want(stage, { b: 1 });
  await actor.walk();
  t.deepEqual(names(party), ['a 1', 'b 1']);
});

test('a plain guard under orphan works, and its deletion is not run', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const plan = { task: created, terminate: async () => t.fail('must not be called') as never };
  const actor = stage.actor([{ ...guarding(plan), policy: 'orphan' as const }], { times });
  await actor.walk();
  t.is(await said(stage, 'DNS'), 'Completed: made');
  await stage.delete();
  await actor.walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.true(actor.events.some(({ reason, message }) => reason === 'Orphaned' && message.endsWith('stays there: "a"')));
});

test('a plain guard that says that it deletes is not run under orphan', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const plan = { task: async () => t.fail('must not be called') as never, options: { op: 'delete' as const } };
  await stage.actor([{ ...guarding(plan), policy: 'orphan' as const }], { times }).walk();
  t.is(await said(stage, 'DNS'), 'Waiting: orphan: "creating" is not run');
});

test('nothing is let go while a live holder is at work: what it makes would not be named', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const options = { identity: 'name' as const };
  await dyingIn(stage, { task: created, options });
  await policed(stage, 'orphan');
  await stage.delete();
  const heir = stage.actor([guarding({ task: created, options })], { holder: 'heir', times });
  const { requeueAfter } = await heir.walk();
  t.true(requeueAfter !== undefined && requeueAfter > 0);
  t.truthy(await stage.read());
  await stage.clock.advance(22_000);
  await heir.walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.true(heir.events.some(({ message }) => message.includes('and whatever came of "task"')));
});

test('an unknown outcome is a question no more once everything may stay', async (t) => {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const actor = stage.actor([boxKeeper(party.resource('opaque'))], { times });
  party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
  await stage.create(boxes({ a: 1 }));
  await t.throwsAsync(actor.walk());
  await stage.delete();
  await actor.walk();
  t.truthy(await stage.read(), 'a person is asked');
  await policed(stage, 'orphan');
  await actor.walk();
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});
