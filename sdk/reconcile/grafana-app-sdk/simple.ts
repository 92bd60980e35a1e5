/** Reconcilers of a plain function or a watcher (grafana-app-sdk). */

import type { KubeObject } from '../../api/object.ts';
import { eventOf, type ReconcileAction } from '../object-event.ts';
import { done, type Reconciler, type Request, type Result } from '../reconciler.ts';
import { declareConditions } from '../written-conditions.ts';
import { type ResourceWatcher, watcher } from './watcher.ts';

/** Request with an action, and with an object even after its deletion, as in grafana-app-sdk. */
export interface ReconcileRequest<T extends KubeObject> extends Request<T> {
  readonly action: ReconcileAction;
  /** Current object; after its deletion, the last known state. */
  readonly object: T;
  /** State before an update, if known. */
  readonly previous: T | undefined;
}

/** Handler that {@link simple} and similar functions take: a function, or a watcher. */
export type Handler<T extends KubeObject> =
  | ((request: ReconcileRequest<T>) => Promise<Result | undefined>)
  | ResourceWatcher<T>;

const reconcilerOf =
  <T extends KubeObject>(reconcile: (request: ReconcileRequest<T>) => Promise<Result | undefined>): Reconciler<T> =>
  async (request) => {
    const event = eventOf(request);
    if (event === undefined) return done;
    const { action, object, previous } = event;
    return (await reconcile({ ...request, action, object, previous })) ?? done;
  };

/** Creates a reconciler of a function or a watcher; without a handler it does nothing. */
export function simple<T extends KubeObject>(handler?: Handler<T>): Reconciler<T> {
  if (handler === undefined) return async () => done;
  return typeof handler === 'function'
    ? declareConditions('simple', { inner: [[handler]] }, reconcilerOf(handler))
    : watcher(handler);
}
