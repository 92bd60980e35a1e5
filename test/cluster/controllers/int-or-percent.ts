/** A number, or a share of a whole such as `25%`. */
export type IntOrPercent = number | string;

/** A number as it is, a share of `whole` rounded up or down. Text that is neither counts as 0. */
export function amountOf(value: IntOrPercent | undefined, whole: number, rounding: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const [, percent] = /^(\d+)%$/.exec(value ?? '') ?? [];
  if (percent === undefined) return 0;
  return Math[rounding === 'up' ? 'ceil' : 'floor']((Number(percent) * whole) / 100);
}
