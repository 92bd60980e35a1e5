/** Dependencies and helpers of one ensure or destroy pass. */

import type { ExternalResource } from '../contract/external-resource.ts';
import type { GuardOptions } from '../contract/integration.ts';
import {
  assignSlots,
  type ExternalObject,
  externalObjectsOf,
  type WantedObject,
  withObject,
  withoutObject,
} from '../journal/external-objects.ts';
import { refsOf } from '../journal/known-refs.ts';
import type { Session } from '../journal/session.ts';

/** Session, resource and desired state of one ensure or destroy pass over the external objects of a condition. */
export interface EnsureContext<Wanted, Id extends object> {
  readonly session: Session;
  readonly resource: ExternalResource<Wanted, Id>;
  readonly wanted: readonly WantedObject<Wanted>[];
}

/** Returns the external objects known of the condition at this time, with the slots of the resource. */
export function knownObjects<Wanted, Id extends object>({
  session,
  resource,
  wanted,
}: EnsureContext<Wanted, Id>): readonly ExternalObject[] {
  const traits = {
    wanted,
    isSingleton: resource.nameOf === undefined,
    canUpdate: resource.update !== undefined,
    hasUniqueNames: resource.identity === 'name',
  };
  return externalObjectsOf(assignSlots(refsOf(session), traits));
}

/** ms until an object that is being created or deleted is checked again. */
export const externalPollInterval = 5_000;

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

/** Removes an object that a read did not find; where reads lag, it becomes `doubtful` instead and is read again. */
export const withMissing = <Wanted, Id extends object>(
  { resource }: Pick<EnsureContext<Wanted, Id>, 'resource'>,
  objects: readonly ExternalObject[],
  object: ExternalObject,
): readonly ExternalObject[] =>
  (resource.listLagMs ?? 0) > 0
    ? withObject(objects, { ...object, state: 'doubtful' })
    : withoutObject(objects, object);

/** Returns the request times of this resource, as options of its guards. */
export const requestTimesOf = <Wanted, Id extends object>({
  maxRequestMs,
  listLagMs,
}: ExternalResource<Wanted, Id>): GuardOptions => ({
  ...(maxRequestMs !== undefined && { maxRequestMs }),
  ...(listLagMs !== undefined && { listLagMs }),
});
