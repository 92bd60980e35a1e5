/** Reconcilers made of named operations, which interceptors wrap one by one. */

import type { KubeObject } from '../../api/object.ts';
import type { Reconciler, Request, Result } from '../reconciler.ts';
import { declareConditions } from '../written-conditions.ts';

/** Call of an operation. */
export interface OperationCall<T extends KubeObject> {
  /** Name of the resource. */
  readonly resource: string;
  /** Name of the operation, such as `ApplyCreateChange`. */
  readonly operation: string;
  readonly request: Request<T>;
}

/** Interceptor of operations: calls `run` once or several times, and returns the result. */
export type OperationInterceptor<T extends KubeObject> = <V>(
  call: OperationCall<T>,
  run: () => Promise<V>,
) => Promise<V>;

/** Reconciler made of named operations, each of which interceptors can wrap. */
export interface OperationReconciler<T extends KubeObject> {
  (request: Request<T>): Promise<Result>;
  readonly resource: string;
  /** Returns a reconciler of the same operations with one more interceptor, outside of the existing ones. */
  intercept(outer: OperationInterceptor<T>): OperationReconciler<T>;
}

/** Runs an operation under its name. */
export type RunOperation = <V>(operation: string, run: () => Promise<V> | V) => Promise<V>;

const passThrough = <V>(_call: unknown, run: () => Promise<V>): Promise<V> => run();

/** Creates a reconciler that calls each of its operations through `runOperation`. */
export function namedOperations<T extends KubeObject>(
  resource: string,
  reconcile: (request: Request<T>, runOperation: RunOperation) => Promise<Result>,
  inner: OperationInterceptor<T> = passThrough,
): OperationReconciler<T> {
  const run = (request: Request<T>): Promise<Result> =>
    reconcile(request, (operation, work) => inner({ resource, operation, request }, async () => work()));
  return Object.assign(run, {
    resource,
    intercept: (outer: OperationInterceptor<T>) =>
      namedOperations<T>(resource, reconcile, (call, run) => outer(call, () => inner(call, run))),
  });
}

const hasOperations = <T extends KubeObject>(reconciler: Reconciler<T>): reconciler is OperationReconciler<T> =>
  'intercept' in reconciler && typeof reconciler.intercept === 'function';

/** Adds an interceptor to a reconciler; a reconciler without named operations counts as one operation, `Reconcile`. */
export function withInterceptor<T extends KubeObject>(
  reconciler: Reconciler<T>,
  interceptor: OperationInterceptor<T>,
): OperationReconciler<T> {
  if (hasOperations(reconciler)) return reconciler.intercept(interceptor);
  const name = reconciler.name === '' ? 'reconciler' : reconciler.name;
  const single = namedOperations<T>(name, (request, runOperation) =>
    runOperation('Reconcile', () => reconciler(request)),
  );
  return declareConditions(name, { inner: [[reconciler]] }, single.intercept(interceptor));
}
