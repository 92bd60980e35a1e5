/** One of many objects, which is not on the first page of a list. */

import { isDeepStrictEqual } from 'node:util';
import { listed } from '../scenario/remote-objects.ts';
import { expect } from '../scenario/report.ts';
import { createObjectFor, nthOtherOwner, type OtherObject, renamed } from './other-objects.ts';
import { expectAllPagesRead, expectFoundInShrinkingList } from './paged-lists.ts';
import { readerProbes } from './probes.ts';
import { asText, ResourceCaller } from './resource-caller.ts';

/** Number of objects: more than a page of most lists. */
export const objectCount = 120;

const likely =
  'ask for the one object by its id; where the third party only lists, read all pages of the list: what is on a later one is not gone';

/** Creates many objects, each for another owner. @returns all of them; undefined when the third party refuses one */
export async function createMany(caller: ResourceCaller): Promise<readonly OtherObject[] | undefined> {
  const { resource, id, wanted } = caller.made;
  const ids = new Set([asText(id)]);
  const all: OtherObject[] = [];
  for (let nth = 1; nth <= objectCount; nth += 1) {
    const recordWanted = renamed(wanted, (text) => `${text}-${nth}`, resource);
    const made = await createObjectFor(caller, nthOtherOwner(caller, nth), [recordWanted, `${nth}`]);
    if (made === undefined) return undefined;
    expect(
      !ids.has(asText(made.id)),
      `create answers ${asText(made.id)} for two objects`,
      'an id is cut short, or changed on its way, as to lower case: answer it as the third party has it',
    );
    ids.add(asText(made.id));
    all.push(made);
  }
  await caller.scenario.wait(resource.listLagMs ?? 0);
  return all;
}

/** Observes and deletes the last of many objects, and expects functions that list to read all pages. */
export async function expectHandledAmongMany(caller: ResourceCaller, many: readonly OtherObject[]): Promise<void> {
  const one = many.at(-1)!;
  const theirs = new ResourceCaller(caller.scenario, { ...caller.made, ...one });
  for (const probe of await readerProbes(theirs)) if (probe.name !== 'findAll') await expectAllPagesRead(theirs, probe);
  const seen = await theirs.observe('for an object among many');
  expect(
    seen !== undefined || caller.made.resource.observe === undefined,
    `among ${objectCount} objects of others, observe answers undefined for ${asText(one.id)}, which is there`,
    `observe: ${likely}`,
  );
  const before = await caller.scenario.remote();
  await theirs.remove('for an object among many');
  const left = await caller.scenario.remote();
  const gone = before.filter((thing) => !left.some((other) => isDeepStrictEqual(other, thing)));
  expect(
    gone.length > 0,
    `among ${objectCount} objects of others, delete of ${asText(one.id)} answers as if it were gone, and it is still there`,
    `delete: ${likely}`,
  );
  expect(
    gone.length <= 1,
    `among ${objectCount} objects of others, delete of ${asText(one.id)} removes ${listed(gone)}`,
    'delete removes by the id, and only what is ours',
  );
  await expectFoundInShrinkingList(caller, many.slice(0, -1));
}
