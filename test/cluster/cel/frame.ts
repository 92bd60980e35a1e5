/** State of an evaluation. */

import type { Value } from './values/values.ts';

/** Error of an evaluation that exceeds its cost limit. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Returns the value of a variable; undefined for an unknown one. */
export type Variables = (name: string) => Value | undefined;

/** State of one evaluation. */
export class Frame {
  readonly variables: Variables;
  /** Loop variables by nesting depth. */
  readonly locals: Value[] = [];
  cost = 0;
  readonly #limit: number;

  constructor(variables: Variables, limit: number) {
    this.variables = variables;
    this.#limit = limit;
  }

  /** Adds a cost. Throws {@link CostExceeded}. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostExceeded();
  }
}

/** Compiled expression. */
export type Evaluate = (frame: Frame) => Value;
