/** Case of `delete`, called directly. */

import { isDeepStrictEqual } from 'node:util';
import { createConcurrently, expectConcurrentDeletes } from '../resource/concurrent-calls.ts';
import { createObjectFor, nthOtherOwner, renamed, siblingOf } from '../resource/other-objects.ts';
import { anotherOwner, asText, ResourceCaller, withResourceCaller } from '../resource/resource-caller.ts';
import type { Case } from '../scenario/case.ts';
import { listed } from '../scenario/remote-objects.ts';
import { expect } from '../scenario/report.ts';

const likelyDelete =
  'delete removes by the id, and only what is ours; it answers once that is gone ("deleting" until then), and what is not there is gone. Where the id is a name that others may take, ask whose it is before';

/** Deletes an object that is gone while a duplicate with the same mark exists, which a late request may have created. */
async function expectDuplicateKept(caller: ResourceCaller): Promise<void> {
  const { owner, id, resource } = caller.made;
  if (resource.identity !== 'tag') return;
  const twin = await caller.create(owner, `${caller.made.key}-6`);
  if ('error' in twin || isDeepStrictEqual(twin.answer.id, id)) return;
  await caller.scenario.wait(resource.listLagMs ?? 0);
  const before = await caller.remoteText();
  await caller.remove('for an object that is gone');
  expect(
    (await caller.remoteText()) === before,
    `delete of ${asText(id)}, which is gone, removes ${asText(twin.answer.id)}, which bears the same mark`,
    'delete removes the object of that id alone: of two with one mark, one may be wanted',
  );
  await new ResourceCaller(caller.scenario, { ...caller.made, id: twin.answer.id }).remove(
    'for an object that is there',
  );
}

async function expectOnlyOwnDeleted(caller: ResourceCaller): Promise<void> {
  const { owner, id, resource, wanted } = caller.made;
  const first = (await caller.scenario.remote()).map(asText);
  await siblingOf(caller, (text) => `${text}-2`);
  await createObjectFor(caller, nthOtherOwner(caller, 1), [renamed(wanted, (text) => `${text}-3`, resource), 'other']);
  const before = await caller.scenario.remote();
  const others = before.filter((thing) => !first.includes(asText(thing)));
  await caller.remove('for an object that is there');
  const left = await caller.scenario.remote();
  const lost = others.filter((thing) => !left.map(asText).includes(asText(thing)));
  expect(lost.length === 0, `delete of ${asText(id)} removes ${listed(lost)} as well`, likelyDelete);
  expect(
    left.length < before.length,
    `delete answers as if it were gone, and the third party still has ${listed(left)}`,
    likelyDelete,
  );
  await expectDuplicateKept(caller);
  await caller.remove('for an object that is not there any more');
  const other = await caller.create(anotherOwner(owner), `${caller.made.key}-3`);
  if ('error' in other) return;
  const theirs = await caller.remoteText();
  await caller.attempt('delete', (signal) => caller.made.resource.delete(id, { owner, signal }));
  expect(
    (await caller.remoteText()) === theirs,
    `delete of ${asText(id)}, which is gone, removes what another workspace has made since: ${asText(other.answer.id)}`,
    likelyDelete,
  );
}

async function proveDelete(caller: ResourceCaller): Promise<void> {
  await expectOnlyOwnDeleted(caller);
  await expectConcurrentDeletes(await createConcurrently(caller));
}

/** Case of `delete`. */
export const deleteCase: Case = {
  name: 'delete',
  title: 'delete: removes what is its own, once and for all',
  prove: withResourceCaller('delete', proveDelete),
};
