import type { Clock } from '../../clock.ts';

/** ms after which a run takes no worker any more: it waits for others, such as a third party or an API server that refuses its writes. */
const slowAfter = 60_000;
/** Limit of such runs, for each worker. */
const mostSlow = 9;

/** Keys that run, and the workers that they take. A slow one goes on without a worker, up to nine for each worker, so that it stops no others. */
export class RunningKeys<Entry extends { readonly startedAt: number }> {
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
