/** CEL conversion functions, and the accessors of timestamps and durations. */

import type { Implementation } from '../functions/operators.ts';
import { noOverload } from './compare.ts';
import { goDouble } from './go-numbers.ts';
import { durationIn, durationText, inRange, partOfDuration, partOfTime, timestampIn, timestampText } from './times.ts';
import { madeText, parsedText, readText } from './uncosted-work.ts';
import {
  CelError,
  Duration,
  List,
  MapValue,
  Opaque,
  Optional,
  sizeOf,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from './values.ts';

const limit = 2n ** 63n;

const cannot = (value: Value, to: string): CelError =>
  new CelError(`type conversion error from '${typeNameOf(value)}' to '${to}'`);

const within = (value: bigint, range: readonly [bigint, bigint], what: string): bigint | CelError =>
  value >= range[0] && value < range[1] ? value : new CelError(what);

const ints = [-limit, limit] as const;
const uints = [0n, 2n * limit] as const;

function doubleToInt(value: number): Value {
  const isIn = Number.isFinite(value) && value > -(2 ** 63) && value < 2 ** 63;
  return isIn ? BigInt(Math.trunc(value)) : new CelError('integer overflow');
}

/** Reports whether a text is a number with at most 20 digits after leading zeros. */
const isShortNumber = (text: string): boolean => /^\d+$/.test(text) && text.replace(/^0+/, '').length <= 20;

function textToInt(value: string): Value {
  const number = isShortNumber(value.replace(/^[+-]/, '')) ? BigInt(value.replace('+', '')) : limit;
  return number >= ints[0] && number < ints[1] ? number : cannot(value, 'int');
}

function toInt(value: Value): Value {
  if (typeof value === 'bigint') return value;
  if (value instanceof Uint) return within(value.value, ints, 'integer overflow');
  if (typeof value === 'number') return doubleToInt(value);
  if (typeof value === 'string') return textToInt(value);
  if (value instanceof Timestamp) return value.nanos / 1_000_000_000n - (value.nanos % 1_000_000_000n < 0n ? 1n : 0n);
  return value instanceof Duration ? value.nanos : noOverload;
}

function uintOf(number: bigint): Value {
  const whole = within(number, uints, 'unsigned integer overflow');
  return typeof whole === 'bigint' ? new Uint(whole) : whole;
}

function doubleToUint(value: number): Value {
  const isIn = value >= 0 && value < 2 ** 64;
  return isIn ? new Uint(BigInt(Math.trunc(value))) : new CelError('unsigned integer overflow');
}

function textToUint(value: string): Value {
  const number = isShortNumber(value) ? BigInt(value) : uints[1];
  return number < uints[1] ? new Uint(number) : cannot(value, 'uint');
}

function toUint(value: Value): Value {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return uintOf(value);
  if (typeof value === 'number') return doubleToUint(value);
  return typeof value === 'string' ? textToUint(value) : noOverload;
}

const goFloat = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)$/i;

function toDouble(value: Value): Value {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (typeof value !== 'string') return noOverload;
  if (!goFloat.test(value)) return cannot(value, 'double');
  if (/nan/i.test(value)) return Number.NaN;
  if (/inf/i.test(value)) return value.startsWith('-') ? -Infinity : Infinity;
  return Number.isFinite(Number(value)) ? Number(value) : cannot(value, 'double');
}

const booleans: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true]),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false]),
]);

function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? (booleans[value] ?? cannot(value, 'bool')) : noOverload;
}

/** Returns the text of an address or range of the net library; other opaque values have none. */
const opaqueToText = ({ type, text }: Opaque): Value => (/^net\./.test(type.name) ? text : noOverload);

function bytesToText(value: Uint8Array): Value {
  readText(value.length);
  const text = Buffer.from(value).toString();
  return Buffer.compare(Buffer.from(text), value) === 0
    ? text
    : new CelError('invalid UTF-8 in bytes, cannot convert to string');
}

function toText(value: Value): Value {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goDouble(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Opaque) return opaqueToText(value);
  return value instanceof Uint8Array ? bytesToText(value) : noOverload;
}

function toTimestamp(value: Value): Value {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return inRange(value * 1_000_000_000n);
  return typeof value === 'string' ? (timestampIn(value) ?? cannot(value, 'google.protobuf.Timestamp')) : noOverload;
}

function toDuration(value: Value): Value {
  if (value instanceof Duration) return value;
  if (typeof value === 'bigint') return new Duration(value);
  return typeof value === 'string' ? (durationIn(value) ?? cannot(value, 'google.protobuf.Duration')) : noOverload;
}

function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return noOverload;
  madeText(value.length);
  return new Uint8Array(Buffer.from(value));
}

const size: Implementation = (value) => {
  const count = sizeOf(value!);
  return count === undefined ? new CelError('no such overload: size') : BigInt(count);
};

const part =
  (name: string): Implementation =>
  (value, zone) => {
    if (value instanceof Timestamp) return partOfTime(name, value, zone === undefined ? undefined : String(zone));
    return value instanceof Duration ? partOfDuration(name, value) : noOverload;
  };

function isZero(value: Value): boolean {
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp || value instanceof Opaque || value instanceof TypeValue) return false;
  if (value instanceof Optional) return value.value === undefined;
  if (value instanceof List || value instanceof MapValue || value instanceof Uint8Array) return sizeOf(value) === 0;
  return !value;
}

const inside: Implementation = (optional) =>
  optional instanceof Optional ? (optional.value ?? new CelError('optional.none() dereference')) : noOverload;

const unwrappedList: Implementation = (list) => {
  if (!(list instanceof List)) return noOverload;
  const values = list.items.map((item) => (item instanceof Optional ? item.value : item));
  return new List(values.filter((value) => value !== undefined));
};

const end =
  (index: number): Implementation =>
  (list) =>
    list instanceof List ? new Optional(list.at(index < 0 ? list.length + index : index)) : noOverload;

const timeParts =
  'getFullYear getMonth getDayOfYear getDayOfMonth getDate getDayOfWeek getHours getMinutes getSeconds getMilliseconds'.split(
    ' ',
  );

/** Wraps a conversion, counting the texts that it parses. */
const parsing =
  (convert: (value: Value) => Value): Implementation =>
  (value) => {
    if (typeof value === 'string') parsedText(value.length);
    return convert(value!);
  };

/** CEL's conversion functions, and the accessors of times. */
export const conversions: Readonly<Record<string, Implementation>> = {
  int: parsing(toInt),
  uint: parsing(toUint),
  double: parsing(toDouble),
  bool: (value) => toBool(value!),
  string: (value) => toText(value!),
  bytes: (value) => toBytes(value!),
  timestamp: parsing(toTimestamp),
  duration: parsing(toDuration),
  dyn: (value) => value!,
  type: (value) => new TypeValue(typeNameOf(value!)),
  size,
  ...Object.fromEntries(timeParts.map((name) => [name, part(name)])),
  'optional.of': (value) => new Optional(value!),
  'optional.ofNonZeroValue': (value) => new Optional(isZero(value!) ? undefined : value!),
  'optional.none': () => new Optional(),
  value: inside,
  hasValue: (optional) => (optional instanceof Optional ? optional.value !== undefined : noOverload),
  first: end(0),
  last: end(-1),
  'optional.unwrap': unwrappedList,
  unwrapOpt: unwrappedList,
};
