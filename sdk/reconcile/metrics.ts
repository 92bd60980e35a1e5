/** Metrics of the operations of a reconciler, as in operatorkit. */

import type { KubeObject } from '../api/object.ts';
import { type Around, type OperatedReconciler, withAround } from './named-operations.ts';
import type { Reconciler } from './reconciler.ts';

/** Labels of a sample. */
export interface OperationLabels {
  readonly service: string;
  readonly resource: string;
  readonly operation: string;
}

/** Subsystem in the names of operatorkit's series: `framework` at first, `controller` later. */
export type OperationSubsystem = 'controller' | 'framework';

/** Names of the series that {@link withMetrics} records. */
export interface OperationMetrics {
  /** Counter of operations that ended, successful or not. */
  readonly total: string;
  /** Counter of failed operations. */
  readonly errors: string;
  /** Histogram of durations in seconds. */
  readonly duration: string;
}

/** Returns the names of a subsystem's series: `operatorkit_framework_operation_total` and so on. */
export const operationMetricsOf = (subsystem: OperationSubsystem): OperationMetrics => ({
  total: `operatorkit_${subsystem}_operation_total`,
  errors: `operatorkit_${subsystem}_operation_error_total`,
  duration: `operatorkit_${subsystem}_operation`,
});

/** Names of the series of the subsystem `controller`, the default of {@link withMetrics}. */
export const operationMetrics: OperationMetrics = operationMetricsOf('controller');

/** Adapter to a metrics library. */
export interface OperationMeter {
  /** Increments a counter. */
  count(counter: string, labels: OperationLabels): void;
  /** Records a duration in seconds. */
  observe(histogram: string, labels: OperationLabels, seconds: number): void;
}

/** Options of {@link withMetrics}. */
export interface WithMetricsOptions {
  readonly meter: OperationMeter;
  /** Service label of the operations, such as `dnsOperator`. */
  readonly service: string;
  /** Subsystem of the series; `'framework'` for dashboards made for operatorkit's first series. @default 'controller' */
  readonly subsystem?: OperationSubsystem;
}

/**
 * Counts and times each operation of a reconciler; one that is not made of operations is a single one, `Reconcile`.
 * Around `withRetry` an operation counts once however often it was tried; inside of it, each attempt counts. Returns a new reconciler.
 */
export function withMetrics<T extends KubeObject>(
  { meter, service, subsystem = 'controller' }: WithMetricsOptions,
  reconciler: Reconciler<T>,
): OperatedReconciler<T> {
  const series = operationMetricsOf(subsystem);
  const around: Around<T> = async ({ resource, operation, request: { clock } }, run) => {
    const labels = { service, resource, operation };
    const from = clock.monotonic();
    try {
      return await run();
    } catch (error) {
      meter.count(series.errors, labels);
      throw error;
    } finally {
      meter.count(series.total, labels);
      meter.observe(series.duration, labels, (clock.monotonic() - from) / 1000);
    }
  };
  return withAround(reconciler, around);
}
