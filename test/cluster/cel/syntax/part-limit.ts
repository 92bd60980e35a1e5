/** Limits on the parts of expressions and types, whose number may be exponential in the size of the source. */

import { DepthExceeded } from './depth.ts';

/** Counts the parts of one expression at a time. */
class PartLimit {
  readonly #most: number;
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  /** Starts counting for an expression. */
  start(): void {
    this.#left = this.#most;
  }

  /** Counts a part. Throws a DepthExceeded. */
  count(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new DepthExceeded('max recursion depth exceeded');
  }
}

/** Parts of expressions that macros copy. */
export const copiedParts = new PartLimit(1_000_000);

/** Composite types that a type check visits. */
export const visitedTypes = new PartLimit(4_000_000);
