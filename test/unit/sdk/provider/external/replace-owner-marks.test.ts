import test from 'ava';
import { createDryRunController, plannedChangeText } from '../../../../../sdk/host/index.ts';
import { conditionOf, DefiniteError, type Owner } from '../../../../../sdk/index.ts';
import { mirroredRefs } from '../../../a-seal.ts';
import { aTargetCluster } from '../../../a-target-cluster.ts';
import { boxes, restored, said, times, want } from '../a-keeper.ts';
import { aThirdParty, boxKeeper, type Stored } from '../a-third-party.ts';
import { aScene, markReplacements, marks, reading, settled } from '../mark-replacement.ts';

for (const identity of ['name', 'tag', 'key', 'opaque'] as const)
  test(`after a restore the things are marked anew, once, and nothing tells of a former owner any more (${identity})`, async (t) => {
    const scene = await aScene(identity);
    const { stage, party, actor } = scene;
    await stage.create(boxes({ a: 1, b: 2 }));
    await actor.walk();
    for (const time of ['first', 'second']) {
      const ids = party.boxes.map(({ id }) => id);
      await restored(stage);
      await settled(stage, actor);
      const workspace = await stage.read();
      t.is(conditionOf(workspace, 'Boxes').status, 'Completed', `${time}: ${conditionOf(workspace, 'Boxes').reason}`);
      const { expected, found } = await marks(scene);
      t.deepEqual(found, expected, time);
      t.deepEqual(
        party.boxes.map(({ id }) => id),
        ids,
        time,
      );
      const known = [...(workspace.status?.guards?.Boxes?.refs ?? []), ...(mirroredRefs(workspace, 'Boxes') ?? [])];
      t.is(known.length, 4);
      t.false(JSON.stringify(known).includes('"owner"'), `${time}: journal and mirror`);
    }
    t.deepEqual([...markReplacements(party)].sort(), [
      'replaceMark a',
      'replaceMark a',
      'replaceMark b',
      'replaceMark b',
    ]);
    await stage.delete();
    await settled(stage, actor);
    await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
    t.deepEqual(party.boxes, []);
  });

test('it is told whose the thing is by now, and whose it may have been; afterwards every call names the workspace itself', async (t) => {
  const asked: { readonly call: string; readonly owner: Owner; readonly former?: readonly Owner[] }[] = [];
  const { stage, actor } = await aScene('tag', (party) => {
    const { update, delete: remove } = party.resource('tag');
    return {
      replaceMark: (id, context) => {
        asked.push({ call: 'replaceMark', ...context });
        return party.replaceMark(id, context);
      },
      update: async (id, wanted, context) => {
        asked.push({ call: 'update', ...context });
        await update?.(id, wanted, context);
      },
      delete: async (id, context) => {
        asked.push({ call: 'delete', ...context });
        return remove(id, context);
      },
    };
  });
  const { uid: first } = (await stage.create(boxes({ a: 1 }))).metadata;
  await actor.walk();
  await restored(stage);
  await settled(stage, actor);
  const { uid: second } = (await stage.read()).metadata;
  await want(stage, { a: 2 });
  await settled(stage, actor);
  await stage.delete();
  await settled(stage, actor);
  const [replaceMark, ...others] = asked;
  t.deepEqual(
    [replaceMark?.call, replaceMark?.owner.mark, replaceMark?.former?.map(({ mark }) => mark)],
    ['replaceMark', `${second}/Boxes/a`, [`${first}/Boxes/a`]],
  );
  t.deepEqual([...new Set(others.map(({ call, owner }) => `${call} ${owner.uid}`))].sort(), [
    `delete ${second}`,
    `update ${second}`,
  ]);
});

test('what bears the mark of another owner by now is not marked', async (t) => {
  const { stage, party, actor } = await aScene('tag', (shop) => ({ observe: reading(shop) }));
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  party.boxes[0] = { ...party.boxes[0]!, mark: 'somebody/Boxes/a' };
  await restored(stage);
  await settled(stage, actor);
  t.is(party.boxes[0]?.mark, 'somebody/Boxes/a');
  t.deepEqual(markReplacements(party), []);
  t.regex(conditionOf(await stage.read(), 'Boxes').reason, /bears the mark of somebody\/Boxes\/a/);
});

test('what is gone cannot be marked, and is made anew', async (t) => {
  const scene = await aScene('opaque');
  const { stage, party, actor } = scene;
  await stage.create(boxes({ a: 1, b: 2 }));
  await actor.walk();
  await restored(stage);
  party.boxes.splice(0, 1);
  await settled(stage, actor);
  t.is(conditionOf(await stage.read(), 'Boxes').status, 'Completed');
  const { expected, found } = await marks(scene);
  t.deepEqual(found, expected);
  t.is(found.length, 2);
});

test('a third party that refuses it is reported, and nothing is lost by it', async (t) => {
  const { stage, party, actor } = await aScene('tag', () => ({
    replaceMark: async () => {
      throw new DefiniteError('labels are frozen');
    },
  }));
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await restored(stage);
  await settled(stage, actor);
  const { status, reason } = conditionOf(await stage.read(), 'Boxes');
  t.is(status, 'Error');
  t.regex(reason, /labels are frozen/);
  await stage.delete();
  await settled(stage, actor);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.deepEqual(party.boxes, []);
});

/** Boxes whose reads are late: each shows what `read` makes of the boxes that are there. */
async function aLateScene(identity: 'tag' | 'opaque') {
  const late = { read: async (there: readonly Stored[]): Promise<readonly Stored[]> => there };
  const scene = await aScene(identity, (party) => ({
    listLagMs: 5_000,
    observe: async ({ id }) => {
      const box = (await late.read(party.boxes)).find((one) => one.id === id);
      return box && { state: { size: box.size }, mark: box.mark };
    },
  }));
  await scene.stage.create(boxes({ a: 1 }));
  await scene.actor.walk();
  await restored(scene.stage);
  return { ...scene, late };
}

for (const identity of ['tag', 'opaque'] as const)
  for (const isThere of [true, false])
    test(`a refusal and a late read that shows nothing: the box is ${isThere ? 'there, and not made twice' : 'gone, and made anew'} (${identity})`, async (t) => {
      const scene = await aLateScene(identity);
      const { stage, party, actor, late } = scene;
      if (isThere) party.faults.push({ call: 'replaceMark', carriedOut: false, error: new DefiniteError('not now') });
      let isLate = false;
      late.read = async (there) => {
        if (isLate || !(await said(stage)).startsWith('Locked: marking box a anew')) return there;
        isLate = true;
        if (!isThere) party.boxes.splice(0);
        return [];
      };
      for (let walks = 0; !isLate && walks < 20; walks += 1) {
        await actor.walk().catch(() => undefined);
        await stage.clock.advance(2_000);
      }
      t.regex(await said(stage), /^In Progress: box a may be there or gone: it is read again at .+Z/);
      await settled(stage, actor);
      t.is(await said(stage), 'Completed: box a is there');
      t.deepEqual(
        party.calls.filter((call) => call.startsWith('create')),
        isThere ? ['create a'] : ['create a', 'create a'],
      );
      const { expected, found } = await marks(scene);
      t.deepEqual(found, expected);
    });

test('a late read that still shows the former mark changes no owner', async (t) => {
  const scene = await aLateScene('tag');
  const { stage, party, actor, late } = scene;
  const before = [...party.boxes];
  late.read = async () => before;
  const errors: string[] = [];
  for (let walks = 0; walks < 12; walks += 1) {
    await actor.walk().catch((error: Error) => errors.push(error.message));
    await stage.clock.advance(4_000);
  }
  t.deepEqual(
    errors.filter((message) => message.includes('bears the mark')),
    [],
  );
  t.is(await said(stage), 'Completed: box a is there');
  const { expected, found } = await marks(scene);
  t.deepEqual(found, expected);
});

test('without it calls continue naming the former owner', async (t) => {
  const owners: string[] = [];
  const [stage, party] = [await aTargetCluster(), aThirdParty()];
  const { update } = party.resource('tag');
  const resource = party.resource('tag', {
    update: async (id, wanted, context) => {
      owners.push(context.owner.uid);
      await update?.(id, wanted, context);
    },
  });
  const actor = stage.actor([boxKeeper(resource)], { times });
  const { uid } = (await stage.create(boxes({ a: 1 }))).metadata;
  await actor.walk();
  await restored(stage);
  await settled(stage, actor);
  await want(stage, { a: 2 });
  await settled(stage, actor);
  t.deepEqual([...new Set(owners)], [uid]);
});

test('a plan says that they would be marked anew', async (t) => {
  const { stage, party, actor } = await aScene();
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await restored(stage);
  const scope = { type: 'Boxes', claim: 'se.quencer.io/boxes', terminating: false };
  const dryRun = createDryRunController(actor.host, await stage.read(), scope);
  const resource = party.resource('tag', { replaceMark: party.replaceMark });
  await t.throwsAsync(dryRun.controller.ensure(resource, [{ name: 'a', size: 1 }]), { name: 'DryRunStop' });
  t.deepEqual(dryRun.result().steps.map(plannedChangeText), ['change box a (it has the mark of an earlier uid)']);
  t.deepEqual(markReplacements(party), []);
});

test('of several earlier uids the latest comes last, that of the thing among them', async (t) => {
  const told: string[][] = [];
  const { stage, party, actor } = await aScene('opaque', (shop) => ({
    replaceMark: async (id, context) => {
      told.push(context.former.map(({ uid }) => uid));
      if (told.length === 1) throw new DefiniteError('not now');
      await shop.replaceMark(id, context);
    },
  }));
  const uids: string[] = [];
  const note = async () => uids.push((await stage.read()).metadata.uid ?? '');
  await stage.create(boxes({ a: 1 }));
  await note();
  await actor.walk();
  await restored(stage);
  await note();
  for (let turn = 0; told.length === 0 && turn < 9; turn += 1) {
    await actor.walk().catch(() => undefined);
    await stage.clock.advance(5_000);
  }
  await restored(stage);
  await settled(stage, actor);
  t.deepEqual(told, [uids.slice(0, 1), uids]);
  t.is(party.boxes.length, 1);
});
