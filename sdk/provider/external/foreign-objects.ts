/** Detects external objects of other owners. */

import type { Observed, Owner } from '../contract/external-resource.ts';
import type { ExternalObject } from '../journal/external-objects.ts';
import { type EnsureContext, titleOf } from './ensure-context.ts';
import { ownerOf, possibleMarkOwners } from './object-owners.ts';

/** Advice on an object of another owner that is in the way. */
export const foreignObjectAdvice = 'have its owner remove it, or ask for another name';

/** Reports whether an object bears the mark of none of these owners, as far as its mark can be read. */
export const isForeign = (seen: Observed<unknown> | undefined, ...owners: readonly Owner[]): boolean =>
  seen?.mark !== undefined && !owners.some(({ mark }) => mark === seen.mark);

/** Reports whether an id is unverified: named by a person, or taken from a backup. */
const isUnverifiedId = ({ state, owner }: ExternalObject): boolean => state === 'named' || owner !== undefined;

/**
 * Removes objects of other owners from a list; they are left alone, and an event names each. Only ids that a person has named, or that come from a
 * backup, are read before: the workspace created all others itself.
 */
export async function withoutForeign<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  objects: readonly ExternalObject[],
  signal: AbortSignal,
): Promise<readonly ExternalObject[]> {
  const { resource, session } = context;
  const { host, workspace, scope } = session;
  const ours: ExternalObject[] = [];
  for (const object of objects) {
    const owner = ownerOf(context, object);
    const seen = isUnverifiedId(object) ? await resource.observe?.(object.id as Id, { owner, signal }) : undefined;
    if (!isForeign(seen, ...possibleMarkOwners(context, object))) ours.push(object);
    else {
      const what = `${titleOf(resource, object.slot)} ${JSON.stringify(object.id)} bears the mark of ${seen?.mark}`;
      host.events.event(workspace, 'Warning', 'NotOurs', `${scope.type}: ${what}: it is left alone`);
    }
  }
  return ours;
}
