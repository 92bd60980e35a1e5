/** Finds existing external objects by their owner mark. */

import { messageOf } from '../../errors.ts';
import type { ExternalObject } from '../journal/external-objects.ts';
import { type EnsureContext, isFirstAfterLoss, ownerOf, possibleOwners, titleOf } from './ensure-context.ts';
import { recoverSecret } from './secret.ts';

/**
 * Returns the hash of a found object: that of the operation, which created it. After a lost journal it may be older, so an empty one is returned,
 * which differs from any desired state and causes an update.
 */
function foundHash<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>, hash: string): string {
  return isFirstAfterLoss(context) && context.resource.update !== undefined ? '' : hash;
}

/** Object with an owner mark of the workspace, or of an earlier uid of it. */
export interface OwnedMatch<Id extends object> extends Pick<ExternalObject, 'slot' | 'owner'> {
  readonly id: Id;
}

/** Finds the object with the workspace's mark, or that of an earlier uid of it. */
export async function findOwn<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  slot: string,
  signal: AbortSignal,
): Promise<OwnedMatch<Id> | undefined> {
  for (const owner of possibleOwners(context, slot)) {
    const id = await context.resource.find?.(ownerOf(context, owner), { signal });
    if (id !== undefined) return { ...owner, id };
  }
  return undefined;
}

/**
 * Reads a found object, whose creation may be incomplete.
 * @throws Error when reading it finds nothing: then list and read are not consistent yet, and nothing can be concluded
 */
export async function recoverObject<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  hash: string,
  found: OwnedMatch<Id> & { readonly signal: AbortSignal },
): Promise<ExternalObject<Id>> {
  const { resource } = context;
  const { slot, owner, id, signal } = found;
  const seen = await resource.observe?.(id, { owner: ownerOf(context, found), signal });
  if (resource.observe !== undefined && seen === undefined)
    throw new Error(`${titleOf(resource, slot)} is listed, but reading it says that it is not there`);
  const state = seen?.ready === false ? 'making' : await secretState(context, found);
  return { slot, id, hash: foundHash(context, hash), ...(owner !== undefined && { owner }), ...(state && { state }) };
}

/** Stores the secret of a found object; a failure to store it does not lose the object. */
async function secretState<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  found: OwnedMatch<Id> & { readonly signal: AbortSignal },
): Promise<'secretless' | undefined> {
  const { host, workspace, scope } = context.session;
  try {
    await recoverSecret(context, found);
    return undefined;
  } catch (error) {
    host.events.event(workspace, 'Warning', 'SecretNotKept', `${scope.type}: ${messageOf(error)}`);
    return 'secretless';
  }
}

/** Finds objects with the mark of an earlier uid, as far as the spec names them: for a resource that cannot list. */
async function findFormer<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  signal: AbortSignal,
): Promise<readonly OwnedMatch<Id>[]> {
  const found: OwnedMatch<Id>[] = [];
  for (const owner of context.wanted
    .flatMap(({ slot }) => possibleOwners(context, slot))
    .filter((one) => one.owner !== undefined)) {
    const id = await context.resource.find?.(ownerOf(context, owner), { signal });
    if (id !== undefined) found.push({ ...owner, id });
  }
  return found;
}

/** Finds all objects with the workspace's mark, or that of an earlier uid of it. */
export async function findAllOwned<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  signal: AbortSignal,
): Promise<readonly OwnedMatch<Id>[]> {
  if (context.resource.findAll === undefined) return findFormer(context, signal);
  const all: OwnedMatch<Id>[] = [];
  for (const owner of possibleOwners(context, '')) {
    const found = (await context.resource.findAll?.(ownerOf(context, owner), { signal })) ?? [];
    all.push(...found.map(({ slot, id }) => ({ ...owner, slot, id })));
  }
  return all;
}
