import test from 'ava';
import { Workspace } from '../../../../../sdk/index.ts';
import { isForeign } from '../../../../../sdk/provider/external/foreign-objects.ts';
import { signedText } from '../../../a-seal.ts';
import { aKeeper, boxes, key } from '../a-keeper.ts';
import type { Stored } from '../a-third-party.ts';

/** Boxes that are read with their marks: those on the `shelf` at the time. */
const marked = (shelf: { boxes: readonly Stored[] }) => ({
  observe: async ({ id }: { readonly id: string }) => {
    const box = shelf.boxes.find((one) => one.id === id);
    return box && { state: { size: box.size }, mark: box.mark };
  },
});

test('a thing belongs to another when it bears another mark; one that says nothing is ours', (t) => {
  const owner = { mark: 'uid/Boxes/a' } as Parameters<typeof isForeign>[1];
  t.true(isForeign({ state: {}, mark: 'other/Boxes/a' }, owner));
  for (const seen of [undefined, { state: {} }, { state: {}, mark: 'uid/Boxes/a' }]) t.false(isForeign(seen, owner));
  t.false(isForeign({ state: {}, mark: 'former/Boxes/a' }, owner, { ...owner, mark: 'former/Boxes/a' }));
});

test('what bears another’s mark by now is neither changed nor deleted, and that is said', async (t) => {
  const shelf = { boxes: [] as readonly Stored[] };
  const { stage, party, actor } = await aKeeper('tag', { ...marked(shelf), driftInterval: 1_000 });
  shelf.boxes = party.boxes;
  await stage.create(boxes({ a: 1 }));
  await actor.walk();
  shelf.boxes = [{ ...party.boxes[0]!, mark: 'other/Boxes/a', size: 7 }];
  await stage.clock.advance(2_000);
  await t.throwsAsync(actor.walk(), {
    message: /box a bears the mark of other\/Boxes\/a: it is neither changed nor deleted/,
  });
  t.deepEqual(party.calls, ['create a']);
});

test('what a person has adopted by mistake, and bears another’s mark, is left alone on deletion, and told', async (t) => {
  const shelf = { boxes: [] as readonly Stored[] };
  const { stage, party, actor } = await aKeeper('opaque', marked(shelf));
  shelf.boxes = party.boxes;
  party.boxes.push({ id: 'db-1', name: 'db', size: 1, mark: 'other/Boxes/db', key: 'k' });
  party.faults.push({ call: 'create', carriedOut: false, error: new Error('reset') });
  await stage.create(boxes({ a: 1 }));
  await actor.walk().catch(() => undefined);
  const token = (await stage.read()).status?.guards?.Boxes?.token;
  const text = signedText(await stage.read(), 'Boxes', `adopt@${token}={"slot":"a","id":"db-1"}`);
  const annotations = { 'resolve.se.quencer.io/Boxes': text };
  await stage.client.patch(Workspace, key, { type: 'merge', value: { metadata: { annotations } } });
  await t.throwsAsync(actor.walk(), { message: /box a bears the mark of other\/Boxes\/db/ });
  await stage.delete();
  for (let walk = 0; walk < 3; walk += 1) await actor.walk().catch(() => undefined);
  await t.throwsAsync(stage.read(), { name: 'NotFoundError' });
  t.deepEqual(
    party.boxes.map(({ id }) => id),
    ['db-1'],
  );
  t.true(actor.events.some(({ reason, message }) => reason === 'NotOurs' && message.includes('db-1')));
});
