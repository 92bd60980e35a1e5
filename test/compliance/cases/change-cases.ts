/** Cases of `create`, `update` and `delete`, each asked by itself. */

import { isDeepStrictEqual } from 'node:util';
import { ExternalAlreadyExistsError, messageOf, type Owner, type Ref } from '../../../sdk/index.ts';
import { onAnotherDay } from '../observation/another-time.ts';
import { Bystanders } from '../resource/bystanders.ts';
import { createdAtOnce, expectUpdatedAtOnce } from '../resource/made-at-once.ts';
import { renamed } from '../resource/other-objects.ts';
import { othersWanted } from '../resource/others-wanted.ts';
import { ownerOf, ResourceCaller, shown, strangerTo, withResourceCaller } from '../resource/resource-caller.ts';
import { resourceElsewhere } from '../resource/second-process.ts';
import { type Case, listed } from '../scenario/case.ts';
import { expect } from '../scenario/report.ts';
import type { Subject } from '../subject/subject.ts';
import { deleteCase } from './delete-case.ts';

const likelyCreate =
  'with identity name creating is conditional: throw ExternalAlreadyExistsError when something of that name exists, whosever it is; find tells. The name that is sent comes of what is wanted and of the owner, not of a clock or of chance. With key pass on context.key. Never take over what is there';

/** Creates the object again on another day; today, where the third party refuses requests with the times of another day. */
async function createdAgain(caller: ResourceCaller, owner: Owner) {
  if (caller.scenario.subject.time !== 'real') {
    const again = await onAnotherDay(() => caller.create(owner));
    if ('answer' in again || again.error instanceof ExternalAlreadyExistsError) return again;
  }
  return caller.create(owner);
}

/** Repeats the creation of an existing object. */
async function expectConditional(caller: ResourceCaller): Promise<void> {
  const { resource, owner, id } = caller.made;
  if (resource.identity !== 'name' && resource.identity !== 'key') return;
  const before = await caller.there();
  const again = await createdAgain(caller, owner);
  expect(
    (await caller.there()) === before,
    `created again with the same ${resource.identity}, the third party has ${listed(await caller.scenario.remote())}`,
    likelyCreate,
  );
  if ('answer' in again)
    expect(
      isDeepStrictEqual(again.answer.id, id),
      `created again with the same ${resource.identity}, it answers ${shown(again.answer.id)} instead of ${shown(id)}`,
      likelyCreate,
    );
  else
    expect(
      again.error instanceof ExternalAlreadyExistsError,
      `created again with the same ${resource.identity}, it throws "${messageOf(again.error)}" and no ExternalAlreadyExistsError`,
      likelyCreate,
    );
}

/** Creates another object of the same workspace, whose name nothing bears. */
async function expectSiblingMade(caller: ResourceCaller): Promise<void> {
  const { owner, wanted, resource, key } = caller.made;
  const other = renamed(wanted, (text) => `${text}-7`, resource);
  const slot = resource.nameOf?.(other) ?? owner.slot;
  if (slot === owner.slot) return;
  const sibling = ownerOf(owner, owner.uid, slot);
  const outcome = await caller.create(sibling, `${key}-7`, other);
  expect(
    !('error' in outcome && outcome.error instanceof ExternalAlreadyExistsError),
    `create says that ${shown(slot)} of the same workspace exists already, where ${shown(owner.slot)} alone was made`,
    'the name that is sent is the same for all things of a workspace, as its uid or name alone: of several things each needs one of its own, so put owner.slot into it, or send owner.mark or a hash of that',
  );
  if ('error' in outcome) return;
  const { id } = outcome.answer;
  await new ResourceCaller(caller.scenario, { ...caller.made, owner: sibling, id }).remove('for a thing that is there');
}

async function proveCreate(caller: ResourceCaller): Promise<void> {
  const { owner, id } = caller.made;
  await expectConditional(caller);
  await expectSiblingMade(caller);
  for (const one of await createdAtOnce(caller)) await one.remove('for a thing that is there');
  const before = (await caller.scenario.remote()).map(shown);
  const other = await caller.create(strangerTo(owner), `${caller.made.key}-2`);
  const there = (await caller.scenario.remote()).map(shown);
  const lost = before.filter((thing) => !there.includes(thing));
  expect(
    lost.length === 0,
    `created for another workspace, what was ours is gone or changed: ${lost.join(', ')}`,
    likelyCreate,
  );
  if ('error' in other) return;
  expect(
    there.length > before.length && !isDeepStrictEqual(other.answer.id, id),
    `created for another workspace that wants the same, it answers ${shown(other.answer.id)}, and nothing is made`,
    likelyCreate,
  );
}

const likelyUpdate =
  'update has to make each member as wanted, however often it is asked, and to throw where there is nothing to change: a DefiniteError for 404. A member that cannot be changed there, such as a name, belongs in nameOf: of another name another thing is made';

const likelyOneUpdated =
  'update changes the thing of its id alone: not all that bears the mark of a workspace or begins with it, and not what has the name';

/** Returns the ways to observe: by the process that updates, and by one that has only looked before. */
async function observersOf(caller: ResourceCaller): Promise<readonly ResourceCaller[]> {
  const { scenario, made } = caller;
  if (made.resource.observe === undefined) return [];
  const resource = await resourceElsewhere(scenario, made.resource.label);
  if (resource?.observe === undefined) return [caller];
  const other = new ResourceCaller(scenario, { ...made, resource });
  await other.update(made.wanted); // so that it has something to remember
  await seenAfterUpdate(other);
  return [caller, other];
}

const likelyTold =
  'observe has to answer what the third party has now, in the terms of what is wanted: not what is wanted, and not what it remembers';

/** Observes a thing that has been updated. @throws Finding when it is not there any more */
async function seenAfterUpdate(caller: ResourceCaller) {
  await caller.scenario.wait(caller.made.resource.listLagMs ?? 0);
  const seen = await caller.observe('for a thing that has changed');
  expect(
    seen !== undefined,
    `observe answers undefined for ${shown(caller.made.id)} after an update`,
    'update has to change the thing of that id: one that is removed and made again has another id, which nothing knows; leave update out where nothing can be changed',
  );
  return seen;
}

/** Observes a thing whose member has been updated. */
async function expectTold(caller: ResourceCaller, member: string, [before, after]: readonly [Ref, Ref]): Promise<void> {
  const seen = await seenAfterUpdate(caller);
  if (seen.ready === false) return;
  const told = (seen.state as Ref)[member];
  const when = `where ${shown(before[member])} has been changed to ${shown(after[member])}`;
  expect(
    told === undefined || !isDeepStrictEqual(told, before[member]),
    `observe says that ${member} is still ${shown(told)}, though it has been changed`,
    likelyTold,
  );
  expect(
    told === undefined || isDeepStrictEqual(told, after[member]),
    `observe says that ${member} is ${shown(told)}, ${when}`,
    likelyTold,
  );
}

/** Looks for a thing by its mark after an update. */
async function expectSameThing(caller: ResourceCaller): Promise<void> {
  const { resource, id, owner } = caller.made;
  if (resource.find === undefined) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const found = await caller.find();
  expect(
    isDeepStrictEqual(found, id),
    `after an update, find answers ${shown(found)} for ${owner.mark} instead of ${shown(id)}`,
    found === undefined
      ? 'update has to leave the mark as it is: send only what changes, or the mark with it, and never make another thing'
      : 'an id stays the same as long as the thing: a version or an ETag changes, so that it is no part of the id; read it in update just before the change. Nor does update make another thing',
  );
}

/** Updates objects of others at the same time. */
async function expectOthersUpdated(
  caller: ResourceCaller,
  [change]: readonly { readonly member: string; readonly other: object }[],
): Promise<void> {
  if (change === undefined) return;
  const callers = await createdAtOnce(caller);
  await expectUpdatedAtOnce(callers, { [change.member]: (change.other as Ref)[change.member] });
  for (const one of callers) await one.remove('for a thing that is there');
}

async function proveUpdate(caller: ResourceCaller, subject: Subject): Promise<void> {
  const { id, wanted, owner, resource } = caller.made;
  const others = await othersWanted(caller, subject);
  expect(
    subject.edited === undefined || others.length > 0 || owner.slot !== [...caller.scenario.record.made.keys()][0],
    `update is never asked for anything else: edited wants nothing else of the thing ${shown(owner.slot)}`,
    'nameOf answers another name when a member changes, so that the thing goes and another is made: a name stays the same as long as the thing; or let edited of the subject want something else of the same thing',
  );
  const observers = await observersOf(caller);
  const bystanders = await Bystanders.beside(caller);
  for (const { member, other } of others) {
    const before = await caller.there();
    const outcome = await caller.update(other);
    if ('error' in outcome) continue;
    const after = await caller.there();
    expect(after !== before, `update leaves ${member} as it was, and answers`, likelyUpdate);
    await bystanders.expectUntouched(`update of ${shown(id)}`, likelyOneUpdated);
    for (const observer of observers) await expectTold(observer, member, [wanted as Ref, other as Ref]);
    await expectSameThing(caller);
    await caller.update(other);
    expect(
      (await caller.there()) === after,
      `updated twice with the same, the third party has ${listed(await caller.scenario.remote())}`,
      likelyUpdate,
    );
    await caller.update(wanted);
    expect(
      (await caller.there()) === before,
      `updated to ${shown(other)} and back, the third party has ${listed(await caller.scenario.remote())}`,
      likelyUpdate,
    );
  }
  await bystanders.remove();
  await expectOthersUpdated(caller, others);
  const full = await caller.scenario.remote();
  await caller.remove('for a thing that is there');
  const late = await caller.update(wanted);
  const isBack = (await caller.scenario.remote()).length === full.length;
  expect('error' in late || isBack, 'update answers for a thing that is gone, as if it had been changed', likelyUpdate);
  if (!isBack) return expectOthersUnchanged(caller, others);
  await caller.remove('for a thing that update has made again');
  const left = await caller.scenario.remote();
  expect(
    left.length < full.length || resource.find !== undefined,
    `update makes a thing that is gone again, by another id: the third party has ${listed(left)}, which nothing finds`,
    likelyUpdate,
  );
}

/** Updates a thing that is gone where another workspace has made one like it since; where observe tells whose that is, nothing is asked to change it. */
async function expectOthersUnchanged(caller: ResourceCaller, others: readonly { readonly other: object }[]) {
  const { owner, id, resource } = caller.made;
  const theirs = await caller.create(strangerTo(owner), `${caller.made.key}-5`);
  if ('error' in theirs) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const seen = await caller.observe('for a thing that is gone');
  if (seen?.mark !== undefined && seen.mark !== owner.mark) return;
  const before = await caller.there();
  for (const { other } of others) await caller.update(other);
  expect(
    (await caller.there()) === before,
    `update of ${shown(id)}, which is gone, changes what another workspace has made since: ${shown(theirs.answer.id)}`,
    'update changes the thing of that id, and only what is ours: where the id is a name that others may take, ask whose it is before, or answer its mark in observe',
  );
}

/** Cases of the functions by which a resource makes changes. */
export const changeCases: readonly Case[] = [
  {
    name: 'create',
    title: 'create: takes nothing over, and makes nothing twice',
    prove: withResourceCaller('create', proveCreate),
  },
  {
    name: 'update',
    title: 'update: changes every member, and only what is there',
    prove: withResourceCaller('update', proveUpdate),
  },
  deleteCase,
];
