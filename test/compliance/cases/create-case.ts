/** Case of `create`, called directly. */

import { isDeepStrictEqual } from 'node:util';
import { ExternalAlreadyExistsError, messageOf, type Owner } from '../../../sdk/index.ts';
import { onAnotherDay } from '../observation/another-time.ts';
import { createConcurrently } from '../resource/concurrent-calls.ts';
import { renamed } from '../resource/other-objects.ts';
import { anotherOwner, asText, ownerOf, ResourceCaller, withResourceCaller } from '../resource/resource-caller.ts';
import type { Case } from '../scenario/case.ts';
import { listed } from '../scenario/remote-objects.ts';
import { expect } from '../scenario/report.ts';

const likelyCreate =
  'with identity name creating is conditional: throw ExternalAlreadyExistsError when something of that name exists, whosever it is; find tells. The name that is sent comes of what is wanted and of the owner, not of a clock or of chance. With key pass on context.key. Never take over what is there';

const likelyKey =
  'pass context.key on as it is, whole: each attempt that may make something has its own. A third party that knows a key answers from memory, also once the object is gone: a key made of the uid, the mark or the name makes nothing then';

/** Creates the object again forty days later; on the same day where the third party refuses requests of another day. */
async function createdAgain(caller: ResourceCaller, owner: Owner) {
  if (caller.scenario.subject.time !== 'real') {
    const again = await onAnotherDay(() => caller.create(owner));
    if ('answer' in again || again.error instanceof ExternalAlreadyExistsError) return again;
  }
  return caller.create(owner);
}

/** Repeats the creation of an existing object. */
async function expectConditionalCreate(caller: ResourceCaller): Promise<void> {
  const { resource, owner, id } = caller.made;
  if (resource.identity !== 'name' && resource.identity !== 'key') return;
  const before = await caller.remoteText();
  const again = await createdAgain(caller, owner);
  expect(
    (await caller.remoteText()) === before,
    `created again with the same ${resource.identity}, the third party has ${listed(await caller.scenario.remote())}`,
    likelyCreate,
  );
  if ('answer' in again)
    expect(
      isDeepStrictEqual(again.answer.id, id),
      `created again with the same ${resource.identity}, it answers ${asText(again.answer.id)} instead of ${asText(id)}`,
      likelyCreate,
    );
  else
    expect(
      again.error instanceof ExternalAlreadyExistsError,
      `created again with the same ${resource.identity}, it throws "${messageOf(again.error)}" and no ExternalAlreadyExistsError`,
      likelyCreate,
    );
}

/** Creates another object of the same workspace, with a name of its own. */
async function expectSiblingCreated(caller: ResourceCaller): Promise<void> {
  const { owner, wanted, resource, key } = caller.made;
  const other = renamed(wanted, (text) => `${text}-7`, resource);
  const slot = resource.nameOf?.(other) ?? owner.slot;
  if (slot === owner.slot) return;
  const sibling = ownerOf(owner, owner.uid, slot);
  const outcome = await caller.create(sibling, `${key}-7`, other);
  expect(
    !('error' in outcome && outcome.error instanceof ExternalAlreadyExistsError),
    `create says that ${asText(slot)} of the same workspace exists already, where ${asText(owner.slot)} alone was made`,
    'the name that is sent is the same for all objects of a workspace, as its uid or name alone: of several objects each needs one of its own, so put owner.slot into it, or send owner.mark or a hash of that',
  );
  if ('error' in outcome) return;
  const { id } = outcome.answer;
  expect(
    resource.identity !== 'key' || !isDeepStrictEqual(id, caller.made.id),
    `created with another key and another name, it answers ${asText(id)}, which is the id of the first`,
    likelyKey,
  );
  await new ResourceCaller(caller.scenario, { ...caller.made, owner: sibling, id }).remove(
    'for an object that is there',
  );
}

/** Removes an object, and creates it with another key: nothing is answered from memory. */
async function expectAnotherKey(caller: ResourceCaller, other: ResourceCaller): Promise<void> {
  if (caller.made.resource.identity !== 'key') return;
  await other.remove('for an object that is there');
  const before = await caller.remoteText();
  const again = await caller.create(other.made.owner, `${caller.made.key}-3`);
  if ('error' in again) return;
  expect(
    (await caller.remoteText()) !== before,
    `created again with another key once it was removed, it answers ${asText(again.answer.id)}, and nothing is made`,
    likelyKey,
  );
}

async function proveCreate(caller: ResourceCaller): Promise<void> {
  const { owner, id } = caller.made;
  await expectConditionalCreate(caller);
  await expectSiblingCreated(caller);
  for (const one of await createConcurrently(caller)) await one.remove('for an object that is there');
  const before = (await caller.scenario.remote()).map(asText);
  const other = await caller.create(anotherOwner(owner), `${caller.made.key}-2`);
  const there = (await caller.scenario.remote()).map(asText);
  const lost = before.filter((thing) => !there.includes(thing));
  expect(
    lost.length === 0,
    `created for another workspace, what was ours is gone or changed: ${lost.join(', ')}`,
    likelyCreate,
  );
  if ('error' in other) return;
  expect(
    there.length > before.length && !isDeepStrictEqual(other.answer.id, id),
    `created for another workspace that wants the same, it answers ${asText(other.answer.id)}, and nothing is made`,
    likelyCreate,
  );
  const made = { ...caller.made, owner: anotherOwner(owner), id: other.answer.id };
  await expectAnotherKey(caller, new ResourceCaller(caller.scenario, made));
}

/** Case of `create`. */
export const createCase: Case = {
  name: 'create',
  title: 'create: takes nothing over, and makes nothing twice',
  prove: withResourceCaller('create', proveCreate),
};
