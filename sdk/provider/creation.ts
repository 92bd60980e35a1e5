/** Creates external objects exactly once. */

import { BusyError, DefiniteError } from '../errors.ts';
import { ThereAlreadyError } from './external-resource.ts';
import { findEverything, findOwn, regained } from './finding.ts';
import { unmovedFor } from './guard.ts';
import { type Hands, isFirstAfterLoss, isLost, outcomeOf, ownerOf, timesOf, titled } from './hands.ts';
import type { Outcome, Ref, TaskContext } from './integration.ts';
import { dropFromMirror } from './mirror.ts';
import { withSecret } from './secret.ts';
import type { Session } from './session.ts';
import { type Slotted, type Thing, thingsOf, withoutThing, withThing } from './things.ts';

/** Object to create. */
export interface Creation<Wanted> extends Slotted<Wanted> {
  /** Former object that it replaces, which does not exist any more. */
  readonly instead?: Pick<Thing, 'slot' | 'id'> | undefined;
}

/** Returns the input to journal for a creation, from which it can be repeated. */
const inputOf = <Wanted>({ slot, wanted, hash, instead }: Creation<Wanted>): Ref => ({
  slot,
  wanted,
  hash,
  ...(instead !== undefined && { instead: { slot: instead.slot, id: instead.id } }),
});

/** Returns the unresolved creation from the journal. */
export function openCreation<Wanted>({ entry }: Session): Creation<Wanted> | undefined {
  if (entry?.phase !== 'intent' || entry.op !== 'create' || entry.input === undefined) return undefined;
  return entry.input as unknown as Creation<Wanted>;
}

/** Returns the known objects without the replaced one. */
function standing<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  { instead }: Creation<Wanted>,
): readonly Thing[] {
  const things = thingsOf(hands.refs());
  return instead === undefined ? things : withoutThing(things, instead);
}

/**
 * Finds the object of an unresolved creation; after a lost journal, also those of all other wanted objects without a known id, since later creations
 * do not look for them. @returns all objects known then; undefined when none was found
 */
async function findAgain<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  begun: Creation<Wanted>,
  signal: AbortSignal,
): Promise<readonly Thing[] | undefined> {
  const before = standing(hands, begun);
  const others = hands.wanted.filter(({ slot }) => slot !== begun.slot && !before.some((one) => one.slot === slot));
  let things = before;
  for (const { slot, hash } of [begun, ...(isFirstAfterLoss(hands) ? others : [])]) {
    const found = await findOwn(hands, slot, signal);
    if (found !== undefined) things = withThing(things, await regained(hands, hash, { ...found, signal }));
  }
  return things === before ? undefined : things;
}

/** Reports whether, after a lost journal or a restored workspace, the third party has not been searched for owned objects yet. */
export function isStockDue<Wanted, Id extends object>(hands: Hands<Wanted, Id>): boolean {
  const { entry, mirror } = hands.session;
  const { find, findAll } = hands.resource;
  if (mirror.kind === 'restored' && entry !== undefined) return find !== undefined || findAll !== undefined;
  const hasBegun = entry?.op === 'task' && (entry.phase === 'intent' || entry.phase === 'failed');
  if (findAll === undefined) return find !== undefined && hasBegun && hands.session.formerly.length > 0;
  return hasBegun || (entry?.op === 'task' && entry.lost === true) || isLost(hands);
}

/**
 * Searches the third party, after a lost journal, for all owned objects, regardless of the current spec. Runs as a guarded attempt, once no process
 * with more knowledge can be active.
 */
export function takeStock<Wanted, Id extends object>(hands: Hands<Wanted, Id>): Promise<void> {
  const { resource, wanted } = hands;
  return hands.guard(
    `looking for every ${resource.label} of ours`,
    async ({ signal }) => {
      const things: Thing[] = [];
      for (const found of await findEverything(hands, signal)) {
        const target = wanted.find(({ slot }) => slot === found.slot);
        things.push(
          target === undefined ? { ...found, hash: '' } : await regained(hands, target.hash, { ...found, signal }),
        );
      }
      const all = things.reduce(withThing, thingsOf(hands.refs()));
      return { ...outcomeOf(hands, all, `${things.length} times ${resource.label} found`), status: 'In Progress' };
    },
    { op: 'task', identity: 'name', ...timesOf(resource) },
  );
}

/** Creates the object, or adopts an existing one if it has the workspace's owner mark. */
async function createOrAdopt<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  target: Slotted<Wanted>,
  { key, signal }: TaskContext,
): Promise<Thing<Id>> {
  const { resource, session } = hands;
  const { slot, hash } = target;
  const owner = ownerOf(hands, { slot });
  try {
    const { id, secret, ready = true } = await resource.create(target.wanted, { key, owner, signal });
    const thing = { slot, id, hash, ...(!ready && { state: 'making' as const }) };
    return secret === undefined ? thing : await withSecret(session, thing, secret);
  } catch (error) {
    if (!(error instanceof ThereAlreadyError)) throw error;
    const found = await findOwn(hands, slot, signal);
    if (found === undefined)
      throw new DefiniteError(`${titled(resource, slot)} exists and belongs to somebody else: ${error.message}`, {
        cause: error,
      });
    return regained(hands, hash, { ...found, signal });
  }
}

/**
 * Removes a deleted object of this slot from the mirror before its successor is created: if the journal were lost then, the mirror would look as if
 * no creation had been in progress. @throws StaleError if a concurrent writer has changed it
 */
async function forgetFormer<Wanted, Id extends object>({ session }: Hands<Wanted, Id>, slot: string): Promise<void> {
  const phase = session.entry?.phase;
  if (phase !== undefined && phase !== 'intent') await dropFromMirror(session, (ref) => ref.slot === slot);
}

/**
 * Waits for consistent lists: a deleted object may still be listed, and a new one not yet, so a list is only trusted when there was no write for as
 * long as it may lag. @throws BusyError with the remaining time
 */
export function waitForLists<Wanted, Id extends object>({ session, resource }: Hands<Wanted, Id>, what: string): void {
  const left = (resource.listLagMs ?? 0) - unmovedFor(session);
  if (left > 0) throw new BusyError(`${session.scope.type}: ${what} once lists are up to date again`, left);
}

/** Creates one object under guard; an unresolved attempt is resolved as the resource's identity allows. */
export async function create<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  target: Creation<Wanted>,
): Promise<void> {
  const { resource, session } = hands;
  await forgetFormer(hands, target.slot);
  if (resource.find !== undefined && session.entry?.op === 'delete')
    waitForLists(hands, `${titled(resource, target.slot)} is made`);
  const begun = ({ input }: TaskContext): Creation<Wanted> => (input ?? inputOf(target)) as unknown as Creation<Wanted>;
  const made = (things: readonly Thing[], slot: string): Outcome =>
    outcomeOf(hands, things, `${titled(resource, slot)} was made`);
  let hasLooked = false;
  const recover = async (context: TaskContext): Promise<Outcome | undefined> => {
    if (hasLooked) return undefined;
    hasLooked = true;
    const things = await findAgain(hands, begun(context), context.signal);
    return things && made(things, begun(context).slot);
  };
  return hands.guard(
    `creating ${titled(resource, target.slot)}`,
    async (context) => {
      const there = resource.identity === 'tag' ? await recover(context) : undefined;
      if (there !== undefined) return there;
      const thing = await createOrAdopt(hands, begun(context), context);
      return made(withThing(standing(hands, begun(context)), thing), thing.slot);
    },
    {
      op: 'create',
      input: inputOf(target),
      ...timesOf(resource),
      ...(resource.identity === 'name' && { identity: resource.identity }),
      ...(resource.identity === 'key' && { identity: resource.identity, validForMs: resource.validForMs }),
      ...(resource.identity === 'tag' && { recover }),
    },
  );
}
