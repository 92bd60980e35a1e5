import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { encodeMirror, loadSeal, readMirror } from '../../../../../sdk/host/index.ts';
import { conditionOf, Workspace } from '../../../../../sdk/index.ts';
import { adoptUid } from '../../../../../sequencer/cli/commands/adopt.ts';
import { aSeal } from '../../../a-seal.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { boxes, times } from '../../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../../sdk/provider/a-third-party.ts';
import { runToEnd } from '../a-terminal.ts';

const key = { namespace: 'default', name: 'shop' };

/** A workspace that was deleted without its finalizers and recreated without annotations: its things bear its former uid. */
async function remade(identity: 'name' | 'tag') {
  const [target, party] = [await aTargetCluster(), aThirdParty()];
  const actor = target.actor([boxKeeper(party.resource(identity))], { times });
  const { metadata } = await target.create(boxes({ a: 1 }));
  await actor.walk();
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await target.delete();
  await target.create(boxes({ a: 1 }));
  await actor.walk().catch(() => undefined);
  return { stage: target, party, actor, was: metadata.uid ?? '' };
}

async function goesOn(t: ExecutionContext, identity: 'name' | 'tag'): Promise<void> {
  const { stage: target, party, actor, was } = await remade(identity);
  const first = party.boxes[0]?.id;
  await adoptUid(target.client, aSeal, { workspace: await target.read(), was, conditions: [] });
  for (let walk = 0; walk < 4; walk += 1) {
    await actor.walk().catch(() => undefined);
    await target.clock.advance(24_000);
  }
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed', conditionOf(await target.read(), 'Boxes').reason);
  t.deepEqual(
    party.boxes.map(({ id }) => id),
    [first],
    'what was there before, and nothing else',
  );
  await target.delete();
  await actor.walk();
  t.deepEqual(party.boxes, []);
}

test('what bears the former uid is taken over, where its name was taken', (t) => goesOn(t, 'name'));

test('what bears the former uid is taken over, and what was made in its stead goes', (t) => goesOn(t, 'tag'));

test('the uid that it has now, and a workspace without conditions, are refused', async (t) => {
  const target = await aTargetCluster();
  const workspace = await target.create();
  const own = { workspace, was: workspace.metadata.uid ?? '', conditions: [] };
  await t.throwsAsync(adoptUid(target.client, aSeal, own), { code: 'E#2042', message: /the uid that it has now/ });
  await t.throwsAsync(adoptUid(target.client, aSeal, { ...own, was: 'u' }), {
    code: 'E#2042',
    message: /no conditions yet/,
  });
});

/** A workspace that came back from a backup, and its earlier uid. */
async function restoredWith(party: ReturnType<typeof aThirdParty>) {
  const target = await aTargetCluster();
  const actor = target.actor([boxKeeper(party.resource('key'))], { times });
  const { metadata, spec } = await target.create(boxes({ a: 1 }));
  await actor.walk();
  const { annotations = {} } = (await target.read()).metadata;
  await target.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await target.delete();
  await target.client.create(Workspace, { metadata: { ...key, annotations }, spec });
  await actor.walk();
  return { target, actor, was: metadata.uid ?? '' };
}

test('a uid other than the one whose ids an annotation holds is refused, and the ids stay', async (t) => {
  const { target, was } = await restoredWith(aThirdParty());
  const workspace = await target.read();
  const typo = { workspace, was: was.replace(/.$/, 'x'), conditions: [] };
  await t.throwsAsync(adoptUid(target.client, aSeal, typo), {
    code: 'E#2042',
    message: new RegExp(`external.se.quencer.io/Boxes holds the ids of workspace uid ${was}`),
  });
  t.deepEqual((await target.read()).metadata.annotations, workspace.metadata.annotations);
});

test('the uid of a workspace that comes back by itself is adopted with its ids', async (t) => {
  const party = aThirdParty();
  const { target, actor, was } = await restoredWith(party);
  await adoptUid(target.client, aSeal, { workspace: await target.read(), was, conditions: ['Boxes'] });
  for (let walk = 0; walk < 4; walk += 1) {
    await actor.walk().catch(() => undefined);
    await target.clock.advance(24_000);
  }
  t.is(conditionOf(await target.read(), 'Boxes').status, 'Completed');
  t.deepEqual(party.calls, ['create a']);
});

test('the uids from before the one that is adopted stay in the record', async (t) => {
  const { target, was } = await restoredWith(aThirdParty());
  const restored = await target.read();
  const mirror = readMirror(aSeal, restored, 'Boxes');
  if (mirror.kind !== 'predecessor') return t.fail(mirror.kind);
  const value = { metadata: { annotations: encodeMirror(aSeal, { ...mirror.record, formerly: ['uid-before'] }) } };
  const workspace = await target.client.patch(Workspace, key, { type: 'merge', value });
  await adoptUid(target.client, aSeal, { workspace, was, conditions: [] });
  t.like(readMirror(aSeal, await target.read(), 'Boxes'), {
    kind: 'predecessor',
    record: { uid: was, formerly: ['uid-before'], refs: mirror.record.refs },
  });
});

test('a condition that the workspace does not have is refused, with those that it has', async (t) => {
  const { target, was } = await restoredWith(aThirdParty());
  const adoption = { workspace: await target.read(), was, conditions: ['Boxs'] };
  await t.throwsAsync(adoptUid(target.client, aSeal, adoption), { code: 'E#2042', message: /no condition "Boxs"/ });
});

test('the command signs with the operator’s key, and says what it has written', async (t) => {
  const { stage: target, was } = await remade('tag');
  const folder = await mkdtemp(join(tmpdir(), 'adopt-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, (await target.cluster.listen()).kubeconfigYaml());
  t.teardown(() => target.cluster.close());
  const adopting = ['adopt', 'shop', '--was', was, '--kubeconfig', kubeconfig];
  const { code: refused, stderr } = await runToEnd(adopting);
  t.is(refused, 1);
  t.regex(stderr, /E#3011.*no Secret sequencer-seal in namespace "default"/, 'the operator has made it long ago');
  await loadSeal(target.client, 'default');
  const { code, stdout } = await runToEnd(adopting);
  t.is(code, 0);
  t.regex(stdout, new RegExp(`adopted {4}what uid ${was} had: Boxes`));
  const seal = await loadSeal(target.client, 'default');
  t.like(readMirror(seal, await target.read(), 'Boxes'), { kind: 'predecessor', record: { uid: was } });
});
