import test from 'ava';
import { mirrorAnnotation, type Task, Workspace } from '../../../../../sdk/index.ts';
import { mirroredOutcome, unrecordedOutcome } from '../../../../../sdk/provider/guard/restore-journal.ts';
import { effectiveEntry } from '../../../../../sdk/provider/journal/effective-entry.ts';
import { readMirror } from '../../../../../sdk/provider/journal/read-mirror.ts';
import { aSeal, sealedMirror } from '../../../a-seal.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { anEntry, aWorkspace } from '../../../a-workspace.ts';
import { aThirdParty, boxKeeper } from '../a-third-party.ts';
import { created, guarding, isStatusPatch, key, stateOf, times } from '../guarding.ts';

const entry = anEntry({ phase: 'intent', op: 'create', token: 7, holder: 'one/b' });
const ending = {
  kind: 'returned',
  outcome: { status: 'Completed', reason: 'made', refs: [{ id: 1 }] },
  refs: [{ id: 1 }],
} as const;
const left = (text: string, own: object = entry) => {
  const workspace = aWorkspace({ guards: { DNS: own }, annotations: { [mirrorAnnotation('DNS')]: text } });
  const mirror = readMirror(aSeal, workspace, 'DNS');
  return unrecordedOutcome({ entry: effectiveEntry(workspace, workspace.status?.guards?.DNS, mirror), mirror });
};
const mirrorOf = (outcome = mirroredOutcome(entry, ending)) =>
  sealedMirror(aWorkspace(), 'DNS', { token: 7, refs: [{ id: 1 }], outcome });

test('what an attempt came to is read back, for that very attempt only', (t) => {
  t.deepEqual(left(mirrorOf()), { status: 'Completed', reason: 'made', refs: [{ id: 1 }] });
  t.truthy(left(mirrorOf(), { ...entry, phase: 'unknown' }));
  for (const other of [{ token: 8 }, { holder: 'one/c' }, { phase: 'done' }])
    t.is(left(mirrorOf(), { ...entry, ...other }), undefined);
  for (const damaged of ['', '{', 'null', '7', mirrorOf().replace('Completed', 'Healthy')])
    t.is(left(damaged), undefined, damaged);
});

test('nothing is told of what failed, or left nothing behind: that is done again', (t) => {
  t.is(mirroredOutcome(entry, { kind: 'ambiguous', error: new Error('reset'), refs: [] }), undefined);
  const gone = { status: 'Terminated', reason: 'gone', refs: [] } as const;
  t.is(mirroredOutcome({ ...entry, op: 'delete' }, { kind: 'returned', outcome: gone, refs: [] }), undefined);
});

test('F6: an opaque attempt whose id is in the mirror is finished by the next holder: no person is asked', async (t) => {
  const stage = await aTargetCluster();
  let calls = 0;
  const task: Task = async () => {
    calls += 1;
    return created();
  };
  stage.cluster.intercept((request, next) =>
    isStatusPatch('done')(request) && request.headers['user-agent'] === 'dead' ? new Promise(() => {}) : next(request),
  );
  await stage.create();
  const dead = stage.actor([guarding({ task })], { holder: 'dead', times });
  void dead.walk().catch(() => undefined);
  while (!JSON.stringify((await stage.read()).metadata.annotations ?? {}).includes('external'))
    await stage.clock.advance(0);
  dead.die();
  const heir = stage.actor([guarding({ task })], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(22_000);
  await heir.walk().catch(() => undefined);
  await heir.walk();
  t.is(calls, 1);
  t.like(await stateOf(stage), { status: 'Completed', reason: 'made', entry: { phase: 'done', refs: [{ id: 'a' }] } });
});

test('an outcome that arrives when a person is asked already answers the question', async (t) => {
  const stage = await aTargetCluster();
  await stage.create();
  const actor = stage.actor([guarding({ task: () => Promise.reject(new Error('reset')) })], { times });
  await t.throwsAsync(actor.walk());
  const { entry: asked } = await stateOf(stage);
  t.is(asked?.phase, 'unknown');
  const outcome = mirroredOutcome(asked!, ending);
  const text = sealedMirror(await stage.read(), 'DNS', { token: asked!.token, refs: [{ id: 1 }], outcome });
  const annotations = { [mirrorAnnotation('DNS')]: text };
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await actor.walk();
  t.like(await stateOf(stage), { status: 'Completed', reason: 'made', entry: { phase: 'done' } });
});

test('a thing of an opaque resource that was mirrored before a crash is kept as wanted, changed and removed', async (t) => {
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const integration = boxKeeper(party.resource('opaque'));
  let cut = true;
  stage.cluster.intercept((request, next) =>
    cut && isStatusPatch('done')(request) ? new Promise(() => {}) : next(request),
  );
  await stage.create({ integrations: { boxes: { a: 1 } } });
  const dead = stage.actor([integration], { holder: 'dead', times });
  void dead.walk().catch(() => undefined);
  while (party.boxes.length === 0) await stage.clock.advance(0);
  for (let turn = 0; turn < 20; turn += 1) await stage.clock.advance(0);
  dead.die();
  cut = false;
  const heir = stage.actor([integration], { holder: 'heir', times });
  await heir.walk();
  await stage.clock.advance(22_000);
  await heir.walk().catch(() => undefined);
  await heir.walk();
  await stage.delete();
  await heir.walk();
  t.deepEqual(party.calls, ['create a', 'delete a']);
});

test('what an earlier workspace of the name was Completed for says nothing of what is wanted now', async (t) => {
  const stage = await aTargetCluster();
  const actor = stage.actor([guarding({ task: created })], { times });
  const { metadata } = await stage.create();
  await actor.walk();
  const { annotations = {}, finalizers = [] } = (await stage.read()).metadata;
  await stage.client.delete(Workspace, key);
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  const restored = { ...key, annotations, finalizers };
  await stage.client.create(Workspace, { metadata: restored, spec: { integrations: { other: {} } } });
  await actor.walk();
  await stage.clock.advance(22_000);
  await actor.walk();
  const { status, workspace, entry: journal } = await stateOf(stage);
  t.not(workspace.metadata.uid, metadata.uid);
  t.deepEqual([status, journal?.refs?.length], ['In Progress', 1]);
});

test('an open attempt that is restored has no lower token than the entry that was put back', async (t) => {
  const stage = await aTargetCluster();
  const party = aThirdParty();
  const actor = stage.actor([boxKeeper(party.resource('tag'))], { times });
  party.faults.push({ call: 'create', carriedOut: false, error: new Error('reset') });
  await stage.create({ integrations: { boxes: { a: 1 } } });
  await t.throwsAsync(actor.walk(), { message: /reset/ });
  const entryNow = async () => (await stage.read()).status?.guards?.Boxes;
  const open = await entryNow();
  const putEntry = async (token: number) => {
    const deleting = { ...open, phase: 'intent', op: 'delete', holder: 'dead/x', token };
    const operations = [{ op: 'add' as const, path: '/status/guards/Boxes', value: deleting }];
    await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  };
  await putEntry(open!.token + 2_000);
  await actor.walk().catch(() => undefined);
  await putEntry(open!.token + 1_000);
  const seen: number[] = [];
  stage.cluster.intercept(async (request, next) => {
    const answer = await next(request);
    if (request.method === 'PATCH') seen.push((await entryNow())?.token ?? 0);
    return answer;
  });
  for (let walks = 0; walks < 4; walks += 1) {
    await actor.walk().catch(() => undefined);
    await stage.clock.advance(12_000);
  }
  t.is((await stateOf(stage)).workspace.status?.guards?.Boxes?.phase, 'done');
  t.true(Math.min(...seen) >= open!.token + 1_000, `${open!.token}: ${seen.join(', ')}`);
  t.is(party.boxes.length, 1);
});
