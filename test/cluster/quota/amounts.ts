import { parseQuantity, type Quantity, quantityText } from '../kinds/quantity.ts';
import { type Fields, isFields } from '../objects/object.ts';

/** How much there is of what, such as `requests.cpu`. */
export type Amounts = ReadonlyMap<string, Quantity>;

const none: Quantity = { nano: 0n, format: 'decimal' };

/** So many things. */
export const countOf = (count: number): Quantity => ({ nano: BigInt(count) * 10n ** 9n, format: 'decimal' });

/** The amounts in a list of resources; what is no quantity is left out. */
export function amountsIn(list: unknown): Amounts {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(isFields(list) ? list : {})) {
    const amount = parseQuantity(String(text));
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

/** The list of resources that says these amounts, by name. */
export const listOfAmounts = (amounts: Amounts): Fields =>
  Object.fromEntries(
    [...amounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, amount]) => [name, quantityText(amount)]),
  );

/** Nothing takes on the way the other is written, as in Go. */
const sum = (a: Quantity, b: Quantity): Quantity => ({
  nano: a.nano + b.nano,
  format: a.nano === 0n ? b.format : a.format,
});

function merged(a: Amounts, b: Amounts, both: (a: Quantity, b: Quantity) => Quantity): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const other = result.get(name);
    result.set(name, other === undefined ? amount : both(other, amount));
  }
  return result;
}

/** All of both. */
export const plus = (a: Amounts, b: Amounts): Amounts => merged(a, b, sum);

/** The larger of each. */
export const largest = (a: Amounts, b: Amounts): Amounts => merged(a, b, (x, y) => (y.nano > x.nano ? y : x));

/** What `a` has more than `b`, without what it has not. */
export function excess(a: Amounts, b: Amounts): Amounts {
  const entries = [...a].map(([name, { nano, format }]) => [name, { nano: nano - (b.get(name) ?? none).nano, format }]);
  return new Map((entries as [string, Quantity][]).filter(([, { nano }]) => nano > 0n));
}

/** Those with these names. */
export const only = (amounts: Amounts, names: Iterable<string>): Amounts => {
  const wanted = new Set(names);
  return new Map([...amounts].filter(([name]) => wanted.has(name)));
};

/** Which of them are more than what is allowed, by name; what has no limit never is. */
export const namesAbove = (amounts: Amounts, allowed: Amounts): readonly string[] =>
  [...amounts.keys()].filter((name) => {
    const limit = allowed.get(name);
    return limit !== undefined && amounts.get(name)!.nano > limit.nano;
  });

/** `cpu=1,pods=2`, as refusals say it. */
export const amountsText = (amounts: Amounts): string =>
  Object.entries(listOfAmounts(amounts))
    .map(([name, text]) => `${name}=${text}`)
    .join(',');
