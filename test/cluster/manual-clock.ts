import type { Clock } from '../../sdk/clock.ts';
import { sleepBy } from './sleep.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fn: () => void;
}

/** A clock that stands still until told: timers fire in order of their time, then of their making. */
export interface ManualClock extends Clock {
  /** Moves time on by `ms`, firing each due timer at its own time and letting pending promises settle after each. */
  advance(ms: number): Promise<void>;
  /** How many timers are waiting. */
  readonly pending: number;
}

/** Lets everything that can run without time passing run: promise callbacks and I/O of this turn. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

/** Starts at `start`, ms since the epoch. `settle` is waited for before time moves on: who talks to more than this process waits for that, too. */
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

  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    after,
    sleep: sleepBy(after),
    async advance(ms) {
      const end = elapsed + ms;
      await settle();
      for (let timer = nextDue(end); timer !== undefined; timer = nextDue(end)) {
        timers.delete(timer);
        elapsed = Math.max(elapsed, timer.at);
        timer.fn();
        await settle();
      }
      elapsed = Math.max(elapsed, end);
      await settle();
    },
    get pending() {
      return timers.size;
    },
  };
}
