/** Resources of two functions, ensureCreated and ensureDeleted (operatorkit). */

import type { KubeObject } from '../../api/object.ts';
import { chain } from '../chain.ts';
import { isDeletingOrGone, withLastKnownObject } from '../object-event.ts';
import { freeStyle } from '../okt/free-style.ts';
import { stepper } from '../okt/stepper.ts';
import { done, type Present, type Reconciler, type Result } from '../reconciler.ts';
import { declareConditions } from '../written-conditions.ts';
import { checkConfig, InvalidConfigError } from './config-errors.ts';
import { namedOperations, type OperationReconciler } from './operations.ts';

/** Options of {@link resource}; both functions must be idempotent: they read the current state and do what is missing. */
export interface ResourceOptions<T extends KubeObject> {
  readonly name: string;
  /** Called after the object was created or changed, and at resyncs. */
  ensureCreated(request: Present<T>): Promise<Result | void> | Result | void;
  /**
   * Called while the object is being deleted, or with the last known state of a deleted one.
   * With a finalizer (`finalizer`, `router`) it is called only while the object is being deleted, until it succeeds. Without one, deletions are
   * missed while the operator is down.
   */
  ensureDeleted(request: Present<T>): Promise<Result | void> | Result | void;
}

/** Creates a resource of two functions; its operations are `EnsureCreated` and `EnsureDeleted`. @throws InvalidConfigError for an empty name or a missing function */
export function resource<T extends KubeObject>(options: ResourceOptions<T>): OperationReconciler<T> {
  checkConfig('resource', options, ['ensureCreated', 'ensureDeleted']);
  return namedOperations(options.name, async (request, runOperation) => {
    const ensureDeleted = (context: Present<T>) => runOperation('EnsureDeleted', () => options.ensureDeleted(context));
    const last = withLastKnownObject(request);
    if (last === undefined) return done;
    if (request.object === undefined) return freeStyle<T>(ensureDeleted)(last);
    return stepper<T>({
      Updater: (context) => runOperation('EnsureCreated', () => options.ensureCreated(context)),
      CRFinalizer: ensureDeleted,
    })(request);
  });
}

/**
 * Runs the resources of one object in order; in reverse while it is being deleted and after its deletion.
 * None is called for a deleted object whose last state is unknown.
 * The first error ends the pass, and so does a result with `stop`.
 * @throws InvalidConfigError for an empty list, or for an item that is not a function
 */
export function resources<T extends KubeObject>(list: readonly Reconciler<T>[]): Reconciler<T> {
  if (list.length === 0)
    throw new InvalidConfigError('resources: the list is empty; an object without resources needs no reconciler');
  const wrong = list.findIndex((one) => typeof one !== 'function');
  if (wrong !== -1)
    throw new InvalidConfigError(`resources: [${wrong}] must be a reconciler, found ${typeof list[wrong]}`);
  const [forward, reverse] = [chain(...list), chain(...list.toReversed())];
  return declareConditions('resources', { inner: [[forward, reverse]] }, async (request) => {
    const last = withLastKnownObject(request);
    if (last === undefined) return done;
    return isDeletingOrGone(last) ? reverse(request) : forward(request);
  });
}
