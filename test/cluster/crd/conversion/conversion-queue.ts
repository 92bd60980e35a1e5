/** Queue of work that may need conversions by webhook. */

import type { Clock } from '../../../../sdk/clock.ts';
import { retryAfterConversion } from './suspend-for-conversion.ts';

/** Delay between attempts at a failed conversion, in ms. */
const retryDelay = 1000;
/** Time after which a failing item is given up, in ms; kube-apiserver then restarts its watch cache. */
const retryTimeout = 30_000;

/** Options of {@link ConversionQueue}; `giveUp` is called when an item fails for too long. */
export interface ConversionQueueOptions {
  readonly clock: Clock;
  readonly giveUp: () => void;
}

/** Runs work in order, each item once its conversions are done; a failing conversion blocks the items after it. */
export class ConversionQueue {
  readonly #options: ConversionQueueOptions;
  readonly #waiting: (() => void)[] = [];
  readonly #stopped = new AbortController();
  #isBusy = false;

  constructor(options: ConversionQueueOptions) {
    this.#options = options;
  }

  /** Queues work and runs it at once if possible. It must not have side effects before all its conversions are available. */
  enqueue(work: () => void): void {
    this.#waiting.push(work);
    if (!this.#isBusy) void this.#drain();
  }

  /** Drops all pending work. */
  stop(): void {
    this.#stopped.abort();
    this.#waiting.length = 0;
  }

  async #drain(): Promise<void> {
    this.#isBusy = true;
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) {
      const doing = this.#runItem(work);
      if (!(doing instanceof Promise ? await doing : doing)) break;
    }
    this.#isBusy = false;
  }

  /** Runs one item, retrying failures; false once it has given up. */
  async #runItem(work: () => void): Promise<boolean> {
    const { clock, giveUp } = this.#options;
    const { signal } = this.#stopped;
    const once = (): void => {
      if (!signal.aborted) work();
    };
    for (const start = clock.monotonic(); ; ) {
      try {
        await retryAfterConversion(once);
        return true;
      } catch {
        if (signal.aborted || clock.monotonic() - start >= retryTimeout) break;
        await clock.sleep(retryDelay, signal).catch(() => {});
      }
    }
    if (!signal.aborted) giveUp();
    return false;
  }
}
