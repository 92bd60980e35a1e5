/** Time since when a state has been unchanged, as `observedTime` in client-go's leader election. */

import type { Clock } from '../../clock.ts';

interface Observation {
  readonly fingerprint: string;
  readonly since: number;
}

/** Observed states with their times on this process's monotonic clock: wall clocks of two machines are never compared. */
export class ObservedTimes {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Map<string, Observation>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the ms since `condition` of `owner` was first observed with this fingerprint; 0 when it has changed or is new. */
  unchangedFor(owner: string, condition: string, fingerprint: string): number {
    const now = this.#clock.monotonic();
    let conditions = this.#seen.get(owner);
    if (conditions === undefined) {
      conditions = new Map();
      this.#seen.set(owner, conditions);
    }
    const seen = conditions.get(condition);
    if (seen?.fingerprint === fingerprint) return now - seen.since;
    conditions.set(condition, { fingerprint, since: now });
    return 0;
  }

  /** Removes all records of an owner that is gone. */
  forget(owner: string): void {
    this.#seen.delete(owner);
  }
}
