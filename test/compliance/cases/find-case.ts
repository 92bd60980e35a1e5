/** Case of `find` and `findAll`, called directly. */

import { isDeepStrictEqual } from 'node:util';
import type { FoundExternalObject, Owner, Ref } from '../../../sdk/index.ts';
import { onAnotherHost } from '../observation/another-time.ts';
import { likelyRace } from '../resource/concurrent-calls.ts';
import { createMany, expectHandledAmongMany, objectCount } from '../resource/many-objects.ts';
import { createObjectFor, nthOtherOwner, type OtherObject, renamed, siblingOf } from '../resource/other-objects.ts';
import {
  anotherOwner,
  asText,
  ownerOf,
  ResourceCaller,
  similarOwners,
  withResourceCaller,
} from '../resource/resource-caller.ts';
import { resourceOfOtherProcess } from '../resource/second-process.ts';
import { expectLongMark } from '../resource/short-marks.ts';
import type { Case } from '../scenario/case.ts';
import { adviceByFunction } from '../scenario/diagnosis.ts';
import { expect, fail } from '../scenario/report.ts';

const likelyFind =
  'find has to ask the third party, each time, for what bears exactly owner.mark, or for the name and then whose it is: no prefix, no name alone, no memory, all pages of a list, whatever its state (being made, failed)';

async function proveFind(caller: ResourceCaller): Promise<void> {
  const { owner, id, resource } = caller.made;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const own = await caller.find();
  expect(own !== undefined, `find answers nothing for what create has just made: ${asText(id)}`, likelyFind);
  expect(
    isDeepStrictEqual(own, id),
    `find answers ${asText(own)} for what create has named ${asText(id)}`,
    'two ids are two objects: find and create have to answer the same members of the same types',
  );
  await expectFoundOnOtherHost(caller);
  for (const stranger of similarOwners(owner)) {
    const found = await caller.find(stranger);
    const whose = `${asText(stranger.mark)} of ${stranger.namespace}/${stranger.workspace}`;
    expect(
      found === undefined,
      `find answers ${asText(found)}, which is ours (${asText(owner.mark)}), for ${whose}`,
      likelyFind,
    );
  }
  await proveFindAll(caller);
  await expectDistinguished(caller);
  await expectLongMark(caller);
  await expectFoundWhenConcurrent(caller);
  await expectFoundAmongMany(caller);
  await caller.remove('for an object that is there');
  caller.scenario.record.made.delete(owner.slot); // findAll does not return it from now on
  const late = await caller.find();
  expect(late === undefined, `find answers ${asText(late)}, which has been deleted`, likelyFind);
  const stranger = anotherOwner(owner);
  const other = await caller.create(stranger);
  if ('error' in other) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const found = await caller.find(stranger);
  expect(
    isDeepStrictEqual(found, other.answer.id),
    `find answers ${asText(found)} where ${asText(other.answer.id)} was made since it was asked last`,
    likelyFind,
  );
  const ours = await caller.find();
  expect(
    ours === undefined,
    `find answers ${asText(ours)}, which is of ${asText(stranger.mark)}, for ${asText(owner.mark)}`,
    likelyFind,
  );
  await new ResourceCaller(caller.scenario, { ...caller.made, owner: stranger, id: other.answer.id }).remove(
    'for an object that is there',
  );
  await expectUnmarkedIgnored(caller);
}

/** Finds the object by another process on another host, as after a restart of the pod. */
async function expectFoundOnOtherHost({ scenario, made }: ResourceCaller): Promise<void> {
  if (scenario.subject.time === 'real') return;
  await onAnotherHost(async () => {
    const resource = await resourceOfOtherProcess(scenario, made.resource.label);
    if (resource?.find === undefined) return;
    const found = await new ResourceCaller(scenario, { ...made, resource }).find();
    expect(
      isDeepStrictEqual(found, made.id),
      `find answers ${asText(found)} for ${asText(made.id)} once the process runs on another host, with another process id`,
      'the mark has the name of the host, the id of the process or what a process has made up in it: another process looks for what this one has made, so put owner.mark there, and nothing else',
    );
  });
}

/** Creates an object without a mark, as a person does by hand, which `find` must not return. */
async function expectUnmarkedIgnored(caller: ResourceCaller): Promise<void> {
  const { owner, resource } = caller.made;
  const unmarked = { ...anotherOwner(owner), mark: '' };
  const made = await caller.create(unmarked, `${caller.made.key}-unmarked`);
  if ('error' in made) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const found = await caller.find();
  expect(
    found === undefined,
    `find answers ${asText(found)}, which bears no mark, for ${asText(owner.mark)}`,
    'what bears no mark is another’s, as what a person has made by hand: it would be changed, and removed with the workspace. find answers what bears exactly owner.mark',
  );
  // May fail: a plug-in may refuse to delete an object without a mark.
  await caller.attempt('delete', (signal) => resource.delete(made.answer.id, { owner: unmarked, signal }));
}

/** Finds the first and the last of many objects by their marks, then observes and deletes the last one. */
async function expectFoundAmongMany(caller: ResourceCaller): Promise<void> {
  const { owner, id } = caller.made;
  const many = await createMany(caller);
  const last = many?.at(-1);
  if (many === undefined || last === undefined) return;
  for (const one of [{ owner, id }, last]) {
    const found = await caller.find(one.owner);
    expect(
      isDeepStrictEqual(found, one.id),
      `among ${objectCount} objects of others, find answers ${asText(found)} for ${asText(one.id)}`,
      likelyFind,
    );
  }
  await expectAllFoundAmongMany(caller, last);
  await expectHandledAmongMany(caller, many);
}

const long = 'x'.repeat(48);

/** Finds several objects of one workspace with similar names: long ones that differ at their end, and one in capitals. */
async function expectDistinguished(caller: ResourceCaller): Promise<void> {
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
      `beside objects of much the same name, find answers ${asText(found)} for ${asText(one.owner.slot)}, which is ${asText(one.id)}`,
      'the mark is cut short or changed on its way, or compared without its case, or that of another call, since each call has an owner of its own: where the third party allows fewer characters, put a hash of owner.mark (SHA-256, hex), and compare all of it',
    );
  }
  for (const one of alike.slice(1))
    await new ResourceCaller(caller.scenario, { ...caller.made, ...one }).remove('for an object that is there');
}

const likelyAll =
  'findAll lists everything whose mark begins with owner.mark, each with the rest of its mark as slot, from all pages';

/** Calls `findAll` for the owner of the last of many objects. */
async function expectAllFoundAmongMany(caller: ResourceCaller, { owner, id }: OtherObject): Promise<void> {
  const { findAll } = caller.made.resource;
  if (findAll === undefined) return;
  const all = ownerOf(owner, owner.uid, '');
  const found = await caller.call('findAll', 'when it looks for everything', async (signal) =>
    findAll.call(caller.made.resource, all, { signal }),
  );
  expect(
    isDeepStrictEqual(
      found.map((one) => ({ ...one })),
      [{ slot: owner.slot, id }],
    ),
    `among ${objectCount} objects of others, findAll answers ${asText(found)} where ${asText([{ slot: owner.slot, id }])} was made`,
    likelyAll,
  );
}

/** Finds two objects of other workspaces that were created at the same time. */
async function expectFoundWhenConcurrent(caller: ResourceCaller): Promise<void> {
  const made = await Promise.all(
    [objectCount + 1, objectCount + 2].map((nth) =>
      createObjectFor(caller, nthOtherOwner(caller, nth), [
        renamed(caller.made.wanted, (text) => `${text}-${nth}`, caller.made.resource),
        `${nth}`,
      ]),
    ),
  );
  await caller.scenario.wait(caller.made.resource.listLagMs ?? 0);
  for (const one of made.filter((each) => each !== undefined)) {
    const found = await caller.find(one.owner);
    expect(
      isDeepStrictEqual(found, one.id),
      `where two objects are made at the same time, find answers ${asText(found)} for ${asText(one.id)}`,
      likelyRace,
    );
    await new ResourceCaller(caller.scenario, { ...caller.made, ...one }).remove('for an object that is there');
  }
}

async function proveFindAll(caller: ResourceCaller): Promise<void> {
  const { resource, owner } = caller.made;
  if (resource.findAll === undefined) return;
  const all = async (whose: Owner) => {
    const look = async (signal: AbortSignal) => resource.findAll?.(whose, { signal });
    const found: unknown = await caller.call('findAll', 'when it looks for everything', look);
    if (Array.isArray(found)) return found as readonly FoundExternalObject<Ref>[];
    return fail(`findAll answers ${asText(found)}, which is not an array`, `findAll: ${adviceByFunction.findAll}`);
  };
  const made = [...caller.scenario.record.made.values()].map(({ owner: { slot }, id }) => ({ slot, id }));
  const found = await all(ownerOf(owner, owner.uid, ''));
  const isSame =
    made.length === found.length && made.every((one) => found.some((two) => isDeepStrictEqual({ ...two }, one)));
  expect(isSame, `findAll answers ${asText(found)} where ${asText(made)} was made`, likelyAll);
  const others = await all(ownerOf(anotherOwner(owner), anotherOwner(owner).uid, ''));
  expect(others.length === 0, `findAll answers ${asText(others)} to an owner that has nothing`, likelyFind);
}

/** Case of `find` and `findAll`. */
export const findCase: Case = {
  name: 'find',
  title: 'find: answers what is its owner’s, and nothing else',
  prove: withResourceCaller('find', proveFind),
};
