import { messageOf } from '../errors.ts';
import { type Hands, isFirstAfterLoss, ownerOf, ownersOf, titled } from './hands.ts';
import type { Ref } from './integration.ts';
import { regainSecret } from './secret.ts';
import type { Thing } from './things.ts';

/**
 * The hash of a thing that was found: its maker's, which is this very operation; but where the journal was lost it may be older, so that it counts
 * as different from everything that is wanted, and is updated.
 */
function foundHash<Wanted, Id extends Ref>(hands: Hands<Wanted, Id>, hash: string): string {
  return isFirstAfterLoss(hands) && hands.resource.update !== undefined ? '' : hash;
}

/** What bears a mark of ours, and whose of our uids that is. */
export interface Found<Id extends Ref> extends Pick<Thing, 'slot' | 'owner'> {
  readonly id: Id;
}

/** Finds what bears the workspace's mark, or that of an earlier uid of it. */
export async function findOwn<Wanted, Id extends Ref>(
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
 * A thing that was found: nobody knows how far its maker came.
 * @throws Error when reading it says that it is not there: what lists and what reads do not agree yet, which says nothing
 */
export async function regained<Wanted, Id extends Ref>(
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

/** Has the secret of a thing that was found kept again; what cannot be kept now must not cost the thing. */
async function secretState<Wanted, Id extends Ref>(
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

/** What bears the mark of an earlier uid, as far as the spec names it: for a resource that cannot list. */
async function findFormer<Wanted, Id extends Ref>(
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

/** All that bears the workspace's mark, or that of an earlier uid of it. */
export async function findEverything<Wanted, Id extends Ref>(
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
