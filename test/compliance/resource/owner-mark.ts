/** Expectations on the mark of an object after `replaceMark`. */

import { isDeepStrictEqual } from 'node:util';
import type { CreatedObject } from '../observation/observations.ts';
import { expect } from '../scenario/report.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { asText, ownerOf, ResourceCaller } from './resource-caller.ts';

const likelyReplaceMark =
  'replaceMark has to put owner.mark in place of a former one, wherever find and observe look for it, and to mean the same however often it is asked; what bears owner.mark already is marked. A name with the uid of the workspace or the time of its creation in it is another one after a restore: make it of namespace and name';

/** Expects the mark by `find` or `observe` to be that of the owner. */
async function expectMark(caller: ResourceCaller, former: readonly CreatedObject['owner'][]): Promise<void> {
  const { resource, owner, id } = caller.made;
  if (resource.find === undefined) {
    const seen = await caller.observe('for an object that was marked anew');
    const { mark = owner.mark } = seen ?? {};
    expect(
      mark === owner.mark,
      `after a restore, ${asText(id)} bears ${mark} instead of ${owner.mark}`,
      likelyReplaceMark,
    );
    return;
  }
  const found = await caller.find();
  expect(
    isDeepStrictEqual(found, id),
    `after a restore, find answers ${asText(found)} for ${owner.mark} instead of ${asText(id)}`,
    likelyReplaceMark,
  );
  for (const before of former) {
    const late = await caller.find(before);
    expect(
      late === undefined,
      `after a restore, find still answers ${asText(late)} for ${before.mark}, which is the mark of no workspace any more`,
      likelyReplaceMark,
    );
  }
}

/** Expects objects whose resource has `replaceMark` to bear the mark of the last of these uids only, and another `replaceMark` to change nothing. */
export async function expectOwnerMark(scenario: Scenario, uids: readonly string[]): Promise<void> {
  for (const made of scenario.record.made.values()) {
    const resource = scenario.record.resources.get(made.resource.label) ?? made.resource;
    if (resource.replaceMark === undefined) continue;
    const [newest = '', ...older] = [...uids].reverse();
    const owner = ownerOf(made.owner, newest);
    const former = older.reverse().map((uid) => ownerOf(made.owner, uid));
    const caller = new ResourceCaller(scenario, { ...made, resource, owner });
    await scenario.wait(resource.listLagMs ?? 0);
    await expectMark(caller, former);
    const before = await caller.remoteText();
    await caller.call('replaceMark', 'for an object that is marked already', async (signal) =>
      resource.replaceMark?.(made.id, { owner, former, signal }),
    );
    await expectMark(caller, former);
    expect(
      (await caller.remoteText()) === before,
      'marked once more, what exists at the third party is changed',
      likelyReplaceMark,
    );
  }
}
