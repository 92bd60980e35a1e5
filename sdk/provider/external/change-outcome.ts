/** Outcomes of changes of external objects. */

import { timestamp } from '../../api/condition.ts';
import type { Outcome } from '../contract/integration.ts';
import { asRefs, type ExternalObject, needsObservation } from '../journal/external-objects.ts';
import { nextChange } from '../journal/next-object-change.ts';
import { type EnsureContext, isUnverifiedSinceLoss, titleOf } from './ensure-context.ts';

/** Returns the condition's status for these objects: Completed once no change is left. */
export function completionOutcome<Wanted, Id extends object>(
  { resource, wanted }: EnsureContext<Wanted, Id>,
  objects: readonly ExternalObject[],
  doing: string,
): Outcome {
  const rest = nextChange(wanted, objects, resource.update !== undefined);
  const isComplete = rest === undefined && objects.every(({ state }) => state === undefined);
  return {
    status: isComplete ? 'Completed' : 'In Progress',
    reason: isComplete ? completedReason(resource.label, objects) : doing,
    refs: asRefs(objects),
  };
}

/** Formats until when the next read of an unconfirmed object is delayed; undefined when there is none. */
function questionReason<Wanted, Id extends object>(
  { resource, session }: EnsureContext<Wanted, Id>,
  objects: readonly ExternalObject[],
): string | undefined {
  const object = objects.find(needsObservation);
  const until = timestamp(session.host.clock.now() + (resource.listLagMs ?? 0));
  return (
    object &&
    `${titleOf(resource, object.slot)} may be there or gone: it is read again at ${until}, once lists are up to date`
  );
}

/** Returns the outcome of a change. After a lost journal that is not Completed: the other objects may be gone, and are observed first. */
export function changeOutcome<Wanted, Id extends object>(
  context: EnsureContext<Wanted, Id>,
  objects: readonly ExternalObject[],
  doing: string,
): Outcome {
  const why = questionReason(context, objects) ?? doing;
  const outcome = completionOutcome(context, objects, why);
  return isUnverifiedSinceLoss(context) ? { ...outcome, status: 'In Progress', reason: why } : outcome;
}

const completedReason = (label: string, objects: readonly ExternalObject[]): string => {
  if (objects.length === 0) return `no ${label} is wanted`;
  return objects.length === 1
    ? `${titleOf({ label }, objects[0]!.slot)} is there`
    : `${objects.length} × ${label}: ${objects.map(({ slot }) => slot).join(', ')}`;
};
