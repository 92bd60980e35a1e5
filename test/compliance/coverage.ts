import type { FunctionName } from './invocations.ts';
import type { Subject } from './subject.ts';

/** Which functions an integration has, as far as they were seen, and which of them were called. */
export class Coverage {
  readonly #has = new Set<FunctionName>();
  readonly #called = new Set<FunctionName>();

  /** It has this function. */
  declare(name: FunctionName): void {
    this.#has.add(name);
  }

  /** The sequencer has called it. */
  count(name: FunctionName): void {
    this.#called.add(name);
  }

  /** Functions it has that were never called. */
  neverCalled(): readonly FunctionName[] {
    return [...this.#has].filter((name) => !this.#called.has(name));
  }
}

const coverages = new WeakMap<Subject, Coverage>();

/** The coverage of all lives of a subject so far. */
export function coverageOf(subject: Subject): Coverage {
  const coverage = coverages.get(subject) ?? new Coverage();
  coverages.set(subject, coverage);
  return coverage;
}
