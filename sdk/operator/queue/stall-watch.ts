/** Detects a stalled work queue: keys wait, and no run starts. */

import type { Clock } from '../../clock.ts';

/** ms without a start while keys wait after which a queue is stalled: twice the time that a slow run keeps its worker. */
const stallTimeout = 120_000;

/** Detects a stalled queue: keys wait and none starts. Uses one timer at most. */
export class StallWatch {
  readonly #clock: Clock;
  readonly #onChange: (stalled: boolean) => void;
  /** Monotonic ms since when keys wait and none has started; undefined while none waits. */
  #since: number | undefined;
  #isReported = false;
  #cancelTimer: (() => void) | undefined;

  /** @param onChange called when the queue is stalled, and when it continues */
  constructor(clock: Clock, onChange: (stalled: boolean) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** ms since when keys wait and none has started; 0 while none waits. */
  get stalledFor(): number {
    return this.#since === undefined ? 0 : this.#clock.monotonic() - this.#since;
  }

  /** Records the start of a key. */
  started(): void {
    this.#since = undefined;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#onChange(false);
  }

  /** Updates the state after all keys that can start have started. @param hasWaitingKeys whether keys wait */
  update(hasWaitingKeys: boolean): void {
    if (!hasWaitingKeys) {
      this.stop();
      return;
    }
    this.#since ??= this.#clock.monotonic();
    this.#cancelTimer ??= this.#clock.after(stallTimeout, () => this.#check());
  }

  /** Cancels the timer when no key waits any more. */
  stop(): void {
    this.#since = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #check(): void {
    this.#cancelTimer = undefined;
    const left = stallTimeout - this.stalledFor;
    if (left > 0) {
      this.#cancelTimer = this.#clock.after(left, () => this.#check());
      return;
    }
    this.#isReported = true;
    this.#onChange(true);
  }
}
