/** Schedules periodic checks for drift. */

import { type Clock, withDeadline } from '../sdk/index.ts';

/** Drift check options of an integration. */
export interface DriftScheduleOptions {
  /** Name of the integration, for messages. */
  readonly name: string;
  /** Maximum interval in ms between two checks of one workspace, shortened by up to a quarter. `Infinity`: never. @default 300 000 */
  readonly driftInterval?: number | undefined;
  readonly clock: Clock;
  /** Random numbers from 0 up to 1. @default Math.random */
  readonly random?: (() => number) | undefined;
}

/** Timeout of one check in ms. */
const deadline = 15_000;

/**
 * Schedule of the drift checks of all workspaces of an integration, in memory only. The first check of a workspace is due at a random time within the
 * first quarter of an interval, so that the checks are spread after a start. A workspace that is no longer asked about is
 * forgotten within two intervals.
 */
export class DriftSchedule {
  readonly #interval: number;
  readonly #clock: Clock;
  readonly #random: () => number;
  /** Due times in monotonic ms, in the order in which they were set. */
  readonly #due = new Map<string, number>();

  /** @throws TypeError when the interval is not a positive number */
  constructor({ name, driftInterval = 300_000, clock, random = Math.random }: DriftScheduleOptions) {
    if (!(typeof driftInterval === 'number' && driftInterval > 0))
      throw new TypeError(
        `${name}: driftInterval must be a positive number of ms, or Infinity for never, not ${typeof driftInterval === 'string' ? JSON.stringify(driftInterval) : driftInterval}`,
      );
    this.#interval = driftInterval;
    this.#clock = clock;
    this.#random = random;
  }

  /** Number of workspaces in the schedule. */
  get size(): number {
    return this.#due.size;
  }

  /** Returns the ms until the next check; 0 when it is due, undefined when checks are disabled. */
  wait(uid: string): number | undefined {
    if (this.#interval === Infinity) return undefined;
    const due = this.#due.get(uid) ?? this.#plan(uid, (this.#interval / 4) * this.#random());
    return Math.max(0, Math.ceil(due - this.#clock.monotonic()));
  }

  /** Runs a check with its timeout, until `stopping` aborts, and schedules the next one after an interval, regardless of the result. */
  async run<T>(uid: string, stopping: AbortSignal, once: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await withDeadline({ clock: this.#clock, deadline, signal: stopping }, once);
    } finally {
      if (this.#interval !== Infinity) this.#plan(uid, this.#interval * (0.75 + this.#random() / 4));
    }
  }

  /** Removes a workspace without anything to check. */
  forget(uid: string): void {
    this.#due.delete(uid);
  }

  #plan(uid: string, after: number): number {
    const now = this.#clock.monotonic();
    this.#due.delete(uid);
    this.#due.set(uid, now + after);
    for (const [oldest, due] of this.#due) {
      if (due + this.#interval > now) break;
      this.#due.delete(oldest);
    }
    return now + after;
  }
}
