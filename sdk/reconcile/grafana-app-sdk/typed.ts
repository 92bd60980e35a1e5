/** Restricts a reconciler to objects of one type (grafana-app-sdk's TypedReconciler). */

import { parseApiVersion } from '../../api/kind.ts';
import { type KubeObject, type ObjectKey, objectKeyOf } from '../../api/object.ts';
import { eventOf } from '../object-event.ts';
import { done, type Reconciler } from '../reconciler.ts';
import { declareConditions } from '../written-conditions.ts';
import { type Handler, simple } from './simple.ts';

/** Thrown for an object that is not of the handler's type; `group` and `kind` are the object's own. */
export class CannotCastError extends Error {
  static {
    CannotCastError.prototype.name = 'CannotCastError';
  }
  readonly namespace: string;
  readonly objectName: string;
  readonly group: string;
  readonly kind: string;

  constructor(key: ObjectKey, { group, kind }: { readonly group: string; readonly kind: string }) {
    const { namespace = '', name } = key;
    super(`cannot cast ${group}:${kind} (${namespace}/${name}) into type`);
    this.namespace = namespace;
    this.objectName = name;
    this.group = group;
    this.kind = kind;
  }
}

/**
 * Creates a reconciler for objects of one type, by the type guard `is`. Without a handler it does nothing.
 * @throws CannotCastError at run time, for any other object
 */
export function typed<T extends KubeObject>(
  is: (object: KubeObject) => object is T,
  handler?: Handler<T>,
): Reconciler<KubeObject> {
  if (handler === undefined) return async () => done;
  const inner = simple(handler) as unknown as Reconciler<KubeObject>;
  return declareConditions('typed', { inner: [[inner]] }, async (request) => {
    const wrong = [eventOf(request)?.object, request.object].find((object) => object !== undefined && !is(object));
    if (wrong === undefined) return inner(request);
    throw new CannotCastError(objectKeyOf(wrong), { group: parseApiVersion(wrong.apiVersion).group, kind: wrong.kind });
  });
}
