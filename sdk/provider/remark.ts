/** Replaces the marks of earlier uids on external objects after a restore. */

import type { GuardEntry } from '../api/workspace.ts';
import { DefiniteError } from '../errors.ts';
import type { Observed, Owner } from './external-resource.ts';
import { isForeign } from './foreign-thing.ts';
import { bearersOf, type Hands, outcomeOf, ownerOf, timesOf, titled } from './hands.ts';
import { type Thing, thingsOf, withoutThing, withThing } from './things.ts';

/** Reports whether an object may still bear the mark of an earlier uid, and its resource can replace it. */
export const isMarkDue = <Wanted, Id extends object>(
  { resource }: Pick<Hands<Wanted, Id>, 'resource'>,
  { owner }: Thing,
): boolean => resource.remark !== undefined && owner !== undefined;

/** Reports whether an attempt has no known outcome: it is in progress or lost, or has failed after one that was lost. */
export const isOpen = (entry: GuardEntry | undefined): entry is GuardEntry =>
  entry?.phase === 'intent' || (entry?.phase === 'failed' && entry.unresolved === true);

/** Reports whether an attempt to replace marks is unresolved. */
export const isMarkingOpen = (entry: GuardEntry | undefined): boolean =>
  isOpen(entry) && (entry.input as { readonly remark?: boolean } | undefined)?.remark === true;

/** The thing as one that bears the workspace's own mark. */
function asOwn({ owner: _, ...thing }: Thing): Thing {
  return thing;
}

/** Asks for the workspace's own mark on a thing, whichever mark of ours it bears. */
async function mark<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  thing: Thing,
  signal: AbortSignal,
): Promise<void> {
  const owner = ownerOf(hands, asOwn(thing));
  const former = bearersOf(hands, thing).filter(({ uid }: Owner) => uid !== owner.uid);
  await hands.resource.remark?.(thing.id as Id, { owner, former, signal });
}

/** @returns the thing as it is then; undefined when it is not there any more. @throws DefiniteError when it bears the mark of somebody else */
async function marked<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  thing: Thing,
  signal: AbortSignal,
): Promise<Thing | undefined> {
  const { resource } = hands;
  let seen: Observed<Wanted> | undefined;
  if (resource.observe !== undefined)
    seen = await resource.observe(thing.id as Id, { owner: ownerOf(hands, thing), signal });
  if (isForeign(seen, ...bearersOf(hands, thing)))
    throw new DefiniteError(`${titled(resource, thing.slot)} bears the mark of ${seen?.mark}: it is not marked anew`);
  try {
    await mark(hands, thing, signal);
    return asOwn(thing);
  } catch (error) {
    const isGone = resource.observe !== undefined && seen === undefined;
    if (error instanceof DefiniteError && isGone) return undefined;
    throw error;
  }
}

/**
 * Gives what was taken over from an earlier uid the workspace's own mark, in one guarded attempt: from then on calls name the workspace itself. It is
 * asked for by id, so that whoever finds such an attempt open repeats it. What is going, or still being made, is left as it is, and so is what nobody wants.
 * @returns false: nothing has to be waited for
 */
export async function markAnew<Wanted, Id extends object>(hands: Hands<Wanted, Id>): Promise<false> {
  const { resource, wanted } = hands;
  const isWanted = ({ slot }: Thing): boolean => wanted.some((target) => target.slot === slot);
  const isAtRest = ({ state }: Thing): boolean => state !== 'going' && state !== 'making';
  const due = thingsOf(hands.refs()).filter((thing) => isMarkDue(hands, thing) && isAtRest(thing) && isWanted(thing));
  if (due.length === 0 && !isMarkingOpen(hands.session.entry)) return false;
  const what = due.length === 1 ? titled(resource, due[0]!.slot) : `${due.length} times ${resource.label}`;
  await hands.guard(
    `marking ${what} anew`,
    async ({ signal }) => {
      let things = thingsOf(hands.refs());
      for (const thing of due) {
        const own = await marked(hands, thing, signal);
        things = own === undefined ? withoutThing(things, thing) : withThing(things, own);
      }
      return outcomeOf(hands, things, `${what} marked anew`);
    },
    { op: 'update', identity: 'name', input: { remark: true }, ...timesOf(resource) },
  );
  return false;
}

/**
 * The thing as it is to be taken away. One that may bear either mark, since nobody knows how far an attempt to change it came, is marked anew before;
 * where the third party refuses that, it is as it was.
 */
export async function markedToGo<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  thing: Thing,
  signal: AbortSignal,
): Promise<Thing> {
  if (!isMarkDue(hands, thing)) return thing;
  try {
    await mark(hands, thing, signal);
    return asOwn(thing);
  } catch (error) {
    if (!(error instanceof DefiniteError)) throw error;
    return thing;
  }
}
