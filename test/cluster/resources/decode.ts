/** Decodes JSON values by the type tables, as Go does. */

import { canonicalQuantity, quantityFormatMessage } from '../apimachinery/formats/quantity.ts';
import { base64Fault, canonicalBase64 } from '../apimachinery/go/go-base64.ts';
import { canonicalMicroTime, canonicalTime, timeParseMessage } from '../apimachinery/go/go-time.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { noteEmpty } from '../apimachinery/validation/empty-members.ts';
import { type Decoded, DecodeError } from './decoded.ts';
import type { FieldInfo, Scalar, TypeInfo, TypeRef, TypeTable } from './type-table.ts';

/** Position of decoding: the struct and names for errors, the path with indexes for unknown fields. */
interface Reading {
  readonly types: TypeTable;
  readonly unknown: string[];
  readonly struct: string;
  readonly names: string;
  readonly path: string;
}

type Place = Pick<Reading, 'struct' | 'names'>;

const jsonKindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
};

/** Returns the name of a type in Go's errors. */
function goNameOf(type: TypeRef, types: TypeTable): string {
  if (type.is === 'struct') {
    const { goPackage, goName } = types(type.name);
    return `${goPackage}.${goName}`;
  }
  if (type.goName !== undefined) return type.goName;
  if (type.is === 'list') return `[]${goNameOf(type.of, types)}`;
  if (type.is === 'map') return `map[${type.keyName ?? 'string'}]${goNameOf(type.of, types)}`;
  return goScalars[type.scalar] ?? 'string';
}

const goScalars: Partial<Record<Scalar, string>> = {
  int32: 'int32',
  int64: 'int64',
  bool: 'bool',
  double: 'float64',
  intOrString: 'int32',
  quantity: 'resource.Quantity',
  bytes: '[]uint8',
};

/** Returns the error for a value of another type; numbers that do not fit are quoted. */
function mismatch(found: string, type: string, { struct, names }: Place): DecodeError {
  const target = names === '' ? `value of type ${type}` : `struct field ${struct}.${names} of type ${type}`;
  return new DecodeError(`json: cannot unmarshal ${found} into Go ${target}`);
}

/** Reads a scalar; `named` is its name in Go, where it has one of its own. */
type ScalarReader = (value: unknown, place: Place, named?: string) => unknown;

const expecting =
  (kind: string, type: string): ScalarReader =>
  (value, place, named = type) => {
    if (jsonKindOf(value) !== kind) throw mismatch(jsonKindOf(value), named, place);
    return value;
  };

const integer =
  (type: string, bits: number): ScalarReader =>
  (value, place) => {
    if (typeof value !== 'number') throw mismatch(jsonKindOf(value), type, place);
    // The 64-bit maximum rounds up to 2^63 in JavaScript.
    const most = bits === 64 ? 2 ** 63 : 2 ** (bits - 1) - 1;
    const fits = Number.isInteger(value) && value >= -(2 ** (bits - 1)) && value <= most;
    if (!fits) throw mismatch(`number ${value}`, type, place);
    return value;
  };

const readString = expecting('string', 'string');
const readInt32 = integer('int32', 32);

const time =
  (micro: boolean): ScalarReader =>
  (value, place) => {
    const text = String(readString(value, place));
    const read = micro ? canonicalMicroTime(text) : canonicalTime(text);
    if (read === undefined) throw new DecodeError(timeParseMessage(text, micro));
    return read;
  };

const readEncoded = expecting('string', '[]uint8');

const readBytes: ScalarReader = (value, place) => {
  const text = String(readEncoded(value, place));
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

const scalarReaders: Record<Exclude<Scalar, `schemaOr${string}`>, ScalarReader> = {
  string: readString,
  int32: readInt32,
  int64: integer('int64', 64),
  bool: expecting('bool', 'bool'),
  double: expecting('number', 'float64'),
  quantity: readQuantity,
  time: time(false),
  microTime: time(true),
  intOrString: (value, place) => (typeof value === 'string' ? value : readInt32(value, place)),
  bytes: readBytes,
  any: (value) => value,
};

type ScalarRef = TypeRef & { readonly is: 'scalar' };

const schemaType: TypeRef = { is: 'struct', name: 'apiextensions.JSONSchemaProps' };

function readScalar(reading: Reading, { scalar, goName }: ScalarRef, value: unknown): unknown {
  switch (scalar) {
    case 'schemaOrBool':
      return typeof value === 'boolean' ? value : readValue(reading, schemaType, value);
    case 'schemaOrArray':
      return readValue(reading, Array.isArray(value) ? { is: 'list', of: schemaType } : schemaType, value);
    case 'schemaOrStrings':
      return Array.isArray(value) ? value : readValue(reading, schemaType, value);
    default:
      return scalarReaders[scalar](value, reading, goName);
  }
}

const into = (reading: Reading, step: string): Reading => ({ ...reading, path: `${reading.path}${step}` });
const below = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`);

/** Fast path: reports whether a value is a text as its type demands. */
const isText = (type: TypeRef, value: unknown): boolean =>
  typeof value === 'string' && type.is === 'scalar' && type.scalar === 'string';

function readValue(reading: Reading, type: TypeRef, value: unknown): unknown {
  if (value === null || value === undefined) return zeroOf(reading, type);
  if (type.is === 'scalar') return readScalar(reading, type, value);
  const isList = type.is === 'list';
  if (isList ? !Array.isArray(value) : !isFields(value)) {
    throw mismatch(jsonKindOf(value), goNameOf(type, reading.types), reading);
  }
  if (isList) {
    return (value as unknown[]).map((item, index) => readValue(into(reading, `[${index}]`), type.of, item));
  }
  if (type.is === 'struct') return readStruct(reading, reading.types(type.name), value as Fields);
  if (Object.values(value as Fields).every((member) => isText(type.of, member))) return value;
  const entries = Object.entries(value as Fields).map(([key, member]) => [
    key,
    readValue(into(reading, `.${key}`), type.of, member),
  ]);
  return Object.fromEntries(entries);
}

/** Go's zero values of scalars; none for pointers and times. */
export const zeroes: Partial<Record<Scalar, unknown>> = {
  string: '',
  int32: 0,
  int64: 0,
  bool: false,
  double: 0,
  quantity: '0',
  intOrString: 0,
};

/** Returns the value that Go encodes for an unset type. */
function zeroOf(reading: Reading, type: TypeRef): unknown {
  if (type.is === 'struct') return readStruct(reading, reading.types(type.name), {});
  return type.is === 'scalar' ? (zeroes[type.scalar] ?? null) : null;
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Returns the value that Go encodes for an unset field; undefined when it omits the field. */
function absent(reading: Reading, { whenEmpty, type }: FieldInfo): unknown {
  if (whenEmpty === 'shown') return zeroOf(reading, type);
  return whenEmpty === 'null' ? null : undefined;
}

/** Returns a field's value as Go encodes it again; undefined when it omits the field. */
function readField(reading: Reading, field: FieldInfo, value: unknown): unknown {
  if (value === null || value === undefined) return absent(reading, field);
  const read = readValue(reading, field.type, value);
  if (field.whenEmpty === 'shown' && Array.isArray(read) && read.length === 0) return null;
  const isFree = field.type.is === 'scalar' && field.type.scalar === 'any';
  return field.whenEmpty === 'dropped' && !isFree && isEmpty(read) ? undefined : read;
}

/** Returns the fields that are set, as Go encodes them again, and adds the unknown ones to the reading. */
function readMembers(reading: Reading, type: TypeInfo, value: Fields): Fields {
  const member = (name: string): Reading => ({
    ...reading,
    struct: type.goName,
    names: below(reading.names, name),
    path: below(reading.path, name),
  });
  const set: Fields = {};
  for (const name of Object.keys(value)) {
    const given = value[name];
    const field = type.fields.get(name);
    if (field === undefined) reading.unknown.push(below(reading.path, name));
    else if (given !== '' && isText(field.type, given)) set[name] = given;
    else set[name] = readField(member(name), field, given);
  }
  return set;
}

function readStruct(reading: Reading, type: TypeInfo, value: Fields): Fields {
  const set = readMembers(reading, type, value);
  const read: Fields = {};
  for (const field of type.fields.values()) {
    const { name } = field;
    const made = Object.hasOwn(set, name) ? set[name] : absent(reading, field);
    if (made !== undefined) read[name] = made;
    if ((made ?? null) === null && name in value) noteEmpty(read, name, value[name]);
  }
  return read;
}

const readingOf = (types: TypeTable): Reading => ({ types, unknown: [], struct: '', names: '', path: '' });

/**
 * Decodes a JSON value and encodes it again, as Go does: fields in the type's order, unknown ones dropped, zero
 * values as Go writes them. Throws {@link DecodeError}.
 */
export function decodeAs(types: TypeTable, name: string, value: unknown): Decoded {
  const reading = readingOf(types);
  const object = readValue(reading, { is: 'struct', name }, value);
  return { object: object as Fields, unknown: reading.unknown };
}

/** Returns the value that Go encodes for a field that was never set. */
export const zeroOfField = (types: TypeTable, { type }: FieldInfo): unknown => zeroOf(readingOf(types), type);
