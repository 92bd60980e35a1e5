/** State of an evaluation. */

import { CostExceeded, costOfWork, startWork } from './values/uncosted-work.ts';
import type { Value } from './values/values.ts';

/** Returns the value of a variable; undefined for an unknown one. */
export type Variables = (name: string) => Value | undefined;

/** State of one evaluation. */
export class Frame {
  readonly variables: Variables;
  /** Loop variables by nesting depth. */
  readonly locals: Value[] = [];
  #cost = 0;
  readonly #limit: number;

  constructor(variables: Variables, limit: number) {
    this.variables = variables;
    this.#limit = limit;
    startWork();
  }

  /** Cost so far; that of the work, where expressions read far more than they are charged for. */
  get cost(): number {
    return Math.max(this.#cost, costOfWork());
  }

  /** Adds a cost. Throws {@link CostExceeded}. */
  charge(cost: number): void {
    this.#cost += cost;
    if (this.#cost > this.#limit) throw new CostExceeded();
  }
}

/** Compiled expression. */
export type Evaluate = (frame: Frame) => Value;
