/** Dependencies and helpers of one ensure or destroy pass. */

import { timestamp } from '../../api/condition.ts';
import type { ExternalResource, Owner } from '../contract/external-resource.ts';
import type { GuardOptions, Outcome, Ref, Task } from '../contract/integration.ts';
import {
  asRefs,
  type ExternalObject,
  needsObservation,
  nextChange,
  type WantedObject,
  withObject,
  withoutObject,
} from '../journal/external-objects.ts';
import type { Session } from '../journal/session.ts';

/** Runs a guard of the pass's session. */
export type RunGuard = (reason: string, task: Task, options: GuardOptions) => Promise<void>;

/** Dependencies of one ensure or destroy pass over the external objects of a condition. */
export interface EnsureContext<Wanted, Id extends object> {
  readonly session: Session;
  readonly resource: ExternalResource<Wanted, Id>;
  readonly wanted: readonly WantedObject<Wanted>[];
  /** Returns all ids known of the condition at this time. */
  refs(): readonly Ref[];
  readonly guard: RunGuard;
}

/** ms until an object that is being created or deleted is checked again. */
export const externalPollInterval = 5_000;

/** Returns the owner of an object: the workspace or, after a restore from a backup, an earlier workspace of that name. */
export function ownerOf<Wanted, Id extends object>(
  { session: { workspace, scope } }: Pick<EnsureContext<Wanted, Id>, 'session'>,
  { slot, owner }: Pick<ExternalObject, 'slot' | 'owner'>,
): Owner {
  const { namespace = '', name } = workspace.metadata;
  const uid = owner ?? workspace.metadata.uid ?? '';
  return { uid, namespace, workspace: name, condition: scope.type, slot, mark: [uid, scope.type, slot].join('/') };
}

/** Returns all owners whose mark an object of this slot may have: the workspace, then its earlier uids. */
export const possibleOwners = <Wanted, Id extends object>(
  { session }: Pick<EnsureContext<Wanted, Id>, 'session'>,
  slot: string,
): readonly Pick<ExternalObject, 'slot' | 'owner'>[] => [
  { slot },
  ...session.formerUids.toReversed().map((owner) => ({ slot, owner })),
];

/**
 * Returns the owners whose mark an object may bear: its own and, if the resource has `replaceMark`, the workspace and all its earlier uids, the latest last. A
 * lost attempt may have replaced the mark or not, and a lagging read still shows the old one.
 */
export function possibleMarkOwners<Wanted, Id extends object>(
  context: Pick<EnsureContext<Wanted, Id>, 'session' | 'resource'>,
  object: Pick<ExternalObject, 'slot' | 'owner'>,
): readonly Owner[] {
  if (context.resource.replaceMark === undefined) return [ownerOf(context, object)];
  const known = possibleOwners(context, object.slot).toReversed();
  const bearers = known.some(({ owner }) => owner === object.owner) ? known : [object, ...known];
  return bearers.map((one) => ownerOf(context, one));
}

/** Reports whether the journal entry is missing. That never proves that nothing was begun: existing objects must be searched. */
export const isJournalLost = <Wanted, Id extends object>({
  session,
}: Pick<EnsureContext<Wanted, Id>, 'session'>): boolean => session.entry === undefined;

/** Reports whether the journal was lost and not all objects were observed since. */
export const isUnverifiedSinceLoss = <Wanted, Id extends object>({
  session,
}: Pick<EnsureContext<Wanted, Id>, 'session'>): boolean => session.entry?.lost === true;

/**
 * Reports whether the spec has changed more than once since the journal entry was written. A change in between may have been carried out before the
 * status was put back, which no mirror shows: objects that are recorded as wanted are observed first.
 */
export const hasSkippedChange = <Wanted, Id extends object>({
  session: { entry, workspace },
}: Pick<EnsureContext<Wanted, Id>, 'session'>): boolean =>
  entry?.generation !== undefined && entry.generation + 1 < (workspace.metadata.generation ?? 0);

/** Names an object in messages. */
export const titleOf = ({ label }: { readonly label: string }, slot: string): string =>
  slot === '' ? label : `${label} ${slot}`;

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

/** Removes an object that a read did not find; where reads lag, it becomes `doubtful` instead and is read again. */
export const withMissing = <Wanted, Id extends object>(
  { resource }: Pick<EnsureContext<Wanted, Id>, 'resource'>,
  objects: readonly ExternalObject[],
  object: ExternalObject,
): readonly ExternalObject[] =>
  (resource.listLagMs ?? 0) > 0
    ? withObject(objects, { ...object, state: 'doubtful' })
    : withoutObject(objects, object);

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
export function outcomeOf<Wanted, Id extends object>(
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

/** Returns the request times of this resource, as options of its guards. */
export const requestTimesOf = <Wanted, Id extends object>({
  maxRequestMs,
  listLagMs,
}: ExternalResource<Wanted, Id>): GuardOptions => ({
  ...(maxRequestMs !== undefined && { maxRequestMs }),
  ...(listLagMs !== undefined && { listLagMs }),
});
