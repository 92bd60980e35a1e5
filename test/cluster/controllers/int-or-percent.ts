/** Resolves IntOrString fields that accept a percentage. */

/** Number, or a percentage such as `25%`. */
export type IntOrPercent = number | string;

/** Returns a number unchanged, and a percentage of `whole` rounded up or down. Any other text counts as 0. */
export function amountOf(value: IntOrPercent | undefined, whole: number, rounding: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const [, percent] = /^(\d+)%$/.exec(value ?? '') ?? [];
  if (percent === undefined) return 0;
  return Math[rounding === 'up' ? 'ceil' : 'floor']((Number(percent) * whole) / 100);
}
