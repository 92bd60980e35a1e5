import { refuseUnknown } from '../options.ts';
import type { ErrorHandler } from './failure-handler.ts';
import type { RetryPolicy } from './retry.ts';
import type { RetryDequeuePolicy } from './retry-dequeue.ts';
import { mistakeInWork, type WorkOptions, workOptions } from './work-options.ts';

/** How a {@link WatchController} goes about its work. */
export interface WatchControllerOptions extends WorkOptions {
  /** In logs, metrics, health and errors. @default 'watch-controller' */
  readonly name?: string;
  /** When a failed call is made again. @default defaultRetryPolicy: six times, 5 s doubling to 160 s, each up to a fifth shorter */
  readonly retryPolicy?: RetryPolicy;
  /** Which waiting retries an event makes pointless. @default opinionatedRetryDequeuePolicy */
  readonly retryDequeuePolicy?: RetryDequeuePolicy;
  /** Told of every failure: first calls, retries, giving up, lists and watches. @default it is logged */
  readonly errorHandler?: ErrorHandler;
}

const known: ReadonlySet<string> = new Set<keyof WatchControllerOptions>([
  ...workOptions,
  'name',
  'retryPolicy',
  'retryDequeuePolicy',
  'errorHandler',
]);

/** Refuses what makes no sense. @throws TypeError naming the option */
export function checkWatchOptions(options: WatchControllerOptions): void {
  const where = 'watch controller';
  refuseUnknown(where, options, known);
  const { client } = options;
  if (client === undefined || client === null) throw new TypeError('client cannot be nil');
  const mistake = mistakeInWork(options);
  if (mistake !== undefined) throw new TypeError(`${where}: ${mistake}`);
}
