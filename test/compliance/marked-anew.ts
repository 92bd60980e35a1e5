import { isDeepStrictEqual } from 'node:util';
import { Hand, ownerOf, shown } from './hand.ts';
import type { Life } from './life.ts';
import type { Made } from './observed.ts';
import { expect } from './report.ts';

const likelyRemark =
  'remark has to put owner.mark in place of a former one, wherever find and observe look for it, and to mean the same however often it is asked; what bears owner.mark already is marked';

/** Of a thing that `find` or `observe` tells the mark of: it is the one it should be. */
async function expectMark(hand: Hand, former: readonly Made['owner'][]): Promise<void> {
  const { resource, owner, id } = hand.made;
  if (resource.find === undefined) {
    const seen = await hand.observe('for a thing that was marked anew');
    const { mark = owner.mark } = seen ?? {};
    expect(mark === owner.mark, `after a restore, ${shown(id)} bears ${mark} instead of ${owner.mark}`, likelyRemark);
    return;
  }
  const found = await hand.find();
  expect(
    isDeepStrictEqual(found, id),
    `after a restore, find answers ${shown(found)} for ${owner.mark} instead of ${shown(id)}`,
    likelyRemark,
  );
  for (const before of former) {
    const late = await hand.find(before);
    expect(
      late === undefined,
      `after a restore, find still answers ${shown(late)} for ${before.mark}, which is the mark of no workspace any more`,
      likelyRemark,
    );
  }
}

/** Checks that objects whose resource has `remark` bear the mark of the newest of these uids and of no other, and that another `remark` changes nothing. */
export async function expectMarkedAnew(life: Life, uids: readonly string[]): Promise<void> {
  for (const made of life.record.made.values()) {
    const resource = life.record.resources.get(made.resource.label) ?? made.resource;
    if (resource.remark === undefined) continue;
    const [newest = '', ...older] = [...uids].reverse();
    const owner = ownerOf(made.owner, newest);
    const former = older.reverse().map((uid) => ownerOf(made.owner, uid));
    const hand = new Hand(life, { ...made, resource, owner });
    await life.wait(resource.listLagMs ?? 0);
    await expectMark(hand, former);
    const before = await hand.there();
    await hand.call('remark', 'for a thing that is marked already', async (signal) =>
      resource.remark?.(made.id, { owner, former, signal }),
    );
    await expectMark(hand, former);
    expect(
      (await hand.there()) === before,
      'marked once more, what exists at the third party is changed',
      likelyRemark,
    );
  }
}
