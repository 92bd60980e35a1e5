/** Objects of two workspaces that are created, updated and deleted at the same time. */

import { isDeepStrictEqual } from 'node:util';
import { listed } from '../scenario/remote-objects.ts';
import { expect } from '../scenario/report.ts';
import { createObjectFor, nthOtherOwner, renamed } from './other-objects.ts';
import { asText, ResourceCaller } from './resource-caller.ts';

/** Numbers of the workspaces, which no other check uses. */
const numbers = [501, 502];
const numberAlone = 500;

/** Advice on a document that several writers change at the same time. */
export const likelyLostUpdate =
  'what several objects share (a document, a list, a file) is read, changed and written whole, so that one removes what another one has written since: send the version that was read with it (If-Match, WHERE version =), throw where it has changed meanwhile, or change the one entry by itself';

/** Likely mistakes of calls at the same time. */
export const likelyRace = `${likelyLostUpdate}. Or something of one call is kept in a variable that another call under way has written since: what a call is given stays in its own variables`;

/** Runs calls at the same time, and repeats one that fails, as after a conflict. @returns their results; undefined for one that fails twice */
async function concurrently<T>(calls: readonly (() => Promise<T | undefined>)[]): Promise<readonly (T | undefined)[]> {
  const answers: (T | undefined)[] = await Promise.all(calls.map((call) => call()));
  for (const [index, call] of calls.entries()) answers[index] ??= await call();
  return answers;
}

/** Creates an object of another workspace. @returns the caller of its functions; undefined when the third party refuses it */
async function createdFor(caller: ResourceCaller, nth: number): Promise<ResourceCaller | undefined> {
  const { scenario, made } = caller;
  const wanted = renamed(made.wanted, (text) => `${text}-${nth}`, made.resource);
  const one = await createObjectFor(caller, nthOtherOwner(caller, nth), [wanted, `${nth}`]);
  return one && new ResourceCaller(scenario, { ...made, ...one, wanted });
}

/** Creates two objects at the same time. @returns the callers of their functions; none when the third party refuses one */
export async function createConcurrently(caller: ResourceCaller): Promise<readonly ResourceCaller[]> {
  const { scenario } = caller;
  const before = (await scenario.remote()).length;
  const alone = await createdFor(caller, numberAlone);
  if (alone === undefined) return [];
  const each = (await scenario.remote()).length - before;
  await alone.remove('for an object that is there');
  const made = await concurrently(numbers.map((nth) => () => createdFor(caller, nth)));
  const callers = made.filter((one) => one !== undefined);
  if (callers.length < made.length) return [];
  const there = await scenario.remote();
  expect(
    there.length === before + 2 * each,
    `where two objects are made at the same time, the third party has ${listed(there)}: ${2 * each} more than ${before} were expected`,
    likelyRace,
  );
  return callers;
}

/** Updates objects at the same time, and then one after the other, which must change nothing. */
export async function expectConcurrentUpdates(callers: readonly ResourceCaller[], change: object): Promise<void> {
  const changes = callers.map((caller) => async () => {
    const outcome = await caller.update({ ...caller.made.wanted, ...change });
    return 'error' in outcome ? undefined : true;
  });
  const isDone = (await concurrently(changes)).every(Boolean);
  const before = await callers[0]?.remoteText();
  if (isDone) for (const again of changes) await again();
  expect(
    (await callers[0]?.remoteText()) === before,
    'where two objects are updated at the same time, one of them keeps what it had',
    likelyRace,
  );
}

/** Observes objects at the same time: each result must equal that of an observation alone. */
export async function expectConcurrentObserves(callers: readonly ResourceCaller[]): Promise<void> {
  const observed = (caller: ResourceCaller) => caller.observe('for an object that is there');
  await callers[0]?.scenario.wait(callers[0].made.resource.listLagMs ?? 0);
  const alone: unknown[] = [];
  for (const caller of callers) alone.push(await observed(caller));
  for (const [index, seen] of (await Promise.all(callers.map(observed))).entries())
    expect(
      isDeepStrictEqual(seen, alone[index]),
      `where two objects are observed at the same time, observe answers ${asText(seen)} for ${asText(callers[index]?.made.id)}, and ${asText(alone[index])} where it is observed alone`,
      likelyRace,
    );
}

/** Deletes objects at the same time: those reported as gone must not exist. */
export async function expectConcurrentDeletes(callers: readonly ResourceCaller[]): Promise<void> {
  const { scenario } = callers[0] ?? {};
  if (scenario === undefined) return;
  const removals = callers.map((caller) => async () => {
    const { resource, id, owner } = caller.made;
    const outcome = await caller.attempt('delete', (signal) => resource.delete(id, { owner, signal }));
    return 'error' in outcome ? undefined : (outcome.answer ?? 'gone');
  });
  const isGone = (await concurrently(removals)).every((answer) => answer === 'gone');
  const there = await scenario.remote();
  for (const caller of callers) await caller.remove('for an object that was deleted beside another one');
  expect(
    !isGone || (await scenario.remote()).length === there.length,
    `where two objects are deleted at the same time, delete answers that both are gone, and the third party has ${listed(there)}`,
    likelyRace,
  );
}
