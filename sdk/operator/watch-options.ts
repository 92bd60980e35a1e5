/** Options of a watch controller, and their validation. */

import { refuseUnknown } from '../options.ts';
import type { RetryPolicy } from '../retry.ts';
import type { ErrorHandler } from './failure-handler.ts';
import type { RetryDequeuePolicy } from './retry-dequeue.ts';
import { mistakeInWork, type WorkOptions, workOptions } from './work-options.ts';

/** Options of {@link WatchController}. */
export interface WatchControllerOptions extends WorkOptions {
  /** Name in logs, metrics, health and errors. @default 'watch-controller' */
  readonly name?: string;
  /** Delay before a failed call is retried. @default defaultRetryPolicy */
  readonly retryPolicy?: RetryPolicy;
  /** Decides which pending retries an event supersedes. @default opinionatedRetryDequeuePolicy */
  readonly retryDequeuePolicy?: RetryDequeuePolicy;
  /** Receives every failure: of first calls, retries, lists and watches, and the last one before giving up. @default it is logged */
  readonly errorHandler?: ErrorHandler;
}

const known: ReadonlySet<string> = new Set<keyof WatchControllerOptions>([
  ...workOptions,
  'name',
  'retryPolicy',
  'retryDequeuePolicy',
  'errorHandler',
]);

/** Validates the options. @throws TypeError naming the option */
export function checkWatchOptions(options: WatchControllerOptions): void {
  const where = 'watch controller';
  refuseUnknown(where, options, known);
  const { client } = options;
  if (client === undefined || client === null) throw new TypeError('client cannot be nil');
  const mistake = mistakeInWork(options);
  if (mistake !== undefined) throw new TypeError(`${where}: ${mistake}`);
}
