import type { KubeObject } from '../api/object.ts';
import { chain } from './chain.ts';
import { InvalidConfigError } from './config-errors.ts';
import { freeStyle } from './free-style.ts';
import { namedOperations, type OperatedReconciler } from './named-operations.ts';
import { isEnding, lastSeen } from './object-event.ts';
import { done, type Present, type Reconciler, type Result } from './reconciler.ts';
import { stepper } from './stepper.ts';

/** What an author says about one resource; both functions look first, then do what is missing: they are called again and again. */
export interface ResourceOptions<T extends KubeObject> {
  readonly name: string;
  /** Called when the object was created or changed, and when it is looked at again. */
  ensureCreated(request: Present<T>): Promise<Result | void> | Result | void;
  /**
   * Called while the object is being deleted, and with its last known state when it is gone.
   * Behind a finalizer (`finalizer`, `router`) only the first, until it went well: nobody hears of what goes without one while the operator is away.
   */
  ensureDeleted(request: Present<T>): Promise<Result | void> | Result | void;
}

/** One resource of an object as two functions; its operations are `EnsureCreated` and `EnsureDeleted`. @throws InvalidConfigError for an empty name */
export function resource<T extends KubeObject>(options: ResourceOptions<T>): OperatedReconciler<T> {
  if (options.name === '') throw new InvalidConfigError('resource: name is empty');
  return namedOperations(options.name, async (request, operate) => {
    const ensureDeleted = (context: Present<T>) => operate('EnsureDeleted', () => options.ensureDeleted(context));
    const last = lastSeen(request);
    if (last === undefined) return done;
    if (request.object === undefined) return freeStyle<T>(ensureDeleted)(last);
    return stepper<T>({
      Updater: (context) => operate('EnsureCreated', () => options.ensureCreated(context)),
      CRFinalizer: ensureDeleted,
    })(request);
  });
}

/**
 * Resources of one object, one after the other; while it is being deleted and when it is gone, in reverse.
 * One that is gone and of which no last state is known calls none.
 * The first to fail ends the pass, and so does one that returns `stop`.
 * @throws InvalidConfigError for an empty list
 */
export function resources<T extends KubeObject>(list: readonly Reconciler<T>[]): Reconciler<T> {
  if (list.length === 0)
    throw new InvalidConfigError('resources: the list is empty; an object without resources needs no reconciler');
  const [forth, back] = [chain(...list), chain(...list.toReversed())];
  return async (request) => {
    const last = lastSeen(request);
    if (last === undefined) return done;
    return isEnding(last) ? back(request) : forth(request);
  };
}
