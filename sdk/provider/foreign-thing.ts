/** Detects external objects of other owners. */

import type { Observed, Owner } from './external-resource.ts';
import { bearersOf, type Hands, ownerOf, titled } from './hands.ts';
import type { Thing } from './things.ts';

/** Reports whether an object bears the mark of none of these owners, as far as its mark can be read. */
export const isForeign = (seen: Observed<unknown> | undefined, ...owners: readonly Owner[]): boolean =>
  seen?.mark !== undefined && !owners.some(({ mark }) => mark === seen.mark);

/** Reports whether an id is unverified: named by a person, or taken from a backup. */
const isHearsay = ({ state, owner }: Thing): boolean => state === 'named' || owner !== undefined;

/**
 * Removes objects of other owners from a list; they are left alone, and an event names each. Only ids that a person has named, or that come from a
 * backup, are read before: the workspace created all others itself.
 */
export async function withoutForeign<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  things: readonly Thing[],
  signal: AbortSignal,
): Promise<readonly Thing[]> {
  const { resource, session } = hands;
  const { host, workspace, scope } = session;
  const ours: Thing[] = [];
  for (const thing of things) {
    const owner = ownerOf(hands, thing);
    const seen = isHearsay(thing) ? await resource.observe?.(thing.id as Id, { owner, signal }) : undefined;
    if (!isForeign(seen, ...bearersOf(hands, thing))) ours.push(thing);
    else {
      const what = `${titled(resource, thing.slot)} ${JSON.stringify(thing.id)} bears the mark of ${seen?.mark}`;
      host.events.event(workspace, 'Warning', 'NotOurs', `${scope.type}: ${what}: it is left alone`);
    }
  }
  return ours;
}
