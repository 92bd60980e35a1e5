import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { conditionOf, loadSeal, readMirror, Workspace } from '../../../sdk/index.ts';
import { adoptUid } from '../../../sequencer/cli/adopt.ts';
import { aSeal } from '../../a-seal.ts';
import { aStage } from '../../a-stage.ts';
import { boxes, times } from '../../sdk/provider/a-keeper.ts';
import { aThirdParty, boxKeeper } from '../../sdk/provider/a-third-party.ts';
import { runToEnd } from './a-terminal.ts';

const key = { namespace: 'default', name: 'shop' };

/** A workspace that was deleted without its finalizers, and made again without annotations: what it had bears its former uid. */
async function remade(identity: 'name' | 'tag') {
  const [stage, party] = [await aStage(), aThirdParty()];
  const actor = stage.actor([boxKeeper(party.resource(identity))], { times });
  const { metadata } = await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  await stage.delete();
  await stage.create(boxes({ a: 1 }));
  await actor.walk().catch(() => undefined);
  return { stage, party, actor, was: metadata.uid ?? '' };
}

async function goesOn(t: ExecutionContext, identity: 'name' | 'tag'): Promise<void> {
  const { stage, party, actor, was } = await remade(identity);
  const first = party.boxes[0]?.id;
  await adoptUid(stage.client, aSeal, { workspace: await stage.read(), was, conditions: [] });
  for (let walk = 0; walk < 4; walk += 1) {
    await actor.walk().catch(() => undefined);
    await stage.clock.advance(24_000);
  }
  t.is(conditionOf(await stage.read(), 'Boxes').status, 'Completed', conditionOf(await stage.read(), 'Boxes').reason);
  t.deepEqual(
    party.boxes.map(({ id }) => id),
    [first],
    'what was there before, and nothing else',
  );
  await stage.delete();
  await actor.walk();
  t.deepEqual(party.boxes, []);
}

test('what bears the former uid is taken over, where its name was taken', (t) => goesOn(t, 'name'));

test('what bears the former uid is taken over, and what was made in its stead goes', (t) => goesOn(t, 'tag'));

test('the uid that it has now, and a workspace without conditions, are refused', async (t) => {
  const stage = await aStage();
  const workspace = await stage.create();
  const own = { workspace, was: workspace.metadata.uid ?? '', conditions: [] };
  await t.throwsAsync(adoptUid(stage.client, aSeal, own), { code: 'E#2042', message: /the uid that it has now/ });
  await t.throwsAsync(adoptUid(stage.client, aSeal, { ...own, was: 'u' }), {
    code: 'E#2042',
    message: /no conditions yet/,
  });
});

test('the command signs with the operator’s key, and says what it has written', async (t) => {
  const { stage, was } = await remade('tag');
  const folder = await mkdtemp(join(tmpdir(), 'adopt-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, (await stage.cluster.listen()).kubeconfigYaml());
  t.teardown(() => stage.cluster.close());
  const adopting = ['adopt', 'shop', '--was', was, '--kubeconfig', kubeconfig];
  const { code: refused, stderr } = await runToEnd(adopting);
  t.is(refused, 1);
  t.regex(stderr, /E#3011.*no Secret sequencer-seal in namespace "default"/, 'the operator has made it long ago');
  await loadSeal(stage.client, 'default');
  const { code, stdout } = await runToEnd(adopting);
  t.is(code, 0);
  t.regex(stdout, new RegExp(`adopted {4}what uid ${was} had: Boxes`));
  const seal = await loadSeal(stage.client, 'default');
  t.like(readMirror(seal, await stage.read(), 'Boxes'), { kind: 'restored', record: { uid: was } });
});
