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

/** What is to be made. */
export interface Creation<Wanted> extends Slotted<Wanted> {
  /** The thing in whose stead it is made, which is not there any more. */
  readonly instead?: Pick<Thing, 'slot' | 'id'> | undefined;
}

/** What a creation is journalled with: enough to repeat it. */
const inputOf = <Wanted>({ slot, wanted, hash, instead }: Creation<Wanted>): Ref => ({
  slot,
  wanted,
  hash,
  ...(instead !== undefined && { instead: { slot: instead.slot, id: instead.id } }),
});

/** The creation that came to no end, as it was journalled. */
export function openCreation<Wanted>({ entry }: Session): Creation<Wanted> | undefined {
  if (entry?.phase !== 'intent' || entry.op !== 'create' || entry.input === undefined) return undefined;
  return entry.input as unknown as Creation<Wanted>;
}

/** All that is known, without the thing in whose stead another one is made. */
function standing<Wanted, Id extends Ref>(hands: Hands<Wanted, Id>, { instead }: Creation<Wanted>): readonly Thing[] {
  const things = thingsOf(hands.refs());
  return instead === undefined ? things : withoutThing(things, instead);
}

/**
 * Finds what an unresolved creation made; after a lost journal every other wanted thing of which nothing is known too, since later creations do not
 * look any more. @returns all that is known then; undefined when nothing was found
 */
async function findAgain<Wanted, Id extends Ref>(
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

/** Whether the journal was lost, or the workspace was another one before, and the third party has not yet been asked for everything of ours. */
export function isStockDue<Wanted, Id extends Ref>(hands: Hands<Wanted, Id>): boolean {
  const { entry, mirror } = hands.session;
  const { find, findAll } = hands.resource;
  if (mirror.kind === 'restored' && entry !== undefined) return find !== undefined || findAll !== undefined;
  const hasBegun = entry?.op === 'task' && (entry.phase === 'intent' || entry.phase === 'failed');
  if (findAll === undefined) return find !== undefined && hasBegun && hands.session.formerly.length > 0;
  return hasBegun || (entry?.op === 'task' && entry.lost === true) || isLost(hands);
}

/**
 * Looks, after a lost journal, for everything of ours that the third party has, whatever the spec names by now: a guarded attempt like any other, once
 * nobody who knew more can be at work.
 */
export function takeStock<Wanted, Id extends Ref>(hands: Hands<Wanted, Id>): Promise<void> {
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

/** Asks for the thing, and takes what is there already only if it is ours. */
async function createOrAdopt<Wanted, Id extends Ref>(
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
 * The mirror may still name a thing of this slot that is gone. It must not while another one is made: were the journal lost then, it would look as if
 * nothing had been under way. @throws StaleError if somebody else has written it meanwhile
 */
async function forgetFormer<Wanted, Id extends Ref>({ session }: Hands<Wanted, Id>, slot: string): Promise<void> {
  const phase = session.entry?.phase;
  if (phase !== undefined && phase !== 'intent') await dropFromMirror(session, (ref) => ref.slot === slot);
}

/**
 * What was taken away a moment ago may still be listed, and what was made a moment ago not yet: a list is only believed when nobody has written for as
 * long as it may lag behind. @throws BusyError with the time that is left
 */
export function waitForLists<Wanted, Id extends Ref>({ session, resource }: Hands<Wanted, Id>, what: string): void {
  const left = (resource.listLagMs ?? 0) - unmovedFor(session);
  if (left > 0) throw new BusyError(`${session.scope.type}: ${what} once lists are up to date again`, left);
}

/** Creates one thing under guard; an attempt that came to no end is resolved as the resource's identity allows. */
export async function create<Wanted, Id extends Ref>(
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
