import type { KubeObject } from '../api/object.ts';
import type { Reconciler, Request, Result } from './reconciler.ts';

/** One call of one operation. */
export interface OperationCall<T extends KubeObject> {
  /** The name of the resource it is about. */
  readonly resource: string;
  /** Such as `ApplyCreateChange`. */
  readonly operation: string;
  readonly request: Request<T>;
}

/** Something put around an operation: it calls `run` as often as it likes and returns what comes of it. */
export type Around<T extends KubeObject> = <V>(call: OperationCall<T>, run: () => Promise<V>) => Promise<V>;

/** A reconciler made of named operations: whatever wraps it can wrap each of them. */
export interface OperatedReconciler<T extends KubeObject> {
  (request: Request<T>): Promise<Result>;
  readonly resource: string;
  /** The same reconciler with something around each of its operations, and around what is there already. This one stays as it is. */
  around(outer: Around<T>): OperatedReconciler<T>;
}

/** Calls an operation by its name. */
export type Operate = <V>(operation: string, run: () => Promise<V> | V) => Promise<V>;

const bare = <V>(_call: unknown, run: () => Promise<V>): Promise<V> => run();

/** A reconciler that calls each of its operations through `operate`. */
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

/** Puts something around each operation of a reconciler; one that is not made of operations is a single one, `Reconcile`. */
export function withAround<T extends KubeObject>(reconciler: Reconciler<T>, around: Around<T>): OperatedReconciler<T> {
  if (isOperated(reconciler)) return reconciler.around(around);
  const name = reconciler.name === '' ? 'reconciler' : reconciler.name;
  return namedOperations<T>(name, (request, operate) => operate('Reconcile', () => reconciler(request))).around(around);
}
