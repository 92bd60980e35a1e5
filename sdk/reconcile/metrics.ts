import type { KubeObject } from '../api/object.ts';
import { type Around, type OperatedReconciler, surrounded } from './operated.ts';
import type { Reconciler } from './reconciler.ts';

/** Of which operation a number is. */
export interface OperationLabels {
  readonly service: string;
  readonly resource: string;
  readonly operation: string;
}

/** The series that {@link withMetrics} keeps. */
export const operationMetrics = {
  /** A counter: operations that have ended, well or not. */
  total: 'operatorkit_controller_operation_total',
  /** A counter: operations that failed. It only rises. */
  errors: 'operatorkit_controller_operation_error_total',
  /** A histogram: seconds. */
  duration: 'operatorkit_controller_operation',
} as const;

/** Takes numbers, in whatever way: one adapter to a metrics library. */
export interface OperationMeter {
  /** Adds one to a counter. */
  count(counter: string, labels: OperationLabels): void;
  /** Notes how many seconds something took. */
  observe(histogram: string, labels: OperationLabels, seconds: number): void;
}

/** Whose numbers go where. */
export interface WithMetricsOptions {
  readonly meter: OperationMeter;
  /** Whose operations these are, such as `dnsOperator`. */
  readonly service: string;
}

/**
 * Counts and times each operation of a reconciler, each by itself; one that is not made of operations is a single one, `Reconcile`.
 * Around `withRetry` an operation counts once however often it was tried; inside of it, each try counts. The reconciler itself stays as it is.
 */
export function withMetrics<T extends KubeObject>(
  { meter, service }: WithMetricsOptions,
  reconciler: Reconciler<T>,
): OperatedReconciler<T> {
  const around: Around<T> = async ({ resource, operation, request: { clock } }, run) => {
    const labels = { service, resource, operation };
    const from = clock.monotonic();
    try {
      return await run();
    } catch (error) {
      meter.count(operationMetrics.errors, labels);
      throw error;
    } finally {
      meter.count(operationMetrics.total, labels);
      meter.observe(operationMetrics.duration, labels, (clock.monotonic() - from) / 1000);
    }
  };
  return surrounded(reconciler, around);
}
