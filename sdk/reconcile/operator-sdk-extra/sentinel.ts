/** operator-sdk-extra's Sentinel: children of objects that others own. */

import type { KubeObject } from '../../api/object.ts';
import { chain } from '../chain.ts';
import { pass } from '../pass.ts';
import type { Reconciler } from '../reconciler.ts';
import { declareConditions } from '../written-conditions.ts';

/**
 * Reconciles children of objects that the operator does not own (operator-sdk-extra's Sentinel): the object itself is never written,
 * neither its finalizers nor its status. Its children are garbage-collected by their owner reference.
 * A failure is recorded as the event SentinelActionError.
 */
export function sentinel<T extends KubeObject>(...reconcilers: readonly Reconciler<T>[]): Reconciler<T> {
  const all = chain(...reconcilers);
  const reconcile = pass<T>({
    status: false,
    warning: 'SentinelActionError',
    steps: (context) => [{ name: 'children', run: () => all(context) }],
    cleanUp: () => [],
  });
  return declareConditions('sentinel', { inner: [[all]] }, reconcile);
}
