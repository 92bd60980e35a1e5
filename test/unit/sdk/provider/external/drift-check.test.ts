import test from 'ava';
import { Workspace } from '../../../../../sdk/index.ts';
import { aKeeper, boxes, key, said, times, want } from '../a-keeper.ts';
import { boxKeeper } from '../a-third-party.ts';

test('F44: what was changed or removed outside is fixed at the next look', async (t) => {
  const { stage, party, actor } = await aKeeper('tag', { driftInterval: 60_000 });
  await stage.create(boxes({ a: 1, b: 1 }));
  const { requeueAfter = 0 } = await actor.walk();
  t.true(requeueAfter >= 45_000 && requeueAfter <= 60_000, `${requeueAfter} ms`);
  party.boxes[0] = { ...party.boxes[0]!, size: 7 };
  party.boxes.splice(1, 1);
  await actor.walk();
  t.is(party.boxes.length, 1, 'not before it is time to look');
  await stage.clock.advance(60_000);
  await actor.walk();
  t.deepEqual(
    party.boxes.map(({ name, size }) => [name, size]),
    [
      ['a', 1],
      ['b', 1],
    ],
  );
  t.true(actor.events.some(({ message }) => message === 'box b was removed outside'));
});

test('a status put back to before a change, and the spec too, is noticed by the change in between: what is recorded is looked at', async (t) => {
  const { stage, party, actor, heir } = await aKeeper('tag');
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  const { status } = await stage.read();
  await want(stage, { a: 2 });
  await actor.walk();
  const value = { status: { guards: null, conditions: null } };
  await stage.client.patch(Workspace, key, { type: 'merge', value }, { subresource: 'status' });
  await stage.client.patch(Workspace, key, { type: 'merge', value: { status } }, { subresource: 'status' });
  await want(stage, { a: 1 });
  await heir().walk();
  t.deepEqual(party.calls, ['create a', 'update a', 'update a']);
  t.is(party.boxes[0]?.size, 1);
});

test('a thing that takes its time is asked for until it is ready', async (t) => {
  let ready = false;
  const { stage, party, actor } = await aKeeper('tag');
  const slow = party.resource('tag', {
    create: async (_wanted, { owner, key: made }) => {
      party.boxes.push({ id: 'slow', name: 'a', size: 1, mark: owner.mark, key: made });
      return { id: { id: 'slow' }, ready: false };
    },
    observe: async () => ({ state: {}, ready }),
  });
  const waiting = stage.actor([boxKeeper(slow)], { times });
  await stage.create(boxes({ a: 1 }));
  t.deepEqual(await waiting.walk(), { requeueAfter: 5_000 });
  t.is(await said(stage), 'In Progress: box is being made');
  ready = true;
  await waiting.walk();
  t.is(await said(stage), 'Completed: box a is there');
  t.truthy(actor);
});
