/** Options of a watch controller, and their validation. */

import { refuseUnknown } from '../../options.ts';
import type { RetryDequeuePolicy } from '../engine/retry-dequeue.ts';
import { mistakeInWork, type WorkOptions, workOptions } from '../engine/work-options.ts';

/** Options of {@link WatchController}. */
export interface WatchControllerOptions extends WorkOptions {
  /** Decides which pending retries an event supersedes. @default opinionatedRetryDequeuePolicy */
  readonly retryDequeuePolicy?: RetryDequeuePolicy;
}

const knownOptions: ReadonlySet<string> = new Set<keyof WatchControllerOptions>([...workOptions, 'retryDequeuePolicy']);

/** Validates the options. @throws TypeError naming the option */
export function checkWatchOptions(options: WatchControllerOptions): void {
  const where = 'watch controller';
  refuseUnknown(where, options, knownOptions);
  const { client } = options;
  if (client === undefined || client === null) throw new TypeError('client cannot be nil');
  const mistake = mistakeInWork(options);
  if (mistake !== undefined) throw new TypeError(`${where}: ${mistake}`);
}
