/** Deletes all external objects of a condition. */

import { canonicalJson } from '../../api/digest.ts';
import type { Result } from '../../reconcile/reconciler.ts';
import type { GuardOptions, Outcome } from '../contract/integration.ts';
import { PartialEffectError } from '../guard/partial-effect-error.ts';
import { rateLimitedGuard } from '../guard/rate-limited-guard.ts';
import { asRefs, type ExternalObject } from '../journal/external-objects.ts';
import { conditionFor, conditionPatch } from '../journal/journal-patch.ts';
import { create, openCreation } from './creation.ts';
import { type EnsureContext, externalPollInterval, knownObjects, requestTimesOf } from './ensure-context.ts';
import { findAllOwned } from './find-owned.ts';
import { withoutForeign } from './foreign-objects.ts';
import { ownerOf, possibleOwners } from './object-owners.ts';
import { markBeforeDeletion } from './replace-owner-marks.ts';

/** Limit of the objects of one slot that are deleted; more than one exists only after late requests. */
const sweepLimit = 16;

/** Runs a deletion of several objects. @throws PartialError for a failure after the third party has carried out a part of it */
async function withPartialErrors<Wanted, Id extends object, T>(
  context: EnsureContext<Wanted, Id>,
  act: (context: EnsureContext<Wanted, Id>) => Promise<T>,
): Promise<T> {
  const { resource } = context;
  let isBegun = false;
  const remove: typeof resource.delete = async (id, call) => {
    const answer = await resource.delete(id, call);
    isBegun = true;
    return answer;
  };
  try {
    return await act({ ...context, resource: { ...resource, delete: remove } });
  } catch (error) {
    throw isBegun ? new PartialEffectError(error) : error;
  }
}

/** Deletes recorded objects, the last created first. @returns those that are not gone yet */
async function deleteAll<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  objects: readonly ExternalObject[],
  signal: AbortSignal,
): Promise<readonly ExternalObject[]> {
  const left: ExternalObject[] = [];
  for (const object of [...(await withoutForeign(context, objects, signal))].reverse()) {
    const leaving = await markBeforeDeletion(context, object, signal);
    const owner = ownerOf(context, leaving);
    const going = (await context.resource.delete(leaving.id as Id, { owner, signal })) === 'deleting';
    if (going) left.unshift({ ...leaving, state: 'going' });
  }
  return left;
}

/** Finds unrecorded objects by their owner mark, and deletes them. Stops at one that is found twice: the list lags, and does not show the next one. */
async function sweep<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  slots: readonly string[],
  signal: AbortSignal,
): Promise<readonly ExternalObject[]> {
  const left: ExternalObject[] = [];
  for (const place of slots.flatMap((slot) => possibleOwners(context, slot))) {
    const owner = ownerOf(context, place);
    const deleted = new Set<string>();
    for (let count = 0; count < sweepLimit; count += 1) {
      const id = await context.resource.find?.(owner, { signal });
      if (id === undefined) break;
      const isListed = deleted.has(canonicalJson(id));
      deleted.add(canonicalJson(id));
      if (!isListed && (await context.resource.delete(id, { owner, signal })) !== 'deleting') continue;
      left.push({ ...place, id, hash: '', state: 'going' });
      break;
    }
  }
  return left;
}

/** Deletes all objects that the third party lists as owned, regardless of the spec and the journal. @returns those that are not gone yet */
async function sweepAll<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  signal: AbortSignal,
): Promise<readonly ExternalObject[]> {
  const found = await findAllOwned(context, signal);
  return deleteAll(
    context,
    found.map((one): ExternalObject => ({ ...one, hash: '' })),
    signal,
  );
}

/**
 * Returns the identity of the deletion's guard. Repeating a deletion is safe, but an object that cannot be found must not be forgotten: then a person
 * is asked. If there is only one object, its id in the mirror suffices.
 */
function deletionGuardOptions<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): GuardOptions {
  const { session, resource } = context;
  const { entry } = session;
  const knowsAll = resource.nameOf === undefined && knownObjects(context).length > 0;
  const mayBeUnknown =
    resource.find === undefined &&
    resource.findAll === undefined &&
    ((entry === undefined && !knowsAll) || (entry?.phase === 'intent' && entry.op === 'create'));
  return mayBeUnknown ? {} : { identity: 'name' };
}

/** Sets `Terminated` where nothing was ever begun: without an attempt, so that no permit of the rate limiter is needed. */
async function writeTerminated<Wanted, Id extends object>({
  session,
  resource,
}: EnsureContext<Wanted, Id>): Promise<void> {
  const { workspace, scope, host } = session;
  const word = { type: scope.type, status: 'Terminated', reason: `no ${resource.label} was made` } as const;
  const patch = conditionPatch(workspace, conditionFor(session, word, host.clock.now()));
  await session.patchStatus(patch);
}

/** Deletes all external objects of a condition, known or findable. @returns the requeue while a deletion is in progress */
export async function destroy<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<Result> {
  const { session, resource, wanted } = context;
  const open = openCreation<Wanted>(session);
  if (open !== undefined && resource.identity === 'key') await create(context, open);
  const { entry, mirror } = session;
  if (entry?.phase === 'gone' && entry.late === undefined) return {};
  if (entry?.phase === 'none') {
    await writeTerminated(context);
    return {};
  }
  const mayHaveMore = entry === undefined || entry.ambiguous === true || entry.phase === 'intent';
  let left: readonly ExternalObject[] = [];
  await rateLimitedGuard(session, {
    reason: `deleting ${resource.label}`,
    task: async ({ signal }): Promise<Outcome> => {
      const objects = knownObjects(context);
      const slots = new Set([
        ...objects.map(({ slot }) => slot),
        ...(open === undefined ? [] : [open.slot]),
        ...wanted.map(({ slot }) => slot),
        ...(mirror.kind === 'unverified' ? mirror.slots : []),
        ...(resource.nameOf === undefined ? [''] : []),
      ]);
      left = await withPartialErrors(context, async (tracked) => {
        const known = await deleteAll(tracked, objects, signal);
        if (!mayHaveMore) return known;
        const waiting = new Set(known.map(({ slot }) => slot));
        const listed = await sweepAll(tracked, signal);
        const rest = [...slots].filter((slot) => !waiting.has(slot));
        return [...known, ...listed.filter(({ slot }) => !waiting.has(slot)), ...(await sweep(tracked, rest, signal))];
      });
      return left.length === 0
        ? { status: 'Terminated', reason: `no ${resource.label} is left`, refs: [] }
        : {
            status: 'In Progress',
            reason: `${left.length === 1 ? '' : `${left.length} × `}${resource.label} still being deleted`,
            refs: asRefs(left),
          };
    },
    options: { op: 'delete', ...deletionGuardOptions(context), ...requestTimesOf(resource) },
  });
  for (const { slot } of wanted) session.host.driftChecks.delete(`${session.lockKey}/${slot}`);
  return left.length === 0 ? {} : { requeueAfter: externalPollInterval };
}
