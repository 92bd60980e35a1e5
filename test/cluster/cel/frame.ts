import type { Value } from './values.ts';

/** Stops an evaluation that has cost too much. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Where an evaluation finds the values of variables; undefined for those that there are not. */
export type Variables = (name: string) => Value | undefined;

/** The state of one evaluation. */
export class Frame {
  readonly variables: Variables;
  /** The variables of loops, by how deep they are. */
  readonly locals: Value[] = [];
  cost = 0;
  readonly #limit: number;

  constructor(variables: Variables, limit: number) {
    this.variables = variables;
    this.#limit = limit;
  }

  /** Counts a cost. Throws {@link CostExceeded}. */
  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostExceeded();
  }
}

/** An expression that is ready to be evaluated. */
export type Evaluate = (frame: Frame) => Value;
