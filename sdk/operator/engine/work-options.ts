/** Options that all controllers share. */

import type { Logger } from 'pino';
import type { KubeObject } from '../../api/object.ts';
import type { Client } from '../../client/client.ts';
import type { Recorder } from '../../client/events/recorder.ts';
import type { Clock } from '../../clock.ts';
import type { RetryPolicy } from '../../retry.ts';
import type { ErrorHandler } from './error-handler.ts';
import type { Observer } from './observer.ts';

/** Options that all controllers share. */
export interface WorkOptions {
  readonly client: Client;
  /** Name in logs, metrics, health and errors. @default `watch-controller`, or the resource of an informer controller */
  readonly name?: string;
  /**
   * Maximum number of concurrent runs. A long run continues without a worker, up to a limit for each worker, so that runs waiting for a third party do
   * not block other objects. @default 10
   */
  readonly workers?: number;
  /**
   * Tenant of an object: waiting objects are served round robin over their tenants. A function receives the cached object and must be pure; if it
   * throws or returns no string, or without an object, the namespace is the tenant.
   * @default all objects have one tenant
   */
  readonly tenantBy?: 'namespace' | ((object: KubeObject) => string);
  /** ms after which the signal of a run aborts; no other run of the object starts until this one ends. @default 300 000 */
  readonly deadline?: number;
  /** ms that runs may continue after the controller's signal has aborted; then their own signals abort. @default 10 000 */
  readonly drain?: number;
  /**
   * Delay before a failed run or call is retried.
   * @default exponentialBackoff() of an informer controller, defaultRetryPolicy of a watch controller
   */
  readonly retry?: RetryPolicy;
  /** Receives every failure: of runs, retries, lists and watches, and the last one before giving up. @default they are logged */
  readonly errorHandler?: ErrorHandler;
  /** ms between resyncs of every object; an informer may have its own. @default never */
  readonly resyncInterval?: number;
  /** ms without any byte after which a watch counts as dead; an informer may have its own. @default the client's */
  readonly idleTimeout?: number;
  /** Recorder of the runs' events; the caller closes it. @default a recorder of the controller, with its name */
  readonly events?: Pick<Recorder, 'event'>;
  /** Observer for metrics and traces. @default none */
  readonly observer?: Observer;
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: () => number;
  readonly logger?: Logger;
}

/** Defaults of the numbers that all controllers share. */
export const workDefaults = { workers: 10, deadline: 300_000, drain: 10_000 };

/** Names of all {@link WorkOptions}. */
export const workOptions: readonly (keyof WorkOptions)[] = [
  'client',
  'name',
  'workers',
  'tenantBy',
  'deadline',
  'drain',
  'retry',
  'errorHandler',
  'resyncInterval',
  'idleTimeout',
  'events',
  'observer',
  'clock',
  'random',
  'logger',
];

/** Returns the first mistake in the options; undefined when they are valid. */
export function mistakeInWork(options: Partial<WorkOptions>): string | undefined {
  const { workers = 1, drain = 0, tenantBy = 'namespace' } = options;
  if (!Number.isInteger(workers) || workers < 1)
    return `workers must be a whole number of at least 1, found ${workers}`;
  if (tenantBy !== 'namespace' && typeof tenantBy !== 'function')
    return `tenantBy must be 'namespace' or a function of the object, found ${JSON.stringify(tenantBy)}`;
  if (!(drain >= 0)) return `drain must be 0 ms or more, found ${drain}`;
  for (const duration of ['deadline', 'resyncInterval', 'idleTimeout'] as const) {
    const ms = options[duration] ?? 1;
    if (!(ms > 0)) return `${duration} must be more than 0 ms, found ${ms}`;
  }
  return undefined;
}
