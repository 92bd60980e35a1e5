import type { KubeObject } from '../api/object.ts';
import { eventOf, type ObjectEvent, type ReconcileAction } from './object-event.ts';
import { done, type Reconciler, type Request } from './reconciler.ts';

type WatcherResult = Promise<void> | void;

/** What reacts to events of objects; what is missing counts as done. The request comes last: client, signal, logger. */
export interface ResourceWatcher<T extends KubeObject> {
  add?(object: T, request: Request<T>): WatcherResult;
  /** `old` is the same object as `current` where the state before is not known. */
  update?(old: T, current: T, request: Request<T>): WatcherResult;
  /** With the last state that is known. Within `opinionated`: while the object is being deleted, before it is let go. */
  delete?(object: T, request: Request<T>): WatcherResult;
  /** An object that was handled before is looked at again: after a restart, by `opinionated`, or at a resync. */
  sync?(object: T, request: Request<T>): WatcherResult;
}

type WatcherCall = <T extends KubeObject>(
  watcher: ResourceWatcher<T>,
  event: ObjectEvent<T>,
  request: Request<T>,
) => WatcherResult;

const calls: Readonly<Record<ReconcileAction, WatcherCall>> = {
  created: (watcher, { object }, request) => watcher.add?.(object, request),
  updated: (watcher, { object, previous = object }, request) => watcher.update?.(previous, object, request),
  deleted: (watcher, { object }, request) => watcher.delete?.(object, request),
  resynced: (watcher, { object }, request) => watcher.sync?.(object, request),
};

/** Calls the function of a watcher that an event is for. A deletion of something never seen calls none: there is no state to hand over. */
export const watcher =
  <T extends KubeObject>(handlers: ResourceWatcher<T>): Reconciler<T> =>
  async (request) => {
    const event = eventOf(request);
    if (event !== undefined) await calls[event.action](handlers, event, request);
    return done;
  };
