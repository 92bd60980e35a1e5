/** Keys that run, and the workers that they take. */

import type { Clock } from '../../clock.ts';

/** Runs that hold a queue. */
export interface Holders {
  /** Keys that wait. */
  readonly waiting: number;
  readonly running: number;
  /** The tenants with most of the runs, and the number of theirs. */
  readonly tenants: Readonly<Record<string, number>>;
  /** The keys that have run for longest, and for how many ms. */
  readonly longest: Readonly<Record<string, number>>;
}

interface RunningKey {
  readonly key: string;
  readonly tenant: string;
  /** Monotonic ms. */
  readonly startedAt: number;
}

/** Ages of runs. */
export interface RunAges {
  readonly running: number;
  /** ms since the longest run started; 0 when none runs. */
  readonly longestRun: number;
  /** Sum of the ms of all current runs. */
  readonly unfinished: number;
}

/** Limit of the tenants and of the keys that are named. */
const mostNamed = 5;

/** ms after which a run takes no worker any more: it waits for others, such as a third party or an API server that refuses its writes. */
const slowAfter = 60_000;
/** Limit of such runs, for each worker. */
const mostSlow = 9;

/** Keys that run. A slow one continues without a worker, up to nine for each worker, so that it stops no others. */
export class RunningKeys<Entry extends RunningKey> {
  readonly #workers: number;
  readonly #clock: Clock;
  readonly #onFree: () => void;
  /** In the order of their start. */
  readonly #working = new Set<Entry>();
  readonly #slow = new Set<Entry>();
  #cancelTimer: (() => void) | undefined;

  /** @param onFree is called when a slow run has given back its worker while keys wait */
  constructor(workers: number, clock: Clock, onFree: () => void) {
    this.#workers = workers;
    this.#clock = clock;
    this.#onFree = onFree;
  }

  get size(): number {
    return this.#working.size + this.#slow.size;
  }

  add(entry: Entry): void {
    this.#working.add(entry);
  }

  delete(entry: Entry): void {
    if (!this.#working.delete(entry)) this.#slow.delete(entry);
  }

  *[Symbol.iterator](): Iterator<Entry> {
    yield* this.#slow;
    yield* this.#working;
  }

  ages(): RunAges {
    const now = this.#clock.monotonic();
    const ages = [...this].map(({ startedAt }) => now - startedAt);
    return {
      running: ages.length,
      longestRun: Math.max(0, ...ages),
      unfinished: ages.reduce((sum, ms) => sum + ms, 0),
    };
  }

  /** Returns whose runs these are while keys wait. */
  holders(waiting: number): Holders {
    const now = this.#clock.monotonic();
    const counts = new Map<string, number>();
    for (const { tenant } of this) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
    const crowded = [...counts].toSorted(([, a], [, b]) => b - a);
    const ages = [...this].map(({ key, startedAt }) => [key, Math.round(now - startedAt)] as const);
    const longest = ages.toSorted(([, a], [, b]) => b - a);
    return {
      waiting,
      running: this.size,
      tenants: Object.fromEntries(crowded.slice(0, mostNamed)),
      longest: Object.fromEntries(longest.slice(0, mostNamed)),
    };
  }

  /** Takes workers back from slow runs if none is free. While keys wait for one, a timer serves the longest run. @returns whether one is free */
  makeRoom(isAwaited: boolean): boolean {
    while (this.#working.size >= this.#workers) {
      const [longest] = this.#working;
      if (longest === undefined || this.#slow.size >= mostSlow * this.#workers) return false;
      const left = longest.startedAt + slowAfter - this.#clock.monotonic();
      if (left > 0) {
        if (isAwaited) this.#cancelTimer ??= this.#clock.after(left, () => this.#free());
        return false;
      }
      this.#working.delete(longest);
      this.#slow.add(longest);
    }
    this.stopTimer();
    return true;
  }

  /** Cancels the timer. */
  stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #free(): void {
    this.#cancelTimer = undefined;
    this.#onFree();
  }
}
