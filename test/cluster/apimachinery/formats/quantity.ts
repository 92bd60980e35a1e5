/** Parses and formats quantities. */

/** Go's error for an invalid quantity. */
export const quantityFormatMessage =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Suffixes by powers of a thousand, from billionths on. */
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
/** Suffixes by powers of 1024. */
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const billion = 10n ** 9n;

/** Exact decimal amount with nano precision, and the format it was written in. */
export interface Quantity {
  /** Amount in billionths. */
  readonly nano: bigint;
  readonly format: 'decimal' | 'binary' | 'exponent';
}

/** Factor and power of ten of a suffix. */
interface Scale {
  readonly format: Quantity['format'];
  readonly factor: bigint;
  readonly power: number;
}

/** Scales by suffix; no suffix is decimal. */
const suffixScales: ReadonlyMap<string, Scale> = new Map<string, Scale>([
  ...binarySuffixes.map((suffix, at) => [suffix, { format: 'binary', factor: 1024n ** BigInt(at), power: 0 }] as const),
  ...decimalSuffixes.map((suffix, at) => [suffix, { format: 'decimal', factor: 1n, power: at * 3 - 9 }] as const),
]);

const scaleOf = (suffix: string): Scale =>
  suffixScales.get(suffix) ?? { format: 'exponent', factor: 1n, power: Number(suffix.slice(1)) };

/** Largest power of ten of an exponent. Upstream takes more, and hangs on the largest. */
const maxPower = 99_999;

/** Largest amount with a binary suffix, in billionths: more is cut to it, as by upstream's `maxAllowed`. */
const maxBinary = (2n ** 63n - 1n) * billion;

const roundedUp = (amount: bigint, unit: bigint): bigint => (amount + unit - 1n) / unit;

/**
 * Parses a quantity such as `100m`, `1.5Gi` or `1e3`; undefined when it is invalid. Fractions of a billionth are
 * rounded up, away from zero. As upstream, a suffix or sign without digits is 0.
 */
export function parseQuantity(text: string): Quantity | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]?|[eE][+-]?\d+)$/.exec(text);
  if (match === null || text === '') return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  const { format, factor, power } = scaleOf(suffix);
  if (Math.abs(power) > maxPower) return undefined;
  const amount = BigInt(`0${whole}${fraction}`) * factor;
  const zeros = 9 + power - fraction.length;
  const exact = zeros >= 0 ? amount * 10n ** BigInt(zeros) : roundedUp(amount, 10n ** BigInt(-zeros));
  const nano = format === 'binary' && exact > maxBinary ? maxBinary : exact;
  return { nano: sign === '-' ? -nano : nano, format };
}

/** Formats billionths with the largest power of a thousand as exponent. */
function exponentText(nano: bigint): string {
  const digits = String(nano);
  let end = digits.length;
  while (digits.endsWith('000', end)) end -= 3;
  const power = digits.length - end - 9;
  return `${digits.slice(0, end)}${power === 0 ? '' : `e${power}`}`;
}

/** Formats a positive or negative amount with the largest of the suffixes, `step` apart, that loses nothing. */
function suffixedText(amount: bigint, step: bigint, suffixes: readonly string[]): string {
  let rest = amount;
  let at = 0;
  while (rest % step === 0n && at < suffixes.length - 1) {
    rest /= step;
    at += 1;
  }
  return `${rest}${suffixes[at]}`;
}

/** Reports whether an amount is whole, and at least the smallest binary suffix. */
const isKibi = (nano: bigint): boolean =>
  nano % billion === 0n && (nano >= 1024n * billion || nano <= -1024n * billion);

/** Formats a quantity canonically: no fraction, and the largest suffix without loss. */
export function quantityText({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  if (format === 'binary' && isKibi(nano)) return suffixedText(nano / billion, 1024n, binarySuffixes);
  return format === 'exponent' ? exponentText(nano) : suffixedText(nano, 1000n, decimalSuffixes);
}

/** Returns a quantity in canonical form; undefined when it is invalid. */
export function canonicalQuantity(text: string): string | undefined {
  const parsed = parseQuantity(text.trim());
  return parsed === undefined ? undefined : quantityText(parsed);
}
