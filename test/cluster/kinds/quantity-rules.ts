import { invalid } from './checks.ts';
import { parseQuantity } from './quantity.ts';
import type { Rule } from './rules.ts';

const billion = 10n ** 9n;

/** An amount in billionths; 0 for none. */
export const nanoOf = (value: unknown): bigint => parseQuantity(String(value ?? '0'))?.nano ?? 0n;

/** An amount in whole units, rounded up as the server does. */
export const wholeOf = (value: unknown): bigint => {
  const nano = nanoOf(value);
  return nano > 0n ? (nano + billion - 1n) / billion : nano / billion;
};

/** An amount that is not negative, in whole units. */
export const basicAmount: Rule = (value, path) =>
  wholeOf(value) < 0n ? [invalid(path, Number(wholeOf(value)), 'must be a valid resource quantity')] : [];

/** An amount above zero. */
export const positiveAmount: Rule = (value, path) =>
  nanoOf(value) <= 0n ? [invalid(path, value, 'must be greater than zero')] : [];

/** An amount that is not negative. */
export const amountNotNegative: Rule = (value, path) =>
  nanoOf(value) < 0n ? [invalid(path, value, 'must be greater than or equal to 0')] : [];

/** An amount without a fraction. */
export const wholeAmount: Rule = (value, path) =>
  nanoOf(value) % billion === 0n ? [] : [invalid(path, value, 'must be an integer')];
