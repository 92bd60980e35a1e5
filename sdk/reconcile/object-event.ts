/** Events of objects: created, updated, deleted, resynced. */

import { isDeleting, type KubeObject } from '../api/object.ts';
import { type Cause, isPresent, type Present, type Request } from './reconciler.ts';

/** Action of an event, as grafana-app-sdk names it. A resync means no change: the object is processed again. */
export type ReconcileAction = 'created' | 'updated' | 'deleted' | 'resynced';

/** Event that a run handles. A retry has the event of the failed run, with the object's current state. */
export interface ObjectEvent<T extends KubeObject> {
  readonly action: ReconcileAction;
  /** Current object; for a deletion, the last known state. */
  readonly object: T;
  /** State before an update, if known. */
  readonly previous?: T | undefined;
  /** For a deletion: the object has a deletion timestamp, and finalizers still hold it. */
  readonly isTerminating?: true;
}

/**
 * Merges two unhandled events of one object: `created` followed by `updated` stays `created`, `deleted` replaces
 * all earlier events, and a resync adds nothing.
 */
export function mergeEvents<T extends KubeObject>(
  known: ObjectEvent<T> | undefined,
  next: ObjectEvent<T>,
): ObjectEvent<T> {
  if (known === undefined || known.action === 'resynced' || known.action === 'deleted') return next;
  if (next.action === 'deleted' || next.action === 'created') return next;
  return { ...known, object: next.object };
}

const actions: Readonly<Partial<Record<Cause, ReconcileAction>>> = {
  created: 'created',
  deleted: 'deleted',
  resync: 'resynced',
};

/** Returns the event of a request; undefined for a deleted object whose last state is unknown. */
export function eventOf<T extends KubeObject>({ event, object, cause }: Request<T>): ObjectEvent<T> | undefined {
  if (event !== undefined || object === undefined) return event;
  return { action: actions[cause] ?? 'updated', object };
}

/** Returns the request with another event and its object; a deleted object stays undefined. */
export const requestWithEvent = <T extends KubeObject>(request: Request<T>, event: ObjectEvent<T>): Request<T> => ({
  ...request,
  event,
  object: request.object && event.object,
});

/** Returns the request with an object: the current one, or the last known state of a deleted one; undefined if it is unknown. */
export function withLastKnownObject<T extends KubeObject>(request: Request<T>): Present<T> | undefined {
  if (isPresent(request)) return request;
  const { event } = request;
  return event?.action === 'deleted' ? { ...request, object: event.object } : undefined;
}

/** Reports whether an object is being deleted, or has been deleted. */
export const isDeletingOrGone = <T extends KubeObject>({ object, event }: Present<T>): boolean =>
  isDeleting(object) || (event?.action === 'deleted' && !event.isTerminating);
