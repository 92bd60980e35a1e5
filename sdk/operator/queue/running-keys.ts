/** Running keys and the workers that they occupy. */

import type { Clock } from '../../clock.ts';

/** Occupancy of a queue: the current runs while other keys wait. */
export interface Occupancy {
  /** Number of waiting keys. */
  readonly waiting: number;
  /** Number of running keys. */
  readonly running: number;
  /** Number of runs by tenant, of the five tenants with most runs. */
  readonly tenants: Readonly<Record<string, number>>;
  /** Age in ms by key, of the five longest runs. */
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

/** Maximum number of tenants and of keys in an {@link Occupancy}. */
const maxNamed = 5;

/** ms after which a run is slow and occupies no worker any more: it probably waits for a third party or an API server. */
const slowAfter = 60_000;
/** Maximum number of slow runs for each worker. */
const maxSlowPerWorker = 9;

/** Running keys. A slow run continues without a worker, up to nine for each worker, so that it does not block other keys. */
export class RunningKeys<Entry extends RunningKey> {
  readonly #workers: number;
  readonly #clock: Clock;
  readonly #onFree: () => void;
  /** In the order of their start. */
  readonly #working = new Set<Entry>();
  readonly #slow = new Set<Entry>();
  #cancelTimer: (() => void) | undefined;

  /** @param onFree called when a slow run has freed its worker while keys wait */
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

  /** Returns the occupancy while `waiting` keys wait. */
  occupancy(waiting: number): Occupancy {
    const now = this.#clock.monotonic();
    const counts = new Map<string, number>();
    for (const { tenant } of this) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
    const crowded = [...counts].toSorted(([, a], [, b]) => b - a);
    const ages = [...this].map(({ key, startedAt }) => [key, Math.round(now - startedAt)] as const);
    const longest = ages.toSorted(([, a], [, b]) => b - a);
    return {
      waiting,
      running: this.size,
      tenants: Object.fromEntries(crowded.slice(0, maxNamed)),
      longest: Object.fromEntries(longest.slice(0, maxNamed)),
    };
  }

  /** Frees the workers of slow runs if none is free; a timer does so later while keys wait. @returns whether a worker is free */
  freeWorker(hasWaitingKeys: boolean): boolean {
    while (this.#working.size >= this.#workers) {
      const [longest] = this.#working;
      if (longest === undefined || this.#slow.size >= maxSlowPerWorker * this.#workers) return false;
      const left = longest.startedAt + slowAfter - this.#clock.monotonic();
      if (left > 0) {
        if (hasWaitingKeys) this.#cancelTimer ??= this.#clock.after(left, () => this.#free());
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
