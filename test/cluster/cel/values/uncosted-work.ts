/** Work of evaluations that their cost does not measure, as in upstream: comparing members, counting characters. */

/** Error of an evaluation that exceeds its cost limit. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Units of work per evaluation, about a second: items or members, or hundreds of characters, that are read. */
const maxWork = 10_000_000;

/** Cost that the most work amounts to: the limit of one evaluation. */
const maxCost = 1_000_000;

/** Characters that are read, parsed, and made, per unit of work; those made take memory, too. */
const readPerUnit = 100;
const parsedPerUnit = 1;
const madePerUnit = 4;

/** Counts units of work, up to the most of one evaluation. */
export class Meter {
  #left = maxWork;

  start(): void {
    this.#left = maxWork;
  }

  get cost(): number {
    return Math.floor(((maxWork - this.#left) / maxWork) * maxCost);
  }

  count(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new CostExceeded();
  }
}

/** Work of one evaluation at a time: they are synchronous. */
const meter = new Meter();

/** Starts counting for an evaluation. */
export const startWork = (): void => meter.start();

/** Returns the cost that the work so far amounts to. */
export const costOfWork = (): number => meter.cost;

/** Counts items or members. Throws {@link CostExceeded}. */
export const countWork = (units: number): void => meter.count(units);

/** Counts characters that are read. Throws {@link CostExceeded}. */
export const readText = (length: number): void => meter.count(length / readPerUnit);

/** Counts characters that are parsed. Throws {@link CostExceeded}. */
export const parsedText = (length: number): void => meter.count(length / parsedPerUnit);

/** Counts characters of texts that are made. Throws {@link CostExceeded}. */
export const madeText = (length: number): void => meter.count(length / madePerUnit);
