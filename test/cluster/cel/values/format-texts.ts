/** Formats CEL values for `format`. */

import { conversions } from './conversions.ts';
import { goDouble } from './go-numbers.ts';
import { CostExceeded, countWork, madeText } from './uncosted-work.ts';
import { CelError, Duration, List, MapValue, Timestamp, TypeValue, typeNameOf, Uint, type Value } from './values.ts';

/** Formatting error; the message is the evaluation's error. */
class FormatError extends Error {}

const refuse = (message: string): never => {
  throw new FormatError(message);
};

function quotedText(text: string): string {
  madeText(text.length);
  return JSON.stringify(text);
}

const plainText = (value: Value): string => {
  const text = conversions.string!(value);
  return typeof text === 'string' ? text : refuse(`could not convert argument "${typeNameOf(value)}" to string`);
};

/** Reports whether a value is written as it is: a boolean or a whole number. */
const isBare = (value: Value): boolean =>
  typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Uint;

function keyText(key: Value): string {
  if (typeof key === 'string') return quotedText(key);
  if (isBare(key)) return plainText(key);
  return refuse(`no formatting function for map key of type ${typeNameOf(key)}`);
}

/** Values that are written as a quoted text within a form. */
const quotedForms: readonly (readonly [kind: NewableFunction, form: (quoted: string) => string])[] = [
  [Uint8Array, (quoted) => `b${quoted}`],
  [Timestamp, (quoted) => `timestamp(${quoted})`],
  [Duration, (quoted) => `duration(${quoted})`],
];

const doubleText = (value: number): string => (Number.isFinite(value) ? value.toFixed(6) : quotedText(goDouble(value)));

/** Formats a value inside of a list or map. */
function memberText(value: Value): string {
  if (value === null) return 'null';
  countWork(1);
  if (typeof value === 'string') return quotedText(value);
  if (typeof value === 'number') return doubleText(value);
  for (const [kind, form] of quotedForms) if (value instanceof kind) return form(quotedText(plainText(value)));
  if (value instanceof TypeValue) return value.name;
  if (value instanceof List || value instanceof MapValue) return containerText(value);
  if (isBare(value)) return plainText(value);
  return refuse(`no formatting function for ${typeNameOf(value)}`);
}

function containerText(value: List | MapValue): string {
  if (value instanceof List) return `[${value.items.map(memberText).join(', ')}]`;
  const { members } = value;
  const pairs = [...members.keys()].map((key) => [keyText(key), memberText(members.get(key)!)] as const);
  const sorted = pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${sorted.map(([key, text]) => `${key}:${text}`).join(', ')}}`;
}

const stringTypes = 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

function asText(value: Value): string {
  madeText(typeof value === 'string' || value instanceof Uint8Array ? value.length : 0);
  if (value === null) return 'null';
  if (value instanceof List || value instanceof MapValue) return containerText(value);
  if (value instanceof TypeValue) return value.name;
  const isKnown =
    typeof value !== 'object' || [Uint, Uint8Array, Timestamp, Duration].some((one) => value instanceof one);
  return isKnown
    ? plainText(value)
    : refuse(`string clause can only be used on ${stringTypes}, was given ${typeNameOf(value)}`);
}

const wholeIn = (value: Value): bigint | undefined => {
  if (typeof value === 'bigint') return value;
  return value instanceof Uint ? value.value : undefined;
};

/** Returns the formatter of integers in a base; `other` formats other values first. */
const inBase =
  (base: number, refusal: string, other: (value: Value) => string | undefined = () => undefined) =>
  (value: Value): string =>
    other(value) ?? wholeIn(value)?.toString(base) ?? refuse(`${refusal}, was given ${typeNameOf(value)}`);

function hexOf(value: string | Uint8Array): string {
  madeText(2 * value.length);
  return Buffer.from(value as string).toString('hex');
}

const hex = inBase(16, 'only integers, byte buffers, and strings can be formatted as hex', (value) =>
  typeof value === 'string' || value instanceof Uint8Array ? hexOf(value) : undefined,
);

const special: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity: Infinity, '-Infinity': -Infinity };

const numberIn = (value: Value, clause: string): number => {
  const number = typeof value === 'string' ? special[value] : value;
  return typeof number === 'number'
    ? number
    : refuse(`${clause} clause can only be used on doubles, was given ${typeNameOf(value)}`);
};

/** Units of work of making a formatter. */
const formatterWork = 500;

function fixed(value: Value, precision = 6): string {
  const number = numberIn(value, 'fixed-point');
  countWork(formatterWork);
  return new Intl.NumberFormat('en-US', {
    minimumFractionDigits: precision,
    maximumFractionDigits: precision,
  }).format(number);
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: Value): string {
  const number = numberIn(value, 'scientific');
  if (!Number.isFinite(number)) return fixed(number);
  const [digits = '', power = ''] = number.toExponential(6).split('e');
  const exponent = Number(power);
  const size = [...String(Math.abs(exponent)).padStart(2, '0')].map((digit) => raised[Number(digit)]).join('');
  return `${digits}\u202f×\u202f10${exponent < 0 ? '⁻' : ''}${size}`;
}

const clauses: Readonly<Record<string, (value: Value, precision?: number) => string>> = {
  s: asText,
  d: inBase(10, 'decimal clause can only be used on integers'),
  f: fixed,
  e: scientific,
  b: inBase(2, 'only integers and bools can be formatted as binary', (value) =>
    typeof value === 'boolean' ? String(Number(value)) : undefined,
  ),
  x: hex,
  X: (value) => hex(value).toUpperCase(),
  o: inBase(8, 'octal clause can only be used on integers'),
};

/** Formats a clause: its letter, the argument's index and the precision. */
export type Clause = (letter: string, index: number, precision: number | undefined) => string;

/** Replaces the clauses of a format. Throws an Error with cel-go's message. */
export function interpolate(format: string, count: number, clause: Clause): string {
  let index = 0;
  return format.replaceAll(/%(?:%|(\.(\d*))?([\s\S]?))/g, (...match: string[]) => {
    const [whole, dotted, digits, letter = ''] = match as [string, ...string[]];
    if (whole === '%%') return '%';
    if (index >= count) refuse(`index ${index} out of range`);
    if (whole === '%') refuse('unexpected end of string');
    const wrong = 'could not parse formatting clause';
    if (dotted !== undefined && letter === '')
      refuse(`${wrong}: error while parsing precision: could not find end of precision specifier`);
    if (dotted === '.')
      refuse(
        `${wrong}: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`,
      );
    if (clauses[letter] === undefined) refuse(`${wrong}: unrecognized formatting clause "${letter}"`);
    index += 1;
    return clause(letter, index - 1, dotted === undefined ? undefined : Number(digits));
  });
}

/** Formats values by a text with clauses such as `%s` or `%.2f`. */
export function formatValues(format: string, values: readonly Value[]): Value {
  try {
    return interpolate(format, values.length, (letter, index, precision) => {
      try {
        return clauses[letter]!(values[index]!, precision);
      } catch (error) {
        if (error instanceof CostExceeded) throw error;
        return refuse(`error during formatting: ${(error as Error).message}`);
      }
    });
  } catch (error) {
    if (error instanceof CostExceeded) throw error;
    return new CelError((error as Error).message);
  }
}
