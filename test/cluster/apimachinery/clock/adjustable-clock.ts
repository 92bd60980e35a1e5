/** Clock that follows another one and can be put forward. */

import { type Clock, systemClock } from '../../../../sdk/clock.ts';
import { sleepBy } from './sleep.ts';

/** Clock that can be put forward. */
export interface AdvancingClock extends Clock {
  /** Puts the time forward by `ms`: fires each timer that comes due at its own time and lets pending promises settle after each. */
  advance(ms: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly fn: () => void;
  cancel: () => void;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reports whether a clock can be put forward. */
export const isAdvancing = (clock: Clock): clock is AdvancingClock => 'advance' in clock;

/** Creates a clock that runs like `base`, ahead of it by the sum of all advances. */
export function createAdjustableClock(base: Clock = systemClock): AdvancingClock {
  const timers = new Set<Timer>();
  let ahead = 0;
  const monotonic = (): number => base.monotonic() + ahead;
  const fire = (timer: Timer): void => {
    timer.cancel();
    if (timers.delete(timer)) timer.fn();
  };
  const arm = (timer: Timer): void => {
    timer.cancel();
    timer.cancel = base.after(Math.max(0, timer.at - monotonic()), () => fire(timer));
  };
  const after = (ms: number, fn: () => void): (() => void) => {
    const timer: Timer = { at: monotonic() + Math.max(0, ms), fn, cancel: () => {} };
    timers.add(timer);
    arm(timer);
    return () => {
      timer.cancel();
      timers.delete(timer);
    };
  };
  const nextDue = (limit: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= limit).sort((a, b) => a.at - b.at)[0];
  return {
    now: () => base.now() + ahead,
    monotonic,
    after,
    sleep: sleepBy(after),
    async advance(ms) {
      const target = ahead + ms;
      for (let due = nextDue(base.monotonic() + target); due !== undefined; due = nextDue(base.monotonic() + target)) {
        ahead = Math.min(target, Math.max(ahead, due.at - base.monotonic()));
        fire(due);
        await turn();
      }
      ahead = target;
      for (const timer of timers) arm(timer);
    },
  };
}
