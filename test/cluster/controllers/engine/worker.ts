/** Interface of a running controller. */

import type { Change } from '../../storage/store.ts';

/** Result of processing one item: something was written, nothing was, or the queue was empty. */
export type Outcome = 'wrote' | 'passed' | 'empty';

/** Running controller: collects changes, and processes one item per call. */
export interface Worker {
  take(change: Change): void;
  /** Processes one pending item. */
  next(): Outcome | Promise<Outcome>;
  /** Number of pending items. */
  readonly waiting: number;
  /** Drops all pending items and timers. */
  stop(): void;
}

/** Combines workers: each receives every change; items are taken from the first that has any. */
export function combinedWorker(workers: readonly Worker[]): Worker {
  return {
    take(change) {
      for (const worker of workers) worker.take(change);
    },
    next: () => workers.find(({ waiting }) => waiting > 0)?.next() ?? 'empty',
    get waiting() {
      return workers.reduce((sum, { waiting }) => sum + waiting, 0);
    },
    stop() {
      for (const worker of workers) worker.stop();
    },
  };
}
