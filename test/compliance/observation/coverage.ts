/** Coverage of an integration's functions. */

import type { Subject } from '../subject/subject.ts';
import type { FunctionName } from './invocations.ts';

/** Functions of an integration that were seen, and those that were called. */
export class Coverage {
  readonly #has = new Set<FunctionName>();
  readonly #called = new Set<FunctionName>();

  /** Notes that the integration has this function. */
  declare(name: FunctionName): void {
    this.#has.add(name);
  }

  /** Notes a call by the sequencer. */
  count(name: FunctionName): void {
    this.#called.add(name);
  }

  /** Returns the functions that were never called. */
  neverCalled(): readonly FunctionName[] {
    return [...this.#has].filter((name) => !this.#called.has(name));
  }
}

const coverages = new WeakMap<Subject, Coverage>();

/** Returns the coverage of all scenarios of a subject so far. */
export function coverageOf(subject: Subject): Coverage {
  const coverage = coverages.get(subject) ?? new Coverage();
  coverages.set(subject, coverage);
  return coverage;
}
