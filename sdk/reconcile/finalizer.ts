import { hasFinalizer } from '../api/finalizer.ts';
import { isDeleting, type KubeObject } from '../api/object.ts';
import { patchFinalizers } from './finalizer-patch.ts';
import { asksForMore, done, type Reconciler } from './reconciler.ts';

export interface FinalizerOptions {
  /** Whether an event tells that it was added. @default false */
  readonly report?: boolean;
}

/**
 * Lets an object go only after `inner` has cleaned up.
 *
 * # Expected flow
 * 1. An object without the finalizer gets it, and the pass ends; `inner` runs once it is there: before any change outside.
 * 2. With it, `inner` runs after every change.
 * 3. When the object is being deleted, `inner` runs until it neither throws nor says `stop`, `keepFinalizer` or `requeueAfter`; then the finalizer goes.
 *
 * # Guarantees
 * Nothing is added to an object that is being deleted, and `inner` does not run for one without the finalizer, or for one that is gone.
 * Finalizers of others are never touched. An object that is gone when the finalizer is to be removed is a success.
 *
 * @param name such as `websites.example.com/cleanup`
 * @throws StaleError when the object keeps changing under the patch: the engine runs again at once
 */
export const finalizer =
  <T extends KubeObject>(
    name: string,
    inner: Reconciler<T>,
    { report = false }: FinalizerOptions = {},
  ): Reconciler<T> =>
  async (request) => {
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
  };
