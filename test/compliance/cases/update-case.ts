/** Case of `update`, called directly. */

import { isDeepStrictEqual } from 'node:util';
import type { Ref } from '../../../sdk/index.ts';
import { changedMembers } from '../resource/changed-members.ts';
import { createConcurrently, expectConcurrentUpdates } from '../resource/concurrent-calls.ts';
import { anotherOwner, asText, ResourceCaller, withResourceCaller } from '../resource/resource-caller.ts';
import { resourceOfOtherProcess } from '../resource/second-process.ts';
import { UnrelatedObjects } from '../resource/unrelated-objects.ts';
import type { Case } from '../scenario/case.ts';
import { listed } from '../scenario/remote-objects.ts';
import { expect } from '../scenario/report.ts';
import type { Subject } from '../subject/subject.ts';

const likelyUpdate =
  'update has to make each member as wanted, however often it is asked, and to throw where there is nothing to change: a DefiniteError for 404. A member that cannot be changed there, such as a name, belongs in nameOf: of another name another object is made';

const likelyOneUpdated =
  'update changes the object of its id alone: not all that bears the mark of a workspace or begins with it, and not what has the name';

/** Returns callers of `observe`: of the process that updates, and of one that has not updated since. */
async function observersOf(caller: ResourceCaller): Promise<readonly ResourceCaller[]> {
  const { scenario, made } = caller;
  if (made.resource.observe === undefined) return [];
  const resource = await resourceOfOtherProcess(scenario, made.resource.label);
  if (resource?.observe === undefined) return [caller];
  const other = new ResourceCaller(scenario, { ...made, resource });
  await other.update(made.wanted); // so that a cache of its own has a value
  await observeAfterUpdate(other);
  return [caller, other];
}

const likelyObserved =
  'observe has to answer what the third party has now, in the terms of what is wanted: not what is wanted, and not what it remembers';

/** Observes an object after an update. @throws Finding when it does not exist */
async function observeAfterUpdate(caller: ResourceCaller) {
  await caller.scenario.wait(caller.made.resource.listLagMs ?? 0);
  const seen = await caller.observe('for an object that has changed');
  expect(
    seen !== undefined,
    `observe answers undefined for ${asText(caller.made.id)} after an update`,
    'update has to change the object of that id: one that is removed and made again has another id, which nothing knows; leave update out where nothing can be changed',
  );
  return seen;
}

/** Expects `observe` to return the new value of an updated member. */
async function expectObserved(
  caller: ResourceCaller,
  member: string,
  [before, after]: readonly [Ref, Ref],
): Promise<void> {
  const seen = await observeAfterUpdate(caller);
  if (seen.ready === false) return;
  const observed = (seen.state as Ref)[member];
  const when = `where ${asText(before[member])} has been changed to ${asText(after[member])}`;
  expect(
    observed === undefined || !isDeepStrictEqual(observed, before[member]),
    `observe says that ${member} is still ${asText(observed)}, though it has been changed`,
    likelyObserved,
  );
  expect(
    observed === undefined || isDeepStrictEqual(observed, after[member]),
    `observe says that ${member} is ${asText(observed)}, ${when}`,
    likelyObserved,
  );
}

/** Expects `find` to return the same id after an update. */
async function expectSameObject(caller: ResourceCaller): Promise<void> {
  const { resource, id, owner } = caller.made;
  if (resource.find === undefined) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const found = await caller.find();
  expect(
    isDeepStrictEqual(found, id),
    `after an update, find answers ${asText(found)} for ${owner.mark} instead of ${asText(id)}`,
    found === undefined
      ? 'update has to leave the mark as it is: send only what changes, or the mark with it, and never make another object'
      : 'an id stays the same as long as the object: a version or an ETag changes, so that it is not part of the id; read it in update just before the change. Nor does update make another object',
  );
}

/** Updates objects of other workspaces at the same time. */
async function expectOthersUpdated(
  caller: ResourceCaller,
  [change]: readonly { readonly member: string; readonly other: object }[],
): Promise<void> {
  if (change === undefined) return;
  const callers = await createConcurrently(caller);
  await expectConcurrentUpdates(callers, { [change.member]: (change.other as Ref)[change.member] });
  for (const one of callers) await one.remove('for an object that is there');
}

async function proveUpdate(caller: ResourceCaller, subject: Subject): Promise<void> {
  const { id, wanted, owner, resource } = caller.made;
  const others = await changedMembers(caller, subject);
  expect(
    subject.edited === undefined || others.length > 0 || owner.slot !== [...caller.scenario.record.made.keys()][0],
    `update is never asked for anything else: edited wants nothing else of the object ${asText(owner.slot)}`,
    'nameOf answers another name when a member changes, so that the object goes and another is made: a name stays the same as long as the object; or let edited of the subject want something else of the same object',
  );
  const observers = await observersOf(caller);
  const unrelated = await UnrelatedObjects.create(caller);
  for (const { member, other } of others) {
    const before = await caller.remoteText();
    const outcome = await caller.update(other);
    if ('error' in outcome) continue;
    const after = await caller.remoteText();
    expect(after !== before, `update leaves ${member} as it was, and answers`, likelyUpdate);
    await unrelated.expectUntouched(`update of ${asText(id)}`, likelyOneUpdated);
    for (const observer of observers) await expectObserved(observer, member, [wanted as Ref, other as Ref]);
    await expectSameObject(caller);
    await caller.update(other);
    expect(
      (await caller.remoteText()) === after,
      `updated twice with the same, the third party has ${listed(await caller.scenario.remote())}`,
      likelyUpdate,
    );
    await caller.update(wanted);
    expect(
      (await caller.remoteText()) === before,
      `updated to ${asText(other)} and back, the third party has ${listed(await caller.scenario.remote())}`,
      likelyUpdate,
    );
  }
  await unrelated.remove();
  await expectOthersUpdated(caller, others);
  const full = await caller.scenario.remote();
  await caller.remove('for an object that is there');
  const late = await caller.update(wanted);
  const isBack = (await caller.scenario.remote()).length === full.length;
  expect(
    'error' in late || isBack,
    'update answers for an object that is gone, as if it had been changed',
    likelyUpdate,
  );
  if (!isBack) return expectOthersUnchanged(caller, others);
  await caller.remove('for an object that update has made again');
  const left = await caller.scenario.remote();
  expect(
    left.length < full.length || resource.find !== undefined,
    `update makes an object that is gone again, by another id: the third party has ${listed(left)}, which nothing finds`,
    likelyUpdate,
  );
}

/** Updates an object that is gone, after another workspace has created one like it. Skipped where `observe` returns the mark of the other one, since the sequencer does not update it then. */
async function expectOthersUnchanged(caller: ResourceCaller, others: readonly { readonly other: object }[]) {
  const { owner, id, resource } = caller.made;
  const theirs = await caller.create(anotherOwner(owner), `${caller.made.key}-5`);
  if ('error' in theirs) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const seen = await caller.observe('for an object that is gone');
  if (seen?.mark !== undefined && seen.mark !== owner.mark) return;
  const before = await caller.remoteText();
  for (const { other } of others) await caller.update(other);
  expect(
    (await caller.remoteText()) === before,
    `update of ${asText(id)}, which is gone, changes what another workspace has made since: ${asText(theirs.answer.id)}`,
    'update changes the object of that id, and only what is ours: where the id is a name that others may take, ask whose it is before, or answer its mark in observe',
  );
}

/** Case of `update`. */
export const updateCase: Case = {
  name: 'update',
  title: 'update: changes every member, and only what is there',
  prove: withResourceCaller('update', proveUpdate),
};
