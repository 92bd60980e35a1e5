import test from 'ava';
import { Workspace } from '../../../../../sdk/index.ts';
import type { TargetCluster } from '../../../a-target-cluster.ts';
import { aKeeper, boxes, key } from '../a-keeper.ts';
import type { Stored } from '../a-third-party.ts';

/** Wipes status and mirror. */
async function wiped(stage: TargetCluster): Promise<void> {
  const operations = [{ op: 'remove', path: '/status' }] as const;
  await stage.client.patch(Workspace, key, { type: 'json', operations }, { subresource: 'status' });
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
}

test('F39, G6: an asynchronous deletion is waited for, and the claim with it', async (t) => {
  let asked = 0;
  const { stage, party, actor } = await aKeeper('tag', {
    delete: async () => {
      asked += 1;
      if (asked < 3) return 'deleting';
      party.boxes.pop();
      return 'gone';
    },
  });
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await stage.delete();
  t.deepEqual(await actor.walk(), { requeueAfter: 5_000 });
  await actor.walk();
  t.truthy(await stage.read());
  await actor.walk();
  t.is(asked, 3);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('a deletion whose journal was lost looks for what the spec names', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  await wiped(stage);
  await stage.delete();
  const next = heir();
  await next.walk();
  await stage.clock.advance(22_000);
  await next.walk();
  t.is(party.boxes.length, 0);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});

test('what is found again after its deletion is not gone yet: a late list hides nothing behind it', async (t) => {
  const listed: Stored[] = [];
  const { stage, party, actor, heir } = await aKeeper('tag', {
    listLagMs: 5_000,
    find: async ({ mark }) => {
      const found = [...listed, ...party.boxes].find((box) => box.mark === mark);
      return found && { id: found.id };
    },
    delete: async ({ id }) => {
      const index = party.boxes.findIndex((box) => box.id === id);
      if (index !== -1) listed.push(...party.boxes.splice(index, 1));
    },
  });
  await stage.create(boxes({ a: 1 }));
  await stage.clock.advance(5_000);
  await actor.walk();
  party.boxes.push({ ...party.boxes[0]!, id: 'box-2' });
  await wiped(stage);
  await stage.delete();
  const next = heir();
  for (let walks = 0; walks < 4; walks += 1) {
    await next.walk().catch(() => undefined);
    await stage.clock.advance(30_000);
    listed.splice(0);
  }
  t.deepEqual(party.boxes, []);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});
