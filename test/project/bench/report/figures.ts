/** Statistics. */

/** Smallest value that at least `share` (0 to 1) of all do not exceed; `undefined` of none. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** The median: the middle value, or the mean of the two in the middle. @throws RangeError of none */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('there is no median of nothing');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** Median of `a/b`, pair by pair: measurements taken in turn drift together. */
export const medianRatio = (a: readonly number[], b: readonly number[]): number =>
  median(a.map((value, index) => value / b[index]!));
