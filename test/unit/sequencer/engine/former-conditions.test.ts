import test from 'ava';
import {
  conditionOf,
  mirrorAnnotation,
  policyAnnotation,
  resolveAnnotation,
  Workspace,
} from '../../../../sdk/index.ts';
import type { ApiRequest } from '../../../cluster/index.ts';
import { aTargetCluster, refusing, textOf } from '../../a-target-cluster.ts';
import { boxes, key, times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';
import { isMirror } from '../../sdk/provider/guarding.ts';
import { aRenaming, putBackToNone, settled, wipeStatus } from './fixtures/a-renaming.ts';

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

test('a workspace that is deleted removes what was made under the former condition', async (t) => {
  const { stage: target, party, renamed } = await aRenaming();
  await renamed.walk();
  await target.delete();
  for (let walk = 0; walk < 4; walk += 1) await renamed.walk().catch(() => undefined);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.deepEqual(party.boxes, []);
});

test('given its condition back, it continues as before', async (t) => {
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
  const types = (await target.read()).status?.conditions?.map(({ type }) => type);
  t.deepEqual(types, ['Crates', 'Ready'], 'nothing would change the text of the former one any more');
  t.is((await target.read()).status?.guards?.Boxes?.phase, 'gone');
});

test('with what is there left to itself, and a crash before its mirror is removed, that goes before it begins afresh', async (t) => {
  const { stage: target, renamed } = await aRenaming();
  const annotations = { [policyAnnotation('Boxes')]: 'orphan' };
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  const isRemoval = (request: ApiRequest): boolean =>
    textOf(request).includes(`"remove","path":"/metadata/annotations/${mirrorAnnotation('Boxes').replace('/', '~1')}`);
  const refusal = refusing(target, isRemoval, { code: 503, reason: 'ServiceUnavailable', message: 'later' });
  await settled(target, renamed);
  t.true(refusal.count > 0);
  t.is((await target.read()).status?.guards?.Boxes?.phase, 'gone');
  t.is((await target.read()).status?.guards?.Crates?.phase, 'none');
  refusal.over = true;
  await settled(target, renamed);
  t.is((await target.read()).metadata.annotations?.[mirrorAnnotation('Boxes')], undefined);
  t.is(conditionOf(await target.read(), 'Crates').status, 'Completed');
  t.is(renamed.events.filter(({ reason }) => reason === 'Orphaned').length, 1);
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

for (const identity of ['tag', 'opaque'] as const) {
  const renamedAndWiped = async () => {
    const all = await aRenaming(identity);
    await wipeStatus(all.stage);
    return all;
  };

  test(`${identity}, with its status lost: nothing is made a second time, and the mirror tells where the things are`, async (t) => {
    const { stage: target, party, renamed } = await renamedAndWiped();
    await settled(target, renamed);
    t.deepEqual(
      party.calls.filter((call) => call.startsWith('create')),
      ['create a', 'create b'],
    );
    t.regex(conditionOf(await target.read(), 'Crates').reason, /answered for condition Boxes before/);
    t.is(renamed.events.filter((event) => event.reason === 'ConditionRenamed').length, 1);
  });

  test(`${identity}, with its status put back to before it began: nothing is made a second time`, async (t) => {
    const { stage: target, party, renamed } = await aRenaming(identity);
    await putBackToNone(target);
    await settled(target, renamed);
    t.is(party.boxes.length, 2);
    t.regex(conditionOf(await target.read(), 'Crates').reason, /answered for condition Boxes before/);
    t.is(renamed.events.filter((event) => event.reason === 'ConditionRenamed').length, 1);
  });

  test(`${identity}, with its status lost: a workspace that is deleted takes the things away, without a question`, async (t) => {
    const { stage: target, party, renamed } = await renamedAndWiped();
    await target.delete();
    for (let rounds = 0; rounds < 3; rounds += 1) await settled(target, renamed);
    await t.throwsAsync(target.read(), { name: 'NotFoundError' });
    t.deepEqual(party.boxes, []);
    t.deepEqual(
      renamed.events.filter(({ reason }) => reason === 'GuardUnknown'),
      [],
    );
  });

  test(`${identity}, with its status lost: deleted with what is there left to itself, it goes`, async (t) => {
    const { stage: target, party, renamed } = await renamedAndWiped();
    const annotations = { [policyAnnotation('Boxes')]: 'orphan' };
    await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
    await target.delete();
    for (let rounds = 0; rounds < 2; rounds += 1) await settled(target, renamed);
    await t.throwsAsync(target.read(), { name: 'NotFoundError' });
    t.is(party.boxes.length, 2);
  });

  test(`${identity}, with its status lost: given its condition back, it continues as before`, async (t) => {
    const { stage: target, party, keeper, renamed } = await renamedAndWiped();
    await renamed.walk();
    await settled(target, target.actor([keeper], { holder: 'back', times }));
    t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
    t.is(party.boxes.length, 2);
  });

  test(`${identity}, with its status lost: with what is there left to itself, it begins afresh, also once the status is lost again`, async (t) => {
    const { stage: target, party, renamed } = await renamedAndWiped();
    const annotations = { [policyAnnotation('Boxes')]: 'orphan' };
    await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
    await settled(target, renamed);
    t.is(conditionOf(await target.read(), 'Crates').status, 'Completed');
    t.is(party.boxes.length, 4);
    t.is(renamed.events.filter(({ reason }) => reason === 'Orphaned').length, 1);
    await wipeStatus(target);
    await settled(target, renamed);
    t.is(conditionOf(await target.read(), 'Crates').status, 'Completed');
    t.is(party.boxes.length, 4);
  });
}

test('restored from a backup without finalizers, and renamed: it is claimed, so that what is there is removed with it', async (t) => {
  const { stage: target, party, renamed } = await aRenaming();
  const { metadata, spec } = await target.read();
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await target.delete();
  const { namespace, name, annotations } = metadata;
  await target.client.create(Workspace, { metadata: { namespace, name, annotations }, spec });
  await settled(target, renamed);
  t.regex(conditionOf(await target.read(), 'Crates').reason, /answered for condition Boxes before/);
  await target.delete();
  for (let rounds = 0; rounds < 3; rounds += 1) await settled(target, renamed);
  await t.throwsAsync(target.read(), { name: 'NotFoundError' });
  t.deepEqual(party.boxes, []);
});

test('a forged mirror names no former condition', async (t) => {
  const { stage: target, party, renamed } = await aRenaming();
  const mirror = (await target.read()).metadata.annotations?.[mirrorAnnotation('Boxes')]?.replace(
    /"seal":"[^"]*"/,
    '"seal":"x"',
  );
  await target.client.create(Workspace, {
    metadata: { ...key, name: 'other', annotations: { [mirrorAnnotation('Boxes')]: mirror! } },
    spec: (await target.read()).spec,
  });
  for (let walks = 0; walks < 3; walks += 1) await renamed.walk('other');
  t.is(conditionOf(await target.read('other'), 'Crates').status, 'Completed');
  t.is(party.boxes.length, 4);
});

test('with something recorded under both conditions, the advice is not to register it with the other one', async (t) => {
  const { stage: target, renamed } = await aRenaming();
  const Crates = { ...{ phase: 'done', op: 'task', key: 'k-1', token: 1 }, holder: 'x', claim: 'se.quencer.io/boxes' };
  const operations = [{ op: 'add', path: '/status/guards/Crates', value: Crates }] as const;
  await target.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  await renamed.walk();
  const { reason } = conditionOf(await target.read(), 'Crates');
  t.regex(reason, /delete the workspace, which removes both, or annotate policy\.se\.quencer\.io\/Boxes=orphan/);
  t.notRegex(reason, /register/);
});

test('a status put back to before an attempt that left no mirror: the replica that has told of it before records that it is in doubt', async (t) => {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const keeper = boxKeeper(party.resource('name'));
  await target.create(boxes({ a: 1 }));
  const announces = (request: ApiRequest): boolean => isMirror(request) && textOf(request).includes('open');
  refusing(target, announces, { code: 403, reason: 'Forbidden', message: 'no annotations here' });
  party.faults.push({ call: 'create', carriedOut: true, error: new Error('reset') });
  await target
    .actor([keeper], { times })
    .walk()
    .catch(() => undefined);
  const moved = { ...keeper, condition: 'Crates' };
  const renamed = target.actor([moved], { holder: 'renamed', times });
  await settled(target, renamed);
  await putBackToNone(target);
  await settled(target, renamed);
  t.true((await target.read()).status?.guards?.Boxes?.lost);
  await settled(target, target.actor([moved], { holder: 'renamed later', times }));
  t.deepEqual(party.calls, ['create a']);
  t.regex(conditionOf(await target.read(), 'Crates').reason, /answered for condition Boxes before/);
});

test('a copied finalizer under which another condition has something stays until that is removed', async (t) => {
  const { stage: target, party, keeper, renamed } = await aRenaming();
  const { annotations = {}, finalizers = [] } = (await target.read()).metadata;
  const metadata = { namespace: 'default', name: 'copy', annotations, finalizers };
  await target.client.create(Workspace, { metadata, spec: boxes({ c: 7 }) });
  await settled(target, renamed, 'copy');
  t.deepEqual(party.boxes.map(({ name }) => name).sort(), ['a', 'b', 'c']);
  await target.delete('copy');
  await settled(target, target.actor([keeper], { holder: 'back', times }), 'copy');
  await t.throwsAsync(target.read('copy'), { name: 'NotFoundError' });
  t.deepEqual(party.boxes.map(({ name }) => name).sort(), ['a', 'b']);
});
