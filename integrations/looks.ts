import { type Clock, withDeadline } from '../sdk/index.ts';

/** When to look at what may have been changed outside, as an integration is told. */
export interface LookOptions {
  /** The integration, for messages. */
  readonly name: string;
  /** ms between two looks of one workspace, at most: each comes up to a quarter earlier. `Infinity`: never. @default 300 000 */
  readonly driftInterval?: number | undefined;
  readonly clock: Clock;
  /** From 0 up to 1. @default Math.random */
  readonly random?: (() => number) | undefined;
}

/** ms that one look may take. */
const deadline = 15_000;

/**
 * When each workspace is looked at next: one for all workspaces of an integration. Nothing of it outlives the process. A workspace that was never
 * looked at has its turn within the first quarter of an interval, at random, so that after a start not all come at once. One that is not asked about
 * any more is forgotten within two intervals.
 */
export class Looks {
  readonly #interval: number;
  readonly #clock: Clock;
  readonly #random: () => number;
  /** Monotonic ms; in the order in which they were set. */
  readonly #due = new Map<string, number>();

  /** @throws TypeError when the interval is no positive number */
  constructor({ name, driftInterval = 300_000, clock, random = Math.random }: LookOptions) {
    if (!(typeof driftInterval === 'number' && driftInterval > 0))
      throw new TypeError(
        `${name}: driftInterval must be a positive number of ms, or Infinity for never, not ${driftInterval}`,
      );
    this.#interval = driftInterval;
    this.#clock = clock;
    this.#random = random;
  }

  /** How many workspaces are remembered. */
  get size(): number {
    return this.#due.size;
  }

  /** ms until the next look; 0 when it is due, undefined when there is none. */
  wait(uid: string): number | undefined {
    if (this.#interval === Infinity) return undefined;
    const due = this.#due.get(uid) ?? this.#plan(uid, (this.#interval / 4) * this.#random());
    return Math.max(0, Math.ceil(due - this.#clock.monotonic()));
  }

  /** Looks, for as long as a look may take and until `stopping` aborts. Whatever comes of it, the next one is an interval away. */
  async look<T>(uid: string, stopping: AbortSignal, once: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await withDeadline({ clock: this.#clock, deadline, signal: stopping }, once);
    } finally {
      if (this.#interval !== Infinity) this.#plan(uid, this.#interval * (0.75 + this.#random() / 4));
    }
  }

  /** The workspace has nothing to look at any more. */
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
