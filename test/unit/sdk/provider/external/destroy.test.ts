import test from 'ava';
import { DefiniteError, ThrottledError, Workspace } from '../../../../../sdk/index.ts';
import { aTargetCluster, type TargetCluster } from '../../../a-target-cluster.ts';
import { aKeeper, boxes, key, said, times } from '../a-keeper.ts';
import { aThirdParty, boxKeeper, type Stored } from '../a-third-party.ts';

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

/** Answers of a third party to the deletion of `a`, which follows that of `b`. */
const refusals = { refuses: new DefiniteError('in use'), throttles: new ThrottledError('slow down', 1_000) };

for (const [what, error] of Object.entries(refusals))
  for (const driftInterval of [undefined, 60_000])
    test(`a deletion that a third party ${what} half-way is repeated first, whatever is wanted by then (${driftInterval ?? 'no'} drift checks)`, async (t) => {
      const [stage, party] = [await aTargetCluster(), aThirdParty()];
      let refused = 0;
      const resource = party.resource('tag', {
        ...(driftInterval !== undefined && { driftInterval }),
        delete: async ({ id }) => {
          const index = party.boxes.findIndex((box) => box.id === id);
          if (party.boxes[index]?.name === 'a' && refused++ === 0) throw error;
          if (index !== -1) party.boxes.splice(index, 1);
        },
      });
      const keeper = {
        ...boxKeeper(resource),
        handles: ({ spec }: Workspace) => spec.integrations?.boxes !== undefined,
      };
      const actor = stage.actor([keeper], { times });
      await stage.create(boxes({ a: 1, b: 1 }));
      await actor.walk();
      const spec = (wanted: object | null) =>
        stage.client.patch(Workspace, key, { type: 'merge', value: { spec: { integrations: { boxes: wanted } } } });
      await spec(null);
      await actor.walk().catch(() => undefined);
      t.is(refused, 1);
      t.deepEqual(
        party.boxes.map(({ name }) => name),
        ['a'],
      );
      await spec({ a: 1, b: 1 });
      for (let walks = 0; walks < 4; walks += 1) {
        await stage.clock.advance(2_000);
        await actor.walk().catch(() => undefined);
      }
      t.deepEqual(party.boxes.map(({ name }) => name).sort(), ['a', 'b'], await said(stage));
      t.is((await said(stage)).split(':')[0], 'Completed');
    });
