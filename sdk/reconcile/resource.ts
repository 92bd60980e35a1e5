import { isDeleting, type KubeObject } from '../api/object.ts';
import { chain } from './chain.ts';
import { type OperatedReconciler, operated } from './operated.ts';
import { done, type Present, type Reconciler, type Result } from './reconciler.ts';
import { stepper } from './stepper.ts';

/** What an author says about one resource; both functions look first, then do what is missing: they are called again and again. */
export interface ResourceOptions<T extends KubeObject> {
  readonly name: string;
  /** Called when the object was created or changed, and when it is looked at again. */
  ensureCreated(request: Present<T>): Promise<Result | void> | Result | void;
  /** Called while the object is being deleted. */
  ensureDeleted(request: Present<T>): Promise<Result | void> | Result | void;
}

/** One resource of an object as two functions; its operations are `EnsureCreated` and `EnsureDeleted`. */
export const resource = <T extends KubeObject>(options: ResourceOptions<T>): OperatedReconciler<T> =>
  operated(options.name, (request, operate) =>
    stepper<T>({
      Updater: (context) => operate('EnsureCreated', () => options.ensureCreated(context)),
      CRFinalizer: (context) => operate('EnsureDeleted', () => options.ensureDeleted(context)),
    })(request),
  );

/**
 * Resources of one object, one after the other; while it is being deleted, in reverse.
 * The first to fail ends the pass, and so does one that returns `stop`.
 * @throws TypeError for an empty list
 */
export function resources<T extends KubeObject>(list: readonly Reconciler<T>[]): Reconciler<T> {
  if (list.length === 0)
    throw new TypeError('resources: the list is empty; an object without resources needs no reconciler');
  const [forth, back] = [chain(...list), chain(...list.toReversed())];
  return async (request) => {
    if (request.object === undefined) return done;
    return isDeleting(request.object) ? back(request) : forth(request);
  };
}
