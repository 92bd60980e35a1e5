/** Ranges of costs and sizes. */

/** Range of costs or sizes; a `max` of `unlimited` is no limit. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Largest cost or size: 64 bits. */
export const unlimited = 2 ** 64;

const capped = (value: number): number => Math.min(value, unlimited);

/** Returns the range of a single value. */
export const fixed = (value: number): Range => ({ min: value, max: value });

/** Range of an unknown value. */
export const unknownRange: Range = { min: 0, max: unlimited };

/** Returns the sum of ranges. */
export const sumOf = (...ranges: readonly Range[]): Range =>
  ranges.reduce((a, b) => ({ min: capped(a.min + b.min), max: capped(a.max + b.max) }), fixed(0));

const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : capped(a * b));

/** Returns the product of ranges. */
export const productOf = (a: Range, b: Range): Range => ({ min: times(a.min, b.min), max: times(a.max, b.max) });

/** Multiplies a range by a factor, rounding up. */
export const scaled = ({ min, max }: Range, factor: number): Range => ({
  min: capped(Math.ceil(min * factor)),
  max: max >= unlimited ? (factor < 1 ? Math.ceil(max * factor) : unlimited) : capped(Math.ceil(max * factor)),
});

/** Returns the union of two ranges. */
export const unionOf = (a: Range, b: Range): Range => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
