/** Clock that moves only by calls of `advance` and `skip`. */

import type { Clock } from '../../../../sdk/clock.ts';
import { sleepBy } from './sleep.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fn: () => void;
}

/** Clock that stands still until advanced: timers fire in order of their time, then of their creation. */
export interface ManualClock extends Clock {
  /** Advances time by `ms`: fires each due timer at its own time and lets pending promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Moves time by `ms` at once, as after a suspension of the machine: each due timer fires once, late. */
  skip(ms: number): Promise<void>;
  /** Number of pending timers. */
  readonly pending: number;
}

/** Resolves after pending promise callbacks and I/O events have run. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

/**
 * Creates a manual clock at `start`, in ms since the epoch. `settle` is awaited before each move of time; pass one
 * that also covers work outside this process.
 */
export function createManualClock(start = Date.UTC(2026, 0, 1), settle = settled): ManualClock {
  const timers = new Set<Timer>();
  let elapsed = 0;
  let order = 0;

  const after = (ms: number, fn: () => void): (() => void) => {
    order += 1;
    const timer: Timer = { at: elapsed + Math.max(0, ms), order, fn };
    timers.add(timer);
    return () => timers.delete(timer);
  };

  const nextDue = (limit: number): Timer | undefined =>
    [...timers].filter((timer) => timer.at <= limit).sort((a, b) => a.at - b.at || a.order - b.order)[0];

  const fireUntil = async (end: number): Promise<void> => {
    for (let timer = nextDue(end); timer !== undefined; timer = nextDue(end)) {
      timers.delete(timer);
      elapsed = Math.max(elapsed, timer.at);
      timer.fn();
      await settle();
    }
    elapsed = Math.max(elapsed, end);
    await settle();
  };

  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    after,
    sleep: sleepBy(after),
    async advance(ms) {
      const end = elapsed + ms;
      await settle();
      await fireUntil(end);
    },
    async skip(ms) {
      await settle();
      elapsed += ms;
      await fireUntil(elapsed);
    },
    get pending() {
      return timers.size;
    },
  };
}
