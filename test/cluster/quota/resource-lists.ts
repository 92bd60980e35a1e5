/** Arithmetic on amounts of resources. */

import { parseQuantity, type Quantity, quantityText } from '../apimachinery/formats/quantity.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';

/** Amounts by name, such as `requests.cpu`. */
export type Amounts = ReadonlyMap<string, Quantity>;

const none: Quantity = { nano: 0n, format: 'decimal' };

/** Returns a count as a quantity. */
export const countOf = (count: number): Quantity => ({ nano: BigInt(count) * 10n ** 9n, format: 'decimal' });

/** Parses a resource list; invalid quantities are left out. */
export function amountsIn(list: unknown): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(isFields(list) ? list : {})) {
    const amount = parseQuantity(String(text));
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

/** Formats amounts as a resource list, sorted by name. */
export const listOfAmounts = (amounts: Amounts): Fields =>
  Object.fromEntries(
    [...amounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, amount]) => [name, quantityText(amount)]),
  );

/** Adds quantities; as in Go, zero takes the other's format. */
const sum = (a: Quantity, b: Quantity): Quantity => ({
  nano: a.nano + b.nano,
  format: a.nano === 0n ? b.format : a.format,
});

function mergeLists(a: Amounts, b: Amounts, both: (a: Quantity, b: Quantity) => Quantity): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const other = result.get(name);
    result.set(name, other === undefined ? amount : both(other, amount));
  }
  return result;
}

/** Adds amounts. */
export const plus = (a: Amounts, b: Amounts): Amounts => mergeLists(a, b, sum);

/** Returns the maximum of each amount. */
export const largest = (a: Amounts, b: Amounts): Amounts => mergeLists(a, b, (x, y) => (y.nano > x.nano ? y : x));

/** Returns the positive differences of `a` and `b`. */
export function excess(a: Amounts, b: Amounts): Amounts {
  const entries = [...a].map(([name, { nano, format }]) => [name, { nano: nano - (b.get(name) ?? none).nano, format }]);
  return new Map((entries as [string, Quantity][]).filter(([, { nano }]) => nano > 0n));
}

/** Returns the amounts with the given names. */
export const only = (amounts: Amounts, names: Iterable<string>): Amounts => {
  const wanted = new Set(names);
  return new Map([...amounts].filter(([name]) => wanted.has(name)));
};

/** Returns the names of amounts above their limit; those without a limit are never above it. */
export const namesAbove = (amounts: Amounts, allowed: Amounts): readonly string[] =>
  [...amounts.keys()].filter((name) => {
    const limit = allowed.get(name);
    return limit !== undefined && amounts.get(name)!.nano > limit.nano;
  });

/** Formats amounts as in refusals: `cpu=1,pods=2`. */
export const amountsText = (amounts: Amounts): string =>
  Object.entries(listOfAmounts(amounts))
    .map(([name, text]) => `${name}=${text}`)
    .join(',');
