import test from 'ava';
import { Workspace } from '../../../../sdk/index.ts';
import { aKeeper, boxes, key } from '../a-keeper.ts';

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
  await stage.client.patch(
    Workspace,
    key,
    { type: 'json', operations: [{ op: 'remove', path: '/status' }] },
    { subresource: 'status' },
  );
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations: null } } });
  await stage.delete();
  const next = heir();
  await next.walk();
  await stage.clock.advance(22_000);
  await next.walk();
  t.is(party.boxes.length, 0);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
});
