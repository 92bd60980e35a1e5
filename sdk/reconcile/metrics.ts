import type { KubeObject } from '../api/object.ts';
import { type Around, type OperatedReconciler, withAround } from './named-operations.ts';
import type { Reconciler } from './reconciler.ts';

/** Of which operation a number is. */
export interface OperationLabels {
  readonly service: string;
  readonly resource: string;
  readonly operation: string;
}

/** The subsystems that operatorkit's series were named by: `framework` at first, `controller` later. */
export type OperationSubsystem = 'controller' | 'framework';

/** The names of the series that {@link withMetrics} keeps. */
export interface OperationMetrics {
  /** A counter: operations that have ended, well or not. */
  readonly total: string;
  /** A counter: operations that failed. It only rises. */
  readonly errors: string;
  /** A histogram: seconds. */
  readonly duration: string;
}

/** The names of a subsystem's series: `operatorkit_framework_operation_total` and so on. */
export const operationMetricsOf = (subsystem: OperationSubsystem): OperationMetrics => ({
  total: `operatorkit_${subsystem}_operation_total`,
  errors: `operatorkit_${subsystem}_operation_error_total`,
  duration: `operatorkit_${subsystem}_operation`,
});

/** The series of the subsystem `controller`, which {@link withMetrics} keeps unless told otherwise. */
export const operationMetrics: OperationMetrics = operationMetricsOf('controller');

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
  /** `'framework'` for dashboards that were made for operatorkit's first series. @default 'controller' */
  readonly subsystem?: OperationSubsystem;
}

/**
 * Counts and times each operation of a reconciler, each by itself; one that is not made of operations is a single one, `Reconcile`.
 * Around `withRetry` an operation counts once however often it was tried; inside of it, each try counts. The reconciler itself stays as it is.
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
