import type { KubeObject } from '../api/object.ts';
import { eventOf, type ReconcileAction } from './object-event.ts';
import { done, type Reconciler, type Request, type Result } from './reconciler.ts';
import { type ResourceWatcher, watcher } from './watcher.ts';

/** A request as grafana-app-sdk has it: with an action, and with an object even after its deletion. */
export interface ReconcileRequest<T extends KubeObject> extends Request<T> {
  readonly action: ReconcileAction;
  /** The object; of a deleted one the last state that is known. */
  readonly object: T;
  /** Its state before an update, where it is known. */
  readonly previous: T | undefined;
}

/** What {@link simple} and its like take: a function, or the functions of a watcher. */
export type Handler<T extends KubeObject> =
  | ((request: ReconcileRequest<T>) => Promise<Result | undefined>)
  | ResourceWatcher<T>;

const acting =
  <T extends KubeObject>(reconcile: (request: ReconcileRequest<T>) => Promise<Result | undefined>): Reconciler<T> =>
  async (request) => {
    const event = eventOf(request);
    if (event === undefined) return done;
    const { action, object, previous } = event;
    return (await reconcile({ ...request, action, object, previous })) ?? done;
  };

/** A reconciler of a function or of a watcher's functions; without any it is always done. */
export function simple<T extends KubeObject>(handler?: Handler<T>): Reconciler<T> {
  if (handler === undefined) return async () => done;
  return typeof handler === 'function' ? acting(handler) : watcher(handler);
}
