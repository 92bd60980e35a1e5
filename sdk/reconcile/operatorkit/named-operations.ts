/** Reconcilers made of named operations, which can be wrapped one by one. */

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

/** Wraps an operation: it may call `run` several times, and returns the result. */
export type Around<T extends KubeObject> = <V>(call: OperationCall<T>, run: () => Promise<V>) => Promise<V>;

/** Reconciler made of named operations, each of which can be wrapped. */
export interface OperatedReconciler<T extends KubeObject> {
  (request: Request<T>): Promise<Result>;
  readonly resource: string;
  /** Returns the same reconciler with a wrapper around each operation, outside of existing ones. Does not change this one. */
  around(outer: Around<T>): OperatedReconciler<T>;
}

/** Runs an operation under its name. */
export type Operate = <V>(operation: string, run: () => Promise<V> | V) => Promise<V>;

const bare = <V>(_call: unknown, run: () => Promise<V>): Promise<V> => run();

/** Creates a reconciler that calls each of its operations through `operate`. */
export function namedOperations<T extends KubeObject>(
  resource: string,
  reconcile: (request: Request<T>, operate: Operate) => Promise<Result>,
  inner: Around<T> = bare,
): OperatedReconciler<T> {
  const run = (request: Request<T>): Promise<Result> =>
    reconcile(request, (operation, perform) => inner({ resource, operation, request }, async () => perform()));
  return Object.assign(run, {
    resource,
    around: (outer: Around<T>) =>
      namedOperations<T>(resource, reconcile, (call, perform) => outer(call, () => inner(call, perform))),
  });
}

const isOperated = <T extends KubeObject>(reconciler: Reconciler<T>): reconciler is OperatedReconciler<T> =>
  'around' in reconciler && typeof reconciler.around === 'function';

/** Wraps each operation of a reconciler; one that is not made of operations is a single one, `Reconcile`. */
export function withAround<T extends KubeObject>(reconciler: Reconciler<T>, around: Around<T>): OperatedReconciler<T> {
  if (isOperated(reconciler)) return reconciler.around(around);
  const name = reconciler.name === '' ? 'reconciler' : reconciler.name;
  const single = namedOperations<T>(name, (request, operate) => operate('Reconcile', () => reconciler(request)));
  return declareConditions(name, { inner: [[reconciler]] }, single.around(around));
}
