/** Cases of the functions by which a resource reads: `find` and `observe`. */

import { isDeepStrictEqual } from 'node:util';
import type { Owner, Ref } from '../../../sdk/index.ts';
import { crowd, expectHandledAmongMany, lastOfCrowd } from '../resource/crowd.ts';
import { type OtherObject, siblingOf } from '../resource/other-objects.ts';
import {
  ownerOf,
  ResourceCaller,
  shown,
  strangersTo,
  strangerTo,
  withResourceCaller,
} from '../resource/resource-caller.ts';
import type { Case } from '../scenario/case.ts';
import { expect } from '../scenario/report.ts';

const likelyFind =
  'find has to ask the third party, each time, for what bears exactly owner.mark, or for the name and then whose it is: no prefix, no name alone, no memory, all pages of a list';

async function proveFind(caller: ResourceCaller): Promise<void> {
  const { owner, id, resource } = caller.made;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const own = await caller.find();
  expect(own !== undefined, `find answers nothing for what create has just made: ${shown(id)}`, likelyFind);
  expect(
    isDeepStrictEqual(own, id),
    `find answers ${shown(own)} for what create has named ${shown(id)}`,
    'two ids are two things: find and create have to answer the same members of the same types',
  );
  for (const stranger of strangersTo(owner)) {
    const found = await caller.find(stranger);
    const whose = `${shown(stranger.mark)} of ${stranger.namespace}/${stranger.workspace}`;
    expect(
      found === undefined,
      `find answers ${shown(found)}, which is ours (${shown(owner.mark)}), for ${whose}`,
      likelyFind,
    );
  }
  await proveFindAll(caller);
  await expectToldApart(caller);
  await expectFoundAmongMany(caller);
  await caller.remove('for a thing that is there');
  caller.scenario.record.made.delete(owner.slot); // what looks for everything of its owner does not find it any more
  const late = await caller.find();
  expect(late === undefined, `find answers ${shown(late)}, which has been deleted`, likelyFind);
  const stranger = strangerTo(owner);
  const other = await caller.create(stranger);
  if ('error' in other) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const found = await caller.find(stranger);
  expect(
    isDeepStrictEqual(found, other.answer.id),
    `find answers ${shown(found)} where ${shown(other.answer.id)} was made since it was asked last`,
    likelyFind,
  );
  const ours = await caller.find();
  expect(
    ours === undefined,
    `find answers ${shown(ours)}, which is of ${shown(stranger.mark)}, for ${shown(owner.mark)}`,
    likelyFind,
  );
  await new ResourceCaller(caller.scenario, { ...caller.made, owner: stranger, id: other.answer.id }).remove(
    'for a thing that is there',
  );
}

/** Looks for objects among many, finds the last one by its mark, looks at it and deletes it. */
async function expectFoundAmongMany(caller: ResourceCaller): Promise<void> {
  const { owner, id } = caller.made;
  const last = await lastOfCrowd(caller);
  if (last === undefined) return;
  for (const one of [{ owner, id }, last]) {
    const found = await caller.find(one.owner);
    expect(
      isDeepStrictEqual(found, one.id),
      `among ${crowd} things of others, find answers ${shown(found)} for ${shown(one.id)}`,
      likelyFind,
    );
  }
  await expectHandledAmongMany(caller, last);
}

const long = 'x'.repeat(48);

/** Looks for several things of one workspace whose names are alike: long ones that differ at their end, and one in capitals. */
async function expectToldApart(caller: ResourceCaller): Promise<void> {
  const { owner, id, resource } = caller.made;
  const alike: OtherObject[] = [{ owner, id }];
  for (const change of [
    (text: string) => `${text}${long}1`,
    (text: string) => `${text}${long}2`,
    (text: string) => text.toUpperCase(),
  ]) {
    const sibling = await siblingOf(caller, change);
    if (sibling !== undefined) alike.push(sibling);
  }
  await caller.scenario.wait(resource.listLagMs ?? 0);
  for (const one of alike) {
    const found = await caller.find(one.owner);
    expect(
      isDeepStrictEqual(found, one.id),
      `beside things of much the same name, find answers ${shown(found)} for ${shown(one.owner.slot)}, which is ${shown(one.id)}`,
      'the mark is cut short or changed on its way, or compared without its case: where the third party allows fewer characters, put a hash of owner.mark (SHA-256, hex), and compare all of it',
    );
  }
  for (const one of alike.slice(1))
    await new ResourceCaller(caller.scenario, { ...caller.made, ...one }).remove('for a thing that is there');
}

async function proveFindAll(caller: ResourceCaller): Promise<void> {
  const { resource, owner } = caller.made;
  if (resource.findAll === undefined) return;
  const all = (whose: Owner) =>
    caller.call('findAll', 'when it looks for everything', async (signal) => resource.findAll?.(whose, { signal }));
  const made = [...caller.scenario.record.made.values()].map(({ owner: { slot }, id }) => ({ slot, id }));
  const found = (await all(ownerOf(owner, owner.uid, ''))) ?? [];
  const isSame =
    made.length === found.length && made.every((one) => found.some((two) => isDeepStrictEqual({ ...two }, one)));
  expect(
    isSame,
    `findAll answers ${shown(found)} where ${shown(made)} was made`,
    'findAll lists everything whose mark begins with owner.mark, each with the rest of its mark as slot, from all pages',
  );
  const others = (await all(ownerOf(strangerTo(owner), strangerTo(owner).uid, ''))) ?? [];
  expect(others.length === 0, `findAll answers ${shown(others)} to an owner that has nothing`, likelyFind);
}

async function proveObserve(caller: ResourceCaller): Promise<void> {
  const { wanted, resource } = caller.made;
  const seen = await caller.observe('for a thing that is there');
  expect(
    seen !== undefined,
    'observe answers undefined for a thing that is there',
    'undefined says that it is gone: another one is made then',
  );
  const differs = Object.entries(seen.state).find(
    ([member, value]) => !isDeepStrictEqual(value, (wanted as Ref)[member]),
  );
  expect(
    differs === undefined,
    `observe says that ${differs?.[0]} is ${shown(differs?.[1])} where ${shown((wanted as Ref)[differs?.[0] ?? ''])} is wanted, though nothing has changed it`,
    'state has to be in the terms of what is wanted: the same members, types and units, and nothing that was not asked for',
  );
  const { nameOf } = resource;
  const silent = Object.keys(wanted).filter(
    (member) => !(member in seen.state) && nameOf?.(wanted) === nameOf?.({ ...wanted, [member]: 'another' }),
  );
  expect(
    resource.driftInterval === undefined || silent.length === 0,
    `observe never tells ${silent.join(', ')}: what is changed there goes unnoticed, though it looks every ${resource.driftInterval} ms`,
    'answer in state each member that can be read; what cannot be read belongs into a Secret, by whose name it is wanted',
  );
  await expectSeenAmongMany(caller);
  await caller.remove('for a thing that is there');
  const late = await caller.observe('for a thing that is gone');
  expect(
    late === undefined,
    `observe answers ${shown(late)} for a thing that is gone`,
    'observe has to ask the third party, and to answer undefined for what it does not have (404)',
  );
  await expectTrueMark(caller);
}

/** Looks at and deletes one object among many, where the case of find does not. */
async function expectSeenAmongMany(caller: ResourceCaller): Promise<void> {
  const last = caller.made.resource.find === undefined ? await lastOfCrowd(caller) : undefined;
  if (last !== undefined) await expectHandledAmongMany(caller, last);
}

/** Observes another owner's object: the mark it answers is not to be that of the caller. */
async function expectTrueMark(caller: ResourceCaller): Promise<void> {
  const { owner, resource, wanted, key } = caller.made;
  const other = await caller.create(strangerTo(owner), `${key}-4`, wanted);
  if ('error' in other) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const late = await caller.observe('for a thing that is gone');
  expect(
    late === undefined || late.mark !== undefined || isDeepStrictEqual(other.answer.id, caller.made.id),
    `observe answers ${shown(late)} for ${shown(caller.made.id)}, which is gone: that is ${shown(other.answer.id)}, which another workspace has made since`,
    'observe has to look at the thing of that id, not at what has its name by now',
  );
  const seen = await new ResourceCaller(caller.scenario, { ...caller.made, id: other.answer.id }).observe(
    'for a thing of another',
  );
  expect(
    seen?.mark !== owner.mark,
    `observe says that ${shown(other.answer.id)} bears ${owner.mark}, whose it is not`,
    'mark has to be what the third party has: what bears another mark is neither changed nor deleted; leave mark out where it cannot be read',
  );
}

/** Cases of the functions by which a resource reads. */
export const findCases: readonly Case[] = [
  {
    name: 'find',
    title: 'find: answers what is its owner’s, and nothing else',
    prove: withResourceCaller('find', proveFind),
  },
  { name: 'observe', title: 'observe: answers what is there now', prove: withResourceCaller('observe', proveObserve) },
];
