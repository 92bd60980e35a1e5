import type { Clock } from '../../clock.ts';

/** ms without a start while keys wait after which a queue stands still: twice what a slow run keeps its worker. */
const stallsAfter = 120_000;

/** Notices that keys wait and none starts. One timer at most. */
export class StallWatch {
  readonly #clock: Clock;
  readonly #onChange: (stalled: boolean) => void;
  /** Monotonic ms: the last start, or when a key began to wait after that. */
  #since: number | undefined;
  #isReported = false;
  #cancelTimer: (() => void) | undefined;

  /** @param onChange is called when the queue stands still, and when it continues */
  constructor(clock: Clock, onChange: (stalled: boolean) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** ms since when keys wait and none has started; 0 while none waits. */
  get stalledFor(): number {
    return this.#since === undefined ? 0 : this.#clock.monotonic() - this.#since;
  }

  /** A key starts. */
  started(): void {
    this.#since = undefined;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#onChange(false);
  }

  /** Call it when no more keys can start. @param isAwaited whether keys wait */
  looked(isAwaited: boolean): void {
    if (!isAwaited) {
      this.stop();
      return;
    }
    this.#since ??= this.#clock.monotonic();
    this.#cancelTimer ??= this.#clock.after(stallsAfter, () => this.#check());
  }

  /** Cancels the timer: no key waits any more. */
  stop(): void {
    this.#since = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #check(): void {
    this.#cancelTimer = undefined;
    const left = stallsAfter - this.stalledFor;
    if (left > 0) {
      this.#cancelTimer = this.#clock.after(left, () => this.#check());
      return;
    }
    this.#isReported = true;
    this.#onChange(true);
  }
}
