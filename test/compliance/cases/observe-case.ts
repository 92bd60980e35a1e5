/** Case of `observe`, called directly. */

import { isDeepStrictEqual } from 'node:util';
import type { Ref } from '../../../sdk/index.ts';
import { createConcurrently, expectConcurrentObserves } from '../resource/concurrent-calls.ts';
import { createMany, expectHandledAmongMany } from '../resource/many-objects.ts';
import { anotherOwner, asText, ResourceCaller, withResourceCaller } from '../resource/resource-caller.ts';
import type { Case } from '../scenario/case.ts';
import { expect } from '../scenario/report.ts';

async function proveObserve(caller: ResourceCaller): Promise<void> {
  const { wanted, resource } = caller.made;
  const seen = await caller.observe('for an object that is there');
  expect(
    seen !== undefined,
    'observe answers undefined for an object that is there',
    'undefined means that it is gone: another one is created then',
  );
  const differs = Object.entries(seen.state).find(
    ([member, value]) => !isDeepStrictEqual(value, (wanted as Ref)[member]),
  );
  expect(
    differs === undefined,
    `observe says that ${differs?.[0]} is ${asText(differs?.[1])} where ${asText((wanted as Ref)[differs?.[0] ?? ''])} is wanted, though nothing has changed it`,
    'state has to be in the terms of what is wanted: the same members, types and units, and nothing that was not asked for',
  );
  const { nameOf } = resource;
  const silent = Object.keys(wanted).filter(
    (member) => !(member in seen.state) && nameOf?.(wanted) === nameOf?.({ ...wanted, [member]: 'another' }),
  );
  expect(
    resource.driftInterval === undefined || silent.length === 0,
    `the state that observe answers lacks ${silent.join(', ')}: changes from outside are not detected, though it is called every ${resource.driftInterval} ms`,
    'answer in state each member that can be read; what cannot be read belongs into a Secret, by whose name it is wanted',
  );
  await expectSeenAmongMany(caller);
  const callers = await createConcurrently(caller);
  await expectConcurrentObserves(callers);
  for (const one of callers) await one.remove('for an object that is there');
  await caller.remove('for an object that is there');
  const late = await caller.observe('for an object that is gone');
  expect(
    late === undefined,
    `observe answers ${asText(late)} for an object that is gone`,
    'observe has to ask the third party, and to answer undefined for what it does not have (404)',
  );
  await expectTrueMark(caller);
}

/** Observes and deletes one of many objects; the case `find` does so where there is a `find`. */
async function expectSeenAmongMany(caller: ResourceCaller): Promise<void> {
  const many = caller.made.resource.find === undefined ? await createMany(caller) : undefined;
  if (many !== undefined) await expectHandledAmongMany(caller, many);
}

/** Observes the object of another owner, whose mark must be returned, or none. */
async function expectTrueMark(caller: ResourceCaller): Promise<void> {
  const { owner, resource, wanted, key } = caller.made;
  const other = await caller.create(anotherOwner(owner), `${key}-4`, wanted);
  if ('error' in other) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const late = await caller.observe('for an object that is gone');
  expect(
    late === undefined || late.mark !== undefined || isDeepStrictEqual(other.answer.id, caller.made.id),
    `observe answers ${asText(late)} for ${asText(caller.made.id)}, which is gone: that is ${asText(other.answer.id)}, which another workspace has made since`,
    'observe has to look at the object of that id, not at what has its name by now',
  );
  const seen = await new ResourceCaller(caller.scenario, { ...caller.made, id: other.answer.id }).observe(
    'for an object of another',
  );
  expect(
    seen?.mark !== owner.mark,
    `observe says that ${asText(other.answer.id)} bears ${owner.mark}, whose it is not`,
    'mark has to be what the third party has: what bears another mark is neither changed nor deleted; leave mark out where it cannot be read',
  );
}

/** Case of `observe`. */
export const observeCase: Case = {
  name: 'observe',
  title: 'observe: answers what is there now',
  prove: withResourceCaller('observe', proveObserve),
};
