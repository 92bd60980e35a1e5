/** Replaces the marks of earlier uids on external objects after a restore. */

import type { GuardEntry } from '../../api/workspace.ts';
import { DefiniteError } from '../../errors.ts';
import type { Observed, Owner } from '../contract/external-resource.ts';
import { hasOpenAttempt } from '../guard/next-intent.ts';
import { rateLimitedGuard } from '../guard/rate-limited-guard.ts';
import { type ExternalObject, withObject } from '../journal/external-objects.ts';
import { changeOutcome } from './change-outcome.ts';
import { type EnsureContext, knownObjects, requestTimesOf, titleOf, withMissing } from './ensure-context.ts';
import { isForeign } from './foreign-objects.ts';
import { ownerOf, possibleMarkOwners } from './object-owners.ts';

/** Reports whether an object may still bear the mark of an earlier uid, and its resource can replace it. */
export const isMarkDue = <Wanted, Id extends object>(
  { resource }: Pick<EnsureContext<Wanted, Id>, 'resource'>,
  { owner }: ExternalObject,
): boolean => resource.replaceMark !== undefined && owner !== undefined;

/** Reports whether an attempt to replace marks is unresolved. */
export const isMarkingOpen = (entry: GuardEntry | undefined): boolean =>
  hasOpenAttempt(entry) && (entry.input as { readonly remark?: boolean } | undefined)?.remark === true;

/** Returns the object as one that bears the workspace's own mark. */
function asOwn({ owner: _, ...object }: ExternalObject): ExternalObject {
  return object;
}

/** Puts the workspace's own mark on an object, in place of that of an earlier uid. */
async function replaceMark<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
  signal: AbortSignal,
): Promise<void> {
  const owner = ownerOf(context, asOwn(object));
  const former = possibleMarkOwners(context, object).filter(({ uid }: Owner) => uid !== owner.uid);
  await context.resource.replaceMark?.(object.id as Id, { owner, former, signal });
}

/** Replaces the mark of one object, unless it has another owner. @returns its updated record; undefined when it is gone. @throws DefiniteError when it bears another owner's mark */
async function replaceMarkIfOwned<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
  signal: AbortSignal,
): Promise<ExternalObject | undefined> {
  const { resource } = context;
  let seen: Observed<Wanted> | undefined;
  if (resource.observe !== undefined)
    seen = await resource.observe(object.id as Id, { owner: ownerOf(context, object), signal });
  if (isForeign(seen, ...possibleMarkOwners(context, object)))
    throw new DefiniteError(
      `${titleOf(resource, object.slot)} bears the mark of ${seen?.mark}: its mark is not replaced`,
    );
  try {
    await replaceMark(context, object, signal);
    return asOwn(object);
  } catch (error) {
    const isGone = resource.observe !== undefined && seen === undefined;
    if (error instanceof DefiniteError && isGone) return undefined;
    throw error;
  }
}

/**
 * Replaces the marks of earlier uids on wanted objects by the workspace's own, in one guarded attempt: later calls then name the workspace itself.
 * `replaceMark` is idempotent, so a lost attempt is repeated. Objects that are being created or deleted, or may be gone, are skipped.
 */
export async function replaceMarks<Wanted, Id extends object>(context: EnsureContext<Wanted, Id>): Promise<void> {
  const { resource, wanted } = context;
  const isWanted = ({ slot }: ExternalObject): boolean => wanted.some((target) => target.slot === slot);
  const isAtRest = ({ state }: ExternalObject): boolean =>
    state !== 'going' && state !== 'making' && state !== 'doubtful';
  const due = knownObjects(context).filter(
    (object) => isMarkDue(context, object) && isAtRest(object) && isWanted(object),
  );
  if (due.length === 0 && !isMarkingOpen(context.session.entry)) return;
  const what = due.length === 1 ? titleOf(resource, due[0]!.slot) : `${due.length} × ${resource.label}`;
  await rateLimitedGuard(context.session, {
    reason: `marking ${what} anew`,
    task: async ({ signal }) => {
      let objects = knownObjects(context);
      for (const object of due) {
        const own = await replaceMarkIfOwned(context, object, signal);
        objects = own === undefined ? withMissing(context, objects, object) : withObject(objects, own);
      }
      return changeOutcome(context, objects, `${what} marked anew`);
    },
    options: { op: 'update', identity: 'name', input: { remark: true }, ...requestTimesOf(resource) },
  });
}

/**
 * Replaces the mark of an object before its deletion, if it may still bear that of an earlier uid: a lost attempt may have replaced it or not.
 * @returns its updated record; the same one where the third party refuses the mark
 */
export async function markBeforeDeletion<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
  signal: AbortSignal,
): Promise<ExternalObject> {
  if (!isMarkDue(context, object)) return object;
  try {
    await replaceMark(context, object, signal);
    return asOwn(object);
  } catch (error) {
    if (!(error instanceof DefiniteError)) throw error;
    return object;
  }
}
