/** Finds existing external objects by their owner mark. */

import { messageOf } from '../../thrown.ts';
import type { Observed } from '../contract/external-resource.ts';
import type { ExternalObject, WantedObject } from '../journal/external-objects.ts';
import { isUpToDate } from '../journal/next-object-change.ts';
import { recoverSecret } from './connection-secret.ts';
import { type EnsureContext, isUnverifiedSinceLoss, titleOf } from './ensure-context.ts';
import { ownerOf, possibleOwners } from './object-owners.ts';

/**
 * Returns the hash to record for a found object: that of the desired state that it was created for. If it differs from that, or the journal was lost, an
 * empty one, which causes an update.
 */
function foundHash<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  { wanted, hash }: Pick<WantedObject<Wanted>, 'wanted' | 'hash'>,
  seen: Observed<Wanted> | undefined,
): string {
  if (context.resource.update === undefined) return hash;
  const differs = seen !== undefined && seen.ready !== false && !isUpToDate(wanted, seen.state);
  return differs || isUnverifiedSinceLoss(context) ? '' : hash;
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
 * Reads a found object, whose creation may be incomplete. Where lists lag, it may have been deleted before the search: then its
 * state is `found` until it has been observed again.
 * @throws Error when reading it finds nothing: then list and read are not consistent yet, and nothing can be concluded
 */
export async function recoverObject<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  target: Pick<WantedObject<Wanted>, 'wanted' | 'hash'>,
  found: OwnedMatch<Id> & { readonly signal: AbortSignal },
): Promise<ExternalObject<Id>> {
  const { resource } = context;
  const { slot, owner, id, signal } = found;
  const seen = await resource.observe?.(id, { owner: ownerOf(context, found), signal });
  if (resource.observe !== undefined && seen === undefined)
    throw new Error(`${titleOf(resource, slot)} is listed, but reading it says that it is not there`);
  const hash = foundHash(context, target, seen);
  const state = await foundState(context, found, seen);
  return { slot, id, hash, ...(owner !== undefined && { owner }), ...(state && { state }) };
}

/** Returns the state of a found object: `found` where lists lag, `making` or `secretless`. The inventory has waited for up-to-date lists. */
async function foundState<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  found: OwnedMatch<Id> & { readonly signal: AbortSignal },
  seen: Observed<Wanted> | undefined,
): Promise<ExternalObject['state']> {
  const { listLagMs = 0 } = context.resource;
  const hasWaited = isUnverifiedSinceLoss(context) && context.session.entry?.op === 'task';
  if (seen !== undefined && listLagMs > 0 && !hasWaited) return 'found';
  return seen?.ready === false ? 'making' : secretState(context, found);
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
