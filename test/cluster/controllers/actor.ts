import type { Change } from '../store.ts';
import type { Outcome, Part } from './part.ts';

/** How a controller runs: by itself, only when it is told to take a step, or not at all. */
export type ControllerMode = 'auto' | 'step' | 'off';

/** Makes a part afresh; `wake` says that something waits that no change brought. */
export type PartFactory = (wake: () => void) => Part;

/** One controller with its switch. */
export class Actor {
  readonly #make: PartFactory;
  #mode: ControllerMode = 'off';
  #part: Part | undefined;
  #draining: Promise<void> | undefined;

  constructor(make: PartFactory) {
    this.#make = make;
  }

  get mode(): ControllerMode {
    return this.#mode;
  }

  /** How much waits for a step. */
  get waiting(): number {
    return this.#part?.waiting ?? 0;
  }

  /** Resolves when what it does now is done; undefined when it does nothing. */
  get busy(): Promise<void> | undefined {
    return this.#draining;
  }

  /** Switches; one that was off learns by `known` what there is. */
  set(mode: ControllerMode, known: () => Iterable<Change>): void {
    const wasOff = this.#mode === 'off';
    this.#mode = mode;
    if (mode === 'off') {
      this.#part?.stop();
      this.#part = undefined;
      return;
    }
    if (wasOff) for (const change of known()) this.#made().take(change);
    this.#drain();
  }

  hear(change: Change): void {
    if (this.#mode === 'off') return;
    this.#made().take(change);
    this.#drain();
  }

  /** Its part, made with the first change. */
  #made(): Part {
    this.#part ??= this.#make(() => this.#drain());
    return this.#part;
  }

  /** Goes on until something was written; false when nothing waits any more. */
  async step(): Promise<boolean> {
    for (;;) {
      await this.#draining;
      const outcome = (await this.#part?.next()) ?? 'empty';
      if (outcome !== 'passed') return outcome === 'wrote';
    }
  }

  /** What reacts at once is done at once; what takes time goes on by itself. */
  #drain(): void {
    if (this.#draining !== undefined) return;
    while (this.#mode === 'auto' && this.#part !== undefined && this.#part.waiting > 0) {
      const outcome = this.#part.next();
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
    while (this.#mode === 'auto' && this.#part !== undefined && this.#part.waiting > 0) await this.#part.next();
  }
}
