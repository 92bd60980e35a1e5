/** Validation rules of quantities. */

import { parseQuantity } from '../formats/quantity.ts';
import type { Rule } from './combinators.ts';
import { invalid } from './errors.ts';

const billion = 10n ** 9n;

/** Returns an amount in billionths; 0 when absent. */
export const nanoOf = (value: unknown): bigint => parseQuantity(String(value ?? '0'))?.nano ?? 0n;

/** Returns an amount in whole units, rounded up as the server does. */
export const wholeOf = (value: unknown): bigint => {
  const nano = nanoOf(value);
  return nano > 0n ? (nano + billion - 1n) / billion : nano / billion;
};

/** Rule of amounts that are not negative after rounding to whole units. */
export const basicAmount: Rule = (value, path) =>
  wholeOf(value) < 0n ? [invalid(path, Number(wholeOf(value)), 'must be a valid resource quantity')] : [];

/** Rule of positive amounts. */
export const positiveAmount: Rule = (value, path) =>
  nanoOf(value) <= 0n ? [invalid(path, value, 'must be greater than zero')] : [];

/** Rule of amounts that are not negative. */
export const amountNotNegative: Rule = (value, path) =>
  nanoOf(value) < 0n ? [invalid(path, value, 'must be greater than or equal to 0')] : [];

/** Rule of amounts without a fraction. */
export const wholeAmount: Rule = (value, path) =>
  nanoOf(value) % billion === 0n ? [] : [invalid(path, value, 'must be an integer')];
