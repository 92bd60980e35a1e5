/** Watchers: one function for each kind of event (grafana-app-sdk's ResourceWatcher). */

import type { KubeObject } from '../../api/object.ts';
import { eventOf, type ObjectEvent, type ReconcileAction } from '../object-event.ts';
import { done, type Reconciler, type Request } from '../reconciler.ts';

type WatcherResult = Promise<void> | void;

/** Handler of the events of objects; an absent function counts as success. */
export interface ResourceWatcher<T extends KubeObject> {
  add?(object: T, request: Request<T>): WatcherResult;
  /** Called after an update; `old` is the same object as `current` when the previous state is unknown. */
  update?(old: T, current: T, request: Request<T>): WatcherResult;
  /** Called with the last known state; within `opinionated` while the object is being deleted, before its finalizers are removed. */
  delete?(object: T, request: Request<T>): WatcherResult;
  /** Called for an object that was handled before: after a restart, by `opinionated`, or at a resync. */
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

/** Creates a reconciler that calls the watcher's function for an event; none for a deletion whose last state is unknown. */
export const watcher =
  <T extends KubeObject>(handlers: ResourceWatcher<T>): Reconciler<T> =>
  async (request) => {
    const event = eventOf(request);
    if (event !== undefined) await calls[event.action](handlers, event, request);
    return done;
  };
