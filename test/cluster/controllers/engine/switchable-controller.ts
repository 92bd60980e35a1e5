/** One controller with its mode: running, stepping or off. */

import type { Change } from '../../storage/store.ts';
import type { Outcome, Worker } from './worker.ts';

/** Mode of a controller: `auto` runs by itself, `step` runs on demand, `off` does not run. */
export type ControllerMode = 'auto' | 'step' | 'off';

/** Creates the work queue of a controller; it calls `wake` for work that no change caused, such as a timer. */
export type WorkerFactory = (wake: () => void) => Worker;

/** Controller with its mode. */
export class SwitchableController {
  readonly #make: WorkerFactory;
  #mode: ControllerMode = 'off';
  #worker: Worker | undefined;
  #draining: Promise<void> | undefined;

  constructor(make: WorkerFactory) {
    this.#make = make;
  }

  get mode(): ControllerMode {
    return this.#mode;
  }

  /** Number of pending items. */
  get waiting(): number {
    return this.#worker?.waiting ?? 0;
  }

  /** Promise of the work in progress; undefined when idle. */
  get busy(): Promise<void> | undefined {
    return this.#draining;
  }

  /** Sets the mode; a controller that was off first receives `known`, the existing objects. */
  set(mode: ControllerMode, known: () => Iterable<Change>): void {
    const wasOff = this.#mode === 'off';
    this.#mode = mode;
    if (mode === 'off') {
      this.#worker?.stop();
      this.#worker = undefined;
      return;
    }
    if (wasOff) for (const change of known()) this.#started().take(change);
    this.#drain();
  }

  deliver(change: Change): void {
    if (this.#mode === 'off') return;
    this.#started().take(change);
    this.#drain();
  }

  /** Returns the worker, created with the first change. */
  #started(): Worker {
    this.#worker ??= this.#make(() => this.#drain());
    return this.#worker;
  }

  /** Processes items until one of them writes; false when none is left. */
  async step(): Promise<boolean> {
    for (;;) {
      await this.#draining;
      const outcome = (await this.#worker?.next()) ?? 'empty';
      if (outcome !== 'passed') return outcome === 'wrote';
    }
  }

  /** Processes all pending items: synchronous ones at once, from the first asynchronous one on in the background. */
  #drain(): void {
    if (this.#draining !== undefined) return;
    while (this.#mode === 'auto' && this.#worker !== undefined && this.#worker.waiting > 0) {
      const outcome = this.#worker.next();
      if (!(outcome instanceof Promise)) continue;
      this.#draining = this.#finish(outcome).finally(() => {
        this.#draining = undefined;
        this.#drain();
      });
      return;
    }
  }

  async #finish(first: Promise<Outcome>): Promise<void> {
    await first;
    while (this.#mode === 'auto' && this.#worker !== undefined && this.#worker.waiting > 0) await this.#worker.next();
  }
}
