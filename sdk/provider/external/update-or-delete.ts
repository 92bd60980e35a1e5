/** Updates and deletes known external objects. */

import { DefiniteError } from '../../errors.ts';
import type { GuardOptions, Outcome } from '../contract/integration.ts';
import { rateLimitedGuard } from '../guard/rate-limited-guard.ts';
import { type ExternalObject, withObject, withoutObject } from '../journal/external-objects.ts';
import type { ObjectChange } from '../journal/next-object-change.ts';
import { changeOutcome } from './change-outcome.ts';
import { type EnsureContext, knownObjects, requestTimesOf, titleOf, withMissing } from './ensure-context.ts';
import { withoutForeign } from './foreign-objects.ts';
import { ownerOf } from './object-owners.ts';
import { markBeforeDeletion } from './replace-owner-marks.ts';

/** Updates an object. @returns false when it does not exist any more: an id from the mirror may be outdated */
async function updateIfPresent<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  { object, wanted }: { readonly object: ExternalObject; readonly wanted: Wanted },
  signal: AbortSignal,
): Promise<boolean> {
  const { resource } = context;
  const callContext = { owner: ownerOf(context, object), signal };
  try {
    await resource.update?.(object.id as Id, wanted, callContext);
    return true;
  } catch (error) {
    if (!(error instanceof DefiniteError) || resource.observe === undefined) throw error;
    if ((await resource.observe(object.id as Id, callContext)) !== undefined) throw error;
    return false;
  }
}

/** Returns the object as it is after an update to the desired state; a secret that is missing still is. */
const objectAfterUpdate = ({ slot, id, owner, state }: ExternalObject, hash: string): ExternalObject => ({
  slot,
  id,
  hash,
  ...(owner !== undefined && { owner }),
  ...(state === 'secretless' && { state }),
});

/** Returns the outcome of an update of an object that is not there. */
function missingOutcome<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  object: ExternalObject,
): Outcome {
  const left = withMissing(context, knownObjects(context), object);
  return changeOutcome(context, left, `${titleOf(context.resource, object.slot)} was removed outside`);
}

/** Updates or deletes an object under guard. Both are idempotent, by the object's id, regardless of the identity. */
export function updateOrDelete<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  change: Exclude<ObjectChange<Wanted>, { op: 'create' }>,
): Promise<void> {
  const { resource, session } = context;
  const { object } = change;
  const title = titleOf(resource, object.slot);
  const options: GuardOptions = {
    op: change.op,
    identity: 'name',
    input: { slot: object.slot },
    ...requestTimesOf(resource),
  };
  if (change.op === 'update') {
    const { wanted, hash } = change.target;
    return rateLimitedGuard(session, {
      reason: `changing ${title}`,
      task: async ({ signal }) => {
        if (!(await updateIfPresent(context, { object, wanted }, signal))) return missingOutcome(context, object);
        return changeOutcome(
          context,
          withObject(knownObjects(context), objectAfterUpdate(object, hash)),
          `${title} was changed`,
        );
      },
      options,
    });
  }
  return rateLimitedGuard(session, {
    reason: `deleting ${title}`,
    task: async ({ signal }) => {
      const [ours] = await withoutForeign(context, [object], signal);
      const leaving = ours && (await markBeforeDeletion(context, ours, signal));
      const owner = ownerOf(context, leaving ?? object);
      const going = leaving && (await resource.delete(leaving.id as Id, { owner, signal })) === 'deleting';
      const objects = knownObjects(context);
      return changeOutcome(
        context,
        going ? withObject(objects, { ...(leaving ?? object), state: 'going' }) : withoutObject(objects, object),
        `${title} is ${going ? 'going' : 'gone'}`,
      );
    },
    options,
  });
}
