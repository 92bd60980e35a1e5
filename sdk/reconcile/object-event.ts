import { isDeleting, type KubeObject } from '../api/object.ts';
import { type Cause, isPresent, type Present, type Request } from './reconciler.ts';

/** What happened to an object, as grafana-app-sdk calls it. Resynced: nothing, it is looked at again. */
export type ReconcileAction = 'created' | 'updated' | 'deleted' | 'resynced';

/** What a run is about. A retry is about the same as the run before it, with the object as it is by then. */
export interface ObjectEvent<T extends KubeObject> {
  readonly action: ReconcileAction;
  /** The object now; of a deleted one, the last state that is known. */
  readonly object: T;
  /** Its state before an update, where it is known. */
  readonly previous?: T | undefined;
  /** Of a deletion: the object is on its way out, but finalizers still hold it. */
  readonly isStillThere?: true;
}

/**
 * Two things that happened to one object before anybody handled the first, as one: what was made and then changed is made, a deletion ends
 * all that was before it, and a resync adds nothing.
 */
export function mergedEvent<T extends KubeObject>(
  known: ObjectEvent<T> | undefined,
  next: ObjectEvent<T>,
): ObjectEvent<T> {
  if (known === undefined || known.action === 'resynced' || known.action === 'deleted') return next;
  if (next.action === 'deleted' || next.action === 'created') return next;
  return { ...known, object: next.object };
}

const actionOf: Readonly<Partial<Record<Cause, ReconcileAction>>> = {
  created: 'created',
  deleted: 'deleted',
  resync: 'resynced',
};

/** What a request is about; undefined for something gone of which nothing is known. */
export function eventOf<T extends KubeObject>({ event, object, cause }: Request<T>): ObjectEvent<T> | undefined {
  if (event !== undefined || object === undefined) return event;
  return { action: actionOf[cause] ?? 'updated', object };
}

/** The same request, about something else: its object is that of the event, unless it is gone. */
export const requestAbout = <T extends KubeObject>(request: Request<T>, event: ObjectEvent<T>): Request<T> => ({
  ...request,
  event,
  object: request.object && event.object,
});

/** The request with an object at hand: the one that is there, or the last known state of one that is gone; undefined where nothing is known. */
export function lastSeen<T extends KubeObject>(request: Request<T>): Present<T> | undefined {
  if (isPresent(request)) return request;
  const { event } = request;
  return event?.action === 'deleted' ? { ...request, object: event.object } : undefined;
}

/** True for an object that is being deleted, or gone. */
export const isEnding = <T extends KubeObject>({ object, event }: Present<T>): boolean =>
  isDeleting(object) || (event?.action === 'deleted' && !event.isStillThere);
