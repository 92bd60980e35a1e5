/** Decodes JSON values by the type tables, as Go does. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import { keepEmptyMember } from '../apimachinery/validation/empty-members.ts';
import type { Decoded } from './decode-result.ts';
import { jsonKindOf, mismatch, scalarReaders, type ValuePosition } from './scalar-readers.ts';
import type { FieldInfo, Scalar, TypeInfo, TypeRef, TypeTable } from './type-table.ts';

/** Position of decoding: the struct and names for errors, the path with indexes for unknown fields. */
interface DecodeContext extends ValuePosition {
  readonly types: TypeTable;
  readonly unknown: string[];
}

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

type ScalarRef = TypeRef & { readonly is: 'scalar' };

const schemaType: TypeRef = { is: 'struct', name: 'apiextensions.JSONSchemaProps' };

function readScalar(reading: DecodeContext, { scalar, goName }: ScalarRef, value: unknown): unknown {
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

const into = (reading: DecodeContext, step: string): DecodeContext => ({ ...reading, path: `${reading.path}${step}` });
const below = (parent: string, name: string): string => (parent === '' ? name : `${parent}.${name}`);

/** Fast path: reports whether a value is a text as its type demands. */
const isText = (type: TypeRef, value: unknown): boolean =>
  typeof value === 'string' && type.is === 'scalar' && type.scalar === 'string';

function readValue(reading: DecodeContext, type: TypeRef, value: unknown): unknown {
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
function zeroOf(reading: DecodeContext, type: TypeRef): unknown {
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
function absent(reading: DecodeContext, { whenEmpty, type }: FieldInfo): unknown {
  if (whenEmpty === 'shown') return zeroOf(reading, type);
  return whenEmpty === 'null' ? null : undefined;
}

/** Returns a field's value as Go encodes it again; undefined when it omits the field. */
function readField(reading: DecodeContext, field: FieldInfo, value: unknown): unknown {
  if (value === null || value === undefined) return absent(reading, field);
  const read = readValue(reading, field.type, value);
  if (field.whenEmpty === 'shown' && Array.isArray(read) && read.length === 0) return null;
  const isFree = field.type.is === 'scalar' && field.type.scalar === 'any';
  return field.whenEmpty === 'dropped' && !isFree && isEmpty(read) ? undefined : read;
}

/** Returns the fields that are set, as Go encodes them again, and adds the unknown ones to the reading. */
function readMembers(reading: DecodeContext, type: TypeInfo, value: Fields): Fields {
  const member = (name: string): DecodeContext => ({
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

function readStruct(reading: DecodeContext, type: TypeInfo, value: Fields): Fields {
  const set = readMembers(reading, type, value);
  const read: Fields = {};
  for (const field of type.fields.values()) {
    const { name } = field;
    const made = Object.hasOwn(set, name) ? set[name] : absent(reading, field);
    if (made !== undefined) read[name] = made;
    if ((made ?? null) === null && name in value) keepEmptyMember(read, name, value[name]);
  }
  return read;
}

type Numbers = ValuePosition['numbers'];

const readingOf = (types: TypeTable, numbers?: Numbers): DecodeContext => ({
  types,
  unknown: [],
  struct: '',
  names: '',
  path: '',
  numbers,
});

/** Value to decode as a type. */
export interface Encoded {
  /** Name of the type. */
  readonly name: string;
  readonly value: unknown;
  /** Numbers by path that are not written as whole numbers. */
  readonly numbers: Numbers;
}

/**
 * Decodes a JSON value and encodes it again, as Go does: fields in the type's order, unknown ones dropped, zero
 * values as Go writes them. Integers that are not written as whole numbers, such as `1.0`, are refused.
 * Throws {@link DecodeError}.
 */
export function decodeWritten(types: TypeTable, { name, value, numbers }: Encoded): Decoded {
  const reading = readingOf(types, numbers);
  const object = readValue(reading, { is: 'struct', name }, value);
  return { object: object as Fields, unknown: reading.unknown };
}

/** Decodes a value that is not JSON, as `decodeWritten` does. Throws {@link DecodeError}. */
export const decodeAs = (types: TypeTable, name: string, value: unknown): Decoded =>
  decodeWritten(types, { name, value, numbers: undefined });

/** Returns the value that Go encodes for a field that was never set. */
export const zeroOfField = (types: TypeTable, { type }: FieldInfo): unknown => zeroOf(readingOf(types), type);
