import type { Fault, RefusedWrite } from './faults.ts';

/** Faults of a life: counts effects, hands out the faults of each, and records those that took effect. */
export class FaultPlan {
  readonly #faults: readonly Fault[];
  readonly #struck = new Map<Fault, { readonly first: number; readonly last: number }>();
  readonly #counts = { request: 0, call: 0, effect: 0 };
  #over = false;

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  /** Counts the next effect of a kind and returns its faults. */
  next(kind: 'request' | 'call' | 'timer'): readonly Fault[] {
    const effect = this.#counts.effect++;
    const nth = kind === 'timer' ? -1 : this.#counts[kind]++;
    if (this.#over) return [];
    return this.#faults.filter(({ on, at }) => (on === 'effect' && at === effect) || (on === kind && at === nth));
  }

  /** Returns the faults that refuse a write of this kind at this time. */
  refusing(write: RefusedWrite, now: number): readonly Fault[] {
    if (this.#over) return [];
    return this.#faults.filter(
      (fault) => fault.on === 'write' && fault.write === write && fault.at <= now && now < fault.at + fault.ms,
    );
  }

  /** Timed faults. */
  get timed(): readonly Fault[] {
    return this.#faults.filter(({ on }) => on === 'time');
  }

  /** Records that a fault took effect. */
  strike(fault: Fault, at: number): void {
    this.#struck.set(fault, { first: this.#struck.get(fault)?.first ?? at, last: at });
  }

  /** Returns the times of the fault's first and last effect, ms. */
  struckAt(fault: Fault): { readonly first: number; readonly last: number } | undefined {
    return this.#struck.get(fault);
  }

  get struck(): readonly Fault[] {
    return [...this.#struck.keys()];
  }

  /** Number of effects so far. */
  get effects(): number {
    return this.#counts.effect;
  }

  /** Ends all faults. */
  end(): void {
    this.#over = true;
  }

  get over(): boolean {
    return this.#over;
  }
}
