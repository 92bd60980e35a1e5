/** Metrics of the operations of a reconciler (operatorkit's metricsresource). */

import type { KubeObject } from '../../api/object.ts';
import { refuseUnknown } from '../../options.ts';
import type { Reconciler } from '../reconciler.ts';
import { InvalidConfigError } from './config-errors.ts';
import { type OperationInterceptor, type OperationReconciler, withInterceptor } from './operations.ts';

/** Operation as reported to an observer. */
export interface ObservedOperation {
  /** Service that it belongs to, such as `dnsOperator`. */
  readonly service: string;
  readonly resource: string;
  readonly operation: string;
}

/** Observer of operations; every `Observer` of the engine is one. */
export interface OperationObserver {
  /** Must call `work` once and return its result. */
  operation?<R>(operation: ObservedOperation, work: () => Promise<R>): Promise<R>;
}

/** Options of {@link withMetrics}. */
export interface WithMetricsOptions {
  /** Observer of the operations, such as the one of `createMetrics` that the controller has. */
  readonly observer: OperationObserver;
  /** Service label of the operations, such as `dnsOperator`. */
  readonly service: string;
}

/**
 * Reports each operation of a reconciler to an observer; a reconciler without named operations counts as one operation, `Reconcile`.
 * Around `withRetry` all attempts of an operation count once; inside of it, each attempt counts. Returns a new reconciler.
 * @throws InvalidConfigError without an observer, TypeError for unknown options
 */
export function withMetrics<T extends KubeObject>(
  options: WithMetricsOptions,
  reconciler: Reconciler<T>,
): OperationReconciler<T> {
  refuseUnknown('withMetrics', options, ['observer', 'service']);
  const { observer, service } = options;
  if (observer === undefined) throw new InvalidConfigError('withMetrics: observer is missing');
  const interceptor: OperationInterceptor<T> = ({ resource, operation }, run) =>
    observer.operation?.({ service, resource, operation }, run) ?? run();
  return withInterceptor(reconciler, interceptor);
}
