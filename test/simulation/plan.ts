import type { Fault, RefusedWrite } from './faults.ts';

/** Where a life meets its faults: counts effects, hands out what befalls each, remembers what really struck. */
export class FaultPlan {
  readonly #faults: readonly Fault[];
  readonly #struck = new Map<Fault, number>();
  readonly #counts = { request: 0, call: 0, effect: 0 };
  #over = false;

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  /** The next effect of a kind, and what befalls it. */
  next(kind: 'request' | 'call' | 'timer'): readonly Fault[] {
    const effect = this.#counts.effect++;
    const nth = kind === 'timer' ? -1 : this.#counts[kind]++;
    if (this.#over) return [];
    return this.#faults.filter(({ on, at }) => (on === 'effect' && at === effect) || (on === kind && at === nth));
  }

  /** What refuses a write of this kind at this time. */
  refusing(write: RefusedWrite, now: number): readonly Fault[] {
    if (this.#over) return [];
    return this.#faults.filter(
      (fault) => fault.on === 'write' && fault.write === write && fault.at <= now && now < fault.at + fault.ms,
    );
  }

  /** What happens at times. */
  get timed(): readonly Fault[] {
    return this.#faults.filter(({ on }) => on === 'time');
  }

  /** Notes that a fault really did something. */
  strike(fault: Fault, at: number): void {
    if (!this.#struck.has(fault)) this.#struck.set(fault, at);
  }

  /** When it struck first, ms. */
  struckAt(fault: Fault): number | undefined {
    return this.#struck.get(fault);
  }

  get struck(): readonly Fault[] {
    return [...this.#struck.keys()];
  }

  /** How many effects there have been. */
  get effects(): number {
    return this.#counts.effect;
  }

  /** From now on everything works. */
  end(): void {
    this.#over = true;
  }

  get over(): boolean {
    return this.#over;
  }
}
