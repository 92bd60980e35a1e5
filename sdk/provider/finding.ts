/** Finds existing external objects by their owner mark. */

import { messageOf } from '../errors.ts';
import { type Hands, isFirstAfterLoss, ownerOf, ownersOf, titled } from './hands.ts';
import { regainSecret } from './secret.ts';
import type { Thing } from './things.ts';

/**
 * Returns the hash of a found object: that of the operation, which created it. After a lost journal it may be older, so an empty one is returned,
 * which differs from any desired state and causes an update.
 */
function foundHash<Wanted, Id extends object>(hands: Hands<Wanted, Id>, hash: string): string {
  return isFirstAfterLoss(hands) && hands.resource.update !== undefined ? '' : hash;
}

/** Object with an owner mark of the workspace, or of an earlier uid of it. */
export interface Found<Id extends object> extends Pick<Thing, 'slot' | 'owner'> {
  readonly id: Id;
}

/** Finds the object with the workspace's mark, or that of an earlier uid of it. */
export async function findOwn<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  slot: string,
  signal: AbortSignal,
): Promise<Found<Id> | undefined> {
  for (const owner of ownersOf(hands, slot)) {
    const id = await hands.resource.find?.(ownerOf(hands, owner), { signal });
    if (id !== undefined) return { ...owner, id };
  }
  return undefined;
}

/**
 * Reads a found object, whose creation may be incomplete.
 * @throws Error when reading it finds nothing: then list and read are not consistent yet, and nothing can be concluded
 */
export async function regained<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  hash: string,
  found: Found<Id> & { readonly signal: AbortSignal },
): Promise<Thing<Id>> {
  const { resource } = hands;
  const { slot, owner, id, signal } = found;
  const seen = await resource.observe?.(id, { owner: ownerOf(hands, found), signal });
  if (resource.observe !== undefined && seen === undefined)
    throw new Error(`${titled(resource, slot)} is listed, but reading it says that it is not there`);
  const state = seen?.ready === false ? 'making' : await secretState(hands, found);
  return { slot, id, hash: foundHash(hands, hash), ...(owner !== undefined && { owner }), ...(state && { state }) };
}

/** Stores the secret of a found object; a failure to store it does not lose the object. */
async function secretState<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  found: Found<Id> & { readonly signal: AbortSignal },
): Promise<'secretless' | undefined> {
  const { host, workspace, scope } = hands.session;
  try {
    await regainSecret(hands, found);
    return undefined;
  } catch (error) {
    host.events.event(workspace, 'Warning', 'SecretNotKept', `${scope.type}: ${messageOf(error)}`);
    return 'secretless';
  }
}

/** Finds objects with the mark of an earlier uid, as far as the spec names them: for a resource that cannot list. */
async function findFormer<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  signal: AbortSignal,
): Promise<readonly Found<Id>[]> {
  const found: Found<Id>[] = [];
  for (const owner of hands.wanted
    .flatMap(({ slot }) => ownersOf(hands, slot))
    .filter((one) => one.owner !== undefined)) {
    const id = await hands.resource.find?.(ownerOf(hands, owner), { signal });
    if (id !== undefined) found.push({ ...owner, id });
  }
  return found;
}

/** Finds all objects with the workspace's mark, or that of an earlier uid of it. */
export async function findEverything<Wanted, Id extends object>(
  hands: Hands<Wanted, Id>,
  signal: AbortSignal,
): Promise<readonly Found<Id>[]> {
  if (hands.resource.findAll === undefined) return findFormer(hands, signal);
  const all: Found<Id>[] = [];
  for (const owner of ownersOf(hands, '')) {
    const found = (await hands.resource.findAll?.(ownerOf(hands, owner), { signal })) ?? [];
    all.push(...found.map(({ slot, id }) => ({ ...owner, slot, id })));
  }
  return all;
}
