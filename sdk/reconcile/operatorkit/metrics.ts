/** Observes the operations of a reconciler (operatorkit's metricsresource). */

import type { KubeObject } from '../../api/object.ts';
import { refuseUnknown } from '../../options.ts';
import type { Reconciler } from '../reconciler.ts';
import { InvalidConfigError } from './config-errors.ts';
import { type Around, type OperatedReconciler, withAround } from './named-operations.ts';

/** Operation of a reconciler. */
export interface ObservedOperation {
  /** Service that it belongs to, such as `dnsOperator`. */
  readonly service: string;
  readonly resource: string;
  readonly operation: string;
}

/** Observes operations; part of what an `Observer` of the engine is. */
export interface OperationObserver {
  /** Must call `work` once and return its result. */
  operation?<R>(operation: ObservedOperation, work: () => Promise<R>): Promise<R>;
}

/** Options of {@link withMetrics}. */
export interface WithMetricsOptions {
  /** Such as that of `createMetrics`, which the controller has, too. */
  readonly observer: OperationObserver;
  /** Service label of the operations, such as `dnsOperator`. */
  readonly service: string;
}

/**
 * Reports each operation of a reconciler to an observer; one that is not made of operations is a single one, `Reconcile`.
 * Around `withRetry` an operation counts once however often it was tried; inside of it, each attempt counts. Returns a new reconciler.
 * @throws InvalidConfigError without an observer, TypeError for unknown options
 */
export function withMetrics<T extends KubeObject>(
  options: WithMetricsOptions,
  reconciler: Reconciler<T>,
): OperatedReconciler<T> {
  refuseUnknown('withMetrics', options, ['observer', 'service']);
  const { observer, service } = options;
  if (observer === undefined) throw new InvalidConfigError('withMetrics: observer is missing');
  const around: Around<T> = ({ resource, operation }, run) =>
    observer.operation?.({ service, resource, operation }, run) ?? run();
  return withAround(reconciler, around);
}
