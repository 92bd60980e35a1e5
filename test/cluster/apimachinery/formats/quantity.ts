/** Parses and formats quantities. */

/** Go's error for an invalid quantity. */
export const quantityFormatMessage =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const decimalPowers: Record<string, number> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixes = new Map(Object.entries(decimalPowers).map(([suffix, power]) => [power, suffix]));
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Exact decimal amount with nano precision, and the format it was written in. */
export interface Quantity {
  /** Amount in billionths. */
  readonly nano: bigint;
  readonly format: 'decimal' | 'binary' | 'exponent';
}

/** Largest power of ten of an exponent. Upstream takes more, and hangs on the largest. */
const mostPower = 99_999;

/**
 * Parses a quantity such as `100m`, `1.5Gi` or `1e3`; undefined when it is invalid. Fractions of a billionth are
 * rounded up, away from zero.
 */
export function parseQuantity(text: string): Quantity | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]?|[eE][+-]?\d+)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const binary = binarySuffixes.indexOf(suffix);
  const isExponent = /^[eE][+-]?\d+$/.test(suffix);
  const power = isExponent ? Number(suffix.slice(1)) : (decimalPowers[suffix] ?? 0);
  if (Math.abs(power) > mostPower) return undefined;
  const scale = 9 + power - fraction.length;
  const digits = BigInt(whole + fraction) * (binary > 0 ? 1024n ** BigInt(binary) : 1n);
  const nano = scale >= 0 ? digits * 10n ** BigInt(scale) : roundedUp(digits, 10n ** BigInt(-scale));
  const format = binary > 0 ? 'binary' : isExponent ? 'exponent' : 'decimal';
  return { nano: sign === '-' ? -nano : nano, format };
}

const roundedUp = (amount: bigint, unit: bigint): bigint => (amount + unit - 1n) / unit;

/** Formats billionths with the largest power of a thousand as exponent. */
function exponentText(nano: bigint): string {
  const digits = String(nano);
  let end = digits.length;
  while (digits.endsWith('000', end)) end -= 3;
  const power = digits.length - end - 9;
  return `${digits.slice(0, end)}${power === 0 ? '' : `e${power}`}`;
}

/** Formats a quantity canonically: no fraction, and the largest suffix without loss. */
export function quantityText({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const billion = 10n ** 9n;
  const isBinary =
    format === 'binary' && nano % billion === 0n && (nano >= 1024n * billion || nano <= -1024n * billion);
  if (isBinary) {
    let amount = nano / billion;
    let index = 0;
    while (amount % 1024n === 0n && index < binarySuffixes.length - 1) {
      amount /= 1024n;
      index += 1;
    }
    return `${amount}${binarySuffixes[index]}`;
  }
  if (format === 'exponent') return exponentText(nano);
  let amount = nano;
  let power = -9;
  while (amount % 1000n === 0n && power < 18) {
    amount /= 1000n;
    power += 3;
  }
  return `${amount}${decimalSuffixes.get(power)}`;
}

/** Returns a quantity in canonical form; undefined when it is invalid. */
export function canonicalQuantity(text: string): string | undefined {
  const parsed = parseQuantity(text.trim());
  return parsed === undefined ? undefined : quantityText(parsed);
}
