/** Finalizer around a reconciler. */

import { hasFinalizer } from '../api/finalizer.ts';
import { isDeleting, type KubeObject } from '../api/object.ts';
import { patchFinalizers } from './finalizer-patch.ts';
import { asksForMore, done, type Reconciler } from './reconciler.ts';
import { declareConditions } from './written-conditions.ts';

/** Options of {@link finalizer}. */
export interface FinalizerOptions {
  /** Records the event `Added` after the finalizer was added. @default false */
  readonly report?: boolean;
}

/**
 * Reconciles an object whose deletion requires `inner` to clean up first.
 *
 * # Expected flow
 * 1. An object without the finalizer gets it, and the pass ends; `inner` runs in the next pass, so the finalizer precedes any external change.
 * 2. With it, `inner` runs after every change.
 * 3. While the object is being deleted, `inner` runs until it neither throws nor returns `stop`, `keepFinalizer` or `requeueAfter`; then the
 * finalizer is removed.
 *
 * # Guarantees
 * The finalizer is never added to an object that is being deleted. `inner` runs only for an existing object that has the finalizer.
 * Finalizers of other controllers are never touched. Removing the finalizer of an object that does not exist any more succeeds.
 *
 * @param name such as `websites.example.com/cleanup`
 * @throws StaleError when the object keeps changing under the patch: the engine runs again at once
 */
export const finalizer = <T extends KubeObject>(
  name: string,
  inner: Reconciler<T>,
  { report = false }: FinalizerOptions = {},
): Reconciler<T> =>
  declareConditions('finalizer', { inner: [[inner]] }, async (request) => {
    const { object } = request;
    if (object === undefined) return done;
    const kept = { ...request, finalizer: name };
    const held = hasFinalizer(object, name);
    if (!isDeleting(object)) {
      if (held) return inner(kept);
      await patchFinalizers(request, object, { add: [name], answer: 'metadata' });
      if (report) request.events.event(object, 'Normal', 'Added', `finalizer ${name}`);
      return { requeueAfter: 0, stop: true };
    }
    if (!held) return done;
    const result = await inner(kept);
    if (!asksForMore(result)) await patchFinalizers(request, object, { remove: [name], answer: 'metadata' });
    return result;
  });
