/** Reads scalars of built-in kinds as Go does. */

import { canonicalQuantity, quantityFormatMessage } from '../apimachinery/formats/quantity.ts';
import { base64Fault, canonicalBase64 } from '../apimachinery/go/go-base64.ts';
import { canonicalMicroTime, canonicalTime, timeParseMessage } from '../apimachinery/go/go-time.ts';
import { DecodeError } from './decode-result.ts';
import type { Scalar } from './type-table.ts';

/** Position of a value: the struct and names for errors, and the path with indexes. */
export interface ValuePosition {
  readonly struct: string;
  readonly names: string;
  readonly path: string;
  /** Numbers by path that are not written as whole numbers. */
  readonly numbers: ReadonlyMap<string, string> | undefined;
}

/** Returns the JSON type of a value in Go's errors. */
export const jsonKindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
};

/** Returns the error for a value of another type; numbers that do not fit are quoted. */
export function mismatch(found: string, type: string, { struct, names }: ValuePosition): DecodeError {
  const target = names === '' ? `value of type ${type}` : `struct field ${struct}.${names} of type ${type}`;
  return new DecodeError(`json: cannot unmarshal ${found} into Go ${target}`);
}

/** Reads a scalar; `named` is the name of its Go type, where that is not the basic one. */
type ScalarReader = (value: unknown, position: ValuePosition, named?: string) => unknown;

const expecting =
  (kind: string, type: string): ScalarReader =>
  (value, position, named = type) => {
    if (jsonKindOf(value) !== kind) throw mismatch(jsonKindOf(value), named, position);
    return value;
  };

/** Reports whether a number is written as a whole one of 64 bits. */
const isWhole = (written: string): boolean =>
  /^-?\d+$/.test(written) && BigInt.asIntN(64, BigInt(written)) === BigInt(written);

const integer =
  (type: string, bits: number): ScalarReader =>
  (value, position) => {
    if (typeof value !== 'number') throw mismatch(jsonKindOf(value), type, position);
    // The 64-bit maximum rounds up to 2^63 in JavaScript.
    const most = bits === 64 ? 2 ** 63 : 2 ** (bits - 1) - 1;
    const fits = Number.isInteger(value) && value >= -(2 ** (bits - 1)) && value <= most;
    const written = position.numbers?.get(position.path);
    if (!fits || (written !== undefined && !isWhole(written)))
      throw mismatch(`number ${written ?? value}`, type, position);
    return value;
  };

const readString = expecting('string', 'string');
const readInt32 = integer('int32', 32);

const time =
  (micro: boolean): ScalarReader =>
  (value, position) => {
    const text = String(readString(value, position));
    const read = micro ? canonicalMicroTime(text) : canonicalTime(text);
    if (read === undefined) throw new DecodeError(timeParseMessage(text, micro));
    return read;
  };

const readEncoded = expecting('string', '[]uint8');

const readBytes: ScalarReader = (value, position) => {
  const text = String(readEncoded(value, position));
  const canonical = canonicalBase64(text);
  if (canonical === text) return text;
  const bad = base64Fault(text);
  if (bad !== undefined) throw new DecodeError(`illegal base64 data at input byte ${bad}`);
  return canonical;
};

const readQuantity: ScalarReader = (value) => {
  const read = typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(String(value)) : undefined;
  if (read === undefined) throw new DecodeError(quantityFormatMessage);
  return read;
};

/** Readers by scalar. */
export const scalarReaders: Record<Exclude<Scalar, `schemaOr${string}`>, ScalarReader> = {
  string: readString,
  int32: readInt32,
  int64: integer('int64', 64),
  bool: expecting('bool', 'bool'),
  double: expecting('number', 'float64'),
  quantity: readQuantity,
  time: time(false),
  microTime: time(true),
  intOrString: (value, position) => (typeof value === 'string' ? value : readInt32(value, position)),
  bytes: readBytes,
  any: (value) => value,
};
