/** Checks of `replaceMark`, called directly. */

import { isDeepStrictEqual } from 'node:util';
import { DefiniteError, messageOf } from '../../../sdk/index.ts';
import { expect } from '../scenario/report.ts';
import { anotherOwner, asText, ownerOf, ResourceCaller } from './resource-caller.ts';
import { UnrelatedObjects } from './unrelated-objects.ts';

const likely =
  'replaceMark marks the object of its id, and nothing else: not what bears the name, nor all that bears a former uid. What bears another’s mark stays as it is, and what is not there is a DefiniteError: 404 is not done';

/** Calls `replaceMark` for the owner of another uid. */
function callReplaceMark(caller: ResourceCaller, uid: string) {
  const { resource, id, owner } = caller.made;
  const newest = ownerOf(owner, uid);
  return caller.attempt('replaceMark', async (signal) =>
    resource.replaceMark?.(id, { owner: newest, former: [owner], signal }),
  );
}

/** Expects `replaceMark` of an object that is gone to throw a DefiniteError. */
async function expectGoneRefused(caller: ResourceCaller, uid: string): Promise<void> {
  const outcome = await callReplaceMark(caller, uid);
  const of = `replaceMark of ${asText(caller.made.id)}, which is gone,`;
  expect('error' in outcome, `${of} answers as if it had been marked`, likely);
  expect(
    outcome.error instanceof DefiniteError,
    `${of} throws "${messageOf(outcome.error)}" and no DefiniteError: it is tried again for ever`,
    likely,
  );
}

/** Expects `replaceMark` of an object that is gone to leave the one that another workspace has created since. Skipped where `observe` returns the mark of the other one, since the sequencer does not mark it then. */
async function expectOthersMarkLeft(caller: ResourceCaller, uid: string): Promise<void> {
  const { scenario, made } = caller;
  const other = await caller.create(anotherOwner(made.owner), `${made.key}-8`);
  if ('error' in other) return;
  const theirs = new ResourceCaller(scenario, { ...made, owner: anotherOwner(made.owner), id: other.answer.id });
  await scenario.wait(made.resource.listLagMs ?? 0);
  const seen = await caller.observe('for an object that is gone');
  if (seen?.mark === undefined || seen.mark === made.owner.mark) {
    await callReplaceMark(caller, uid);
    await scenario.wait(made.resource.listLagMs ?? 0);
    const found = made.resource.find === undefined ? other.answer.id : await theirs.find();
    expect(
      isDeepStrictEqual(found, other.answer.id),
      `replaceMark of ${asText(made.id)}, which is gone, marks what another workspace has made since: ${asText(other.answer.id)}`,
      likely,
    );
  }
  await theirs.remove('for an object that is there');
}

/** Calls `replaceMark` of one object among others, of one that is gone, and of one whose name another workspace has taken since. */
export async function proveReplaceMark(caller: ResourceCaller): Promise<void> {
  const { scenario, made } = caller;
  const uid = `${made.owner.uid.slice(1)}${made.owner.uid[0]}`;
  const unrelated = await UnrelatedObjects.create(caller);
  const outcome = await callReplaceMark(caller, uid);
  if ('error' in outcome) return unrelated.remove(); // a workspace of that uid has to be there first
  const renewed = new ResourceCaller(scenario, { ...made, owner: ownerOf(made.owner, uid) });
  await unrelated.expectUntouched(`replaceMark of ${asText(made.id)}`, likely);
  await unrelated.remove();
  await renewed.remove('for an object that was marked anew');
  await expectGoneRefused(caller, uid);
  await expectOthersMarkLeft(caller, uid);
}
