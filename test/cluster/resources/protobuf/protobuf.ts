/** Decodes Kubernetes protobuf. */

import { depthOf } from '../../apimachinery/depth.ts';
import { maxLevels } from '../../apimachinery/go/go-json.ts';
import { syntaxFaultOf } from '../../apimachinery/go/go-json-syntax.ts';
import type { Fields } from '../../apimachinery/object.ts';
import type { FieldInfo, Scalar, TypeInfo, TypeRef, TypeTable } from '../type-table.ts';
import { type Message, messageOf, numberOf, textOf, type Value } from './protobuf-wire.ts';

/** Content of Kubernetes' protobuf envelope. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** Encoded object: protobuf for {@link decodeProtobuf}, unless `contentType` says otherwise. */
  readonly raw: Uint8Array;
  /** Empty for protobuf. */
  readonly contentType: string;
}

/** Prefix of Kubernetes protobuf. */
export const magic = [0x6b, 0x38, 0x73, 0x00];
const empty = new Uint8Array();

const lastOf = (message: Message, number: number): Value | undefined => message.get(number)?.at(-1);
const bytesOf = (value: Value | undefined): Uint8Array => (value instanceof Uint8Array ? value : empty);

/** Opens an `application/vnd.kubernetes.protobuf` envelope; undefined for other bytes. Throws a RangeError when it is truncated. */
export function openEnvelope(bytes: Uint8Array): Envelope | undefined {
  if (!magic.every((byte, index) => bytes[index] === byte)) return undefined;
  const unknown = messageOf(bytes.subarray(magic.length));
  const type = messageOf(bytesOf(lastOf(unknown, 1)));
  return {
    apiVersion: textOf(lastOf(type, 1)),
    kind: textOf(lastOf(type, 2)),
    raw: bytesOf(lastOf(unknown, 2)),
    contentType: textOf(lastOf(unknown, 4)),
  };
}

/** Fields by number; those of embedded messages are nested. */
export interface Layout {
  readonly fields: Map<number, FieldInfo>;
  readonly embedded: Map<number, Layout>;
}

const newLayout = (): Layout => ({ fields: new Map(), embedded: new Map() });

/** Returns the protobuf layout of a type. */
export function layoutOf({ fields }: TypeInfo): Layout {
  const root = newLayout();
  for (const field of fields.values()) {
    const path = field.protobuf.split('.').filter(Boolean).map(Number);
    const last = path.pop();
    if (last === undefined) continue;
    const holder = path.reduce((layout, number) => {
      const below = layout.embedded.get(number) ?? newLayout();
      layout.embedded.set(number, below);
      return below;
    }, root);
    holder.fields.set(last, field);
  }
  return root;
}

type Read = (value: Value, types: TypeTable) => unknown;

const jsonIn = (value: Value): unknown => {
  const text = textOf(lastOf(messageOf(bytesOf(value)), 1));
  if (text === '') return null;
  const fault = syntaxFaultOf(text);
  if (fault !== undefined) throw new RangeError(fault);
  return JSON.parse(text);
};

/** Returns a reader of times as seconds and nanoseconds; an empty message is Go's zero time. */
const timeIn =
  (decimals: number): Read =>
  (value) => {
    const message = messageOf(bytesOf(value));
    if (message.size === 0) return null;
    const seconds = numberOf(lastOf(message, 1) ?? 0n);
    const nanos = numberOf(lastOf(message, 2) ?? 0n);
    const text = new Date(seconds * 1000).toISOString().slice(0, 19);
    const fraction = String(Math.trunc(nanos / 1000)).padStart(6, '0');
    return decimals === 0 ? `${text}Z` : `${text}.${fraction}Z`;
  };

const schemaType: TypeRef = { is: 'struct', name: 'apiextensions.JSONSchemaProps' };

/** Returns a reader of a message with a schema in field `schema`, or another value. */
const schemaOr =
  (schema: number, other: (message: Message, types: TypeTable) => unknown): Read =>
  (value, types) => {
    const message = messageOf(bytesOf(value));
    const given = lastOf(message, schema);
    return given === undefined ? other(message, types) : readOne(types, schemaType, given);
  };

const readers: Readonly<Record<Scalar, Read>> = {
  string: (value) => textOf(value),
  int32: numberOf,
  int64: numberOf,
  bool: (value) => value !== 0n,
  double: numberOf,
  bytes: (value) => Buffer.from(bytesOf(value)).toString('base64'),
  quantity: (value) => textOf(lastOf(messageOf(bytesOf(value)), 1)) || '0',
  time: timeIn(0),
  microTime: timeIn(6),
  intOrString(value) {
    const message = messageOf(bytesOf(value));
    const isText = numberOf(lastOf(message, 1) ?? 0n) === 1;
    return isText ? textOf(lastOf(message, 3)) : numberOf(lastOf(message, 2) ?? 0n);
  },
  any: jsonIn,
  schemaOrBool: schemaOr(2, (message) => lastOf(message, 1) === 1n),
  schemaOrArray: schemaOr(1, (message, types) => (message.get(2) ?? []).map((one) => readOne(types, schemaType, one))),
  schemaOrStrings: schemaOr(1, (message) => (message.get(2) ?? []).map(textOf)),
};

/** Types of scalars whose values are numbers on the wire. */
const numeric: ReadonlySet<Scalar> = new Set(['int32', 'int64', 'bool', 'double']);

const isNumeric = (type: TypeRef): boolean => type.is === 'scalar' && numeric.has(type.scalar);

/** Throws a RangeError for a value of a kind that its type does not have. */
function checkKind(type: TypeRef, value: Value): void {
  if (isNumeric(type) === value instanceof Uint8Array) throw new RangeError('a value is of the wrong kind');
}

function readOne(types: TypeTable, type: TypeRef, value: Value): unknown {
  checkKind(type, value);
  if (type.is === 'scalar') return readers[type.scalar](value, types);
  if (type.is === 'struct') return readStruct(types, type.name, bytesOf(value));
  // A list inside a map is a message with a repeated first field.
  return (messageOf(bytesOf(value)).get(1) ?? []).map((item) => readOne(types, type.of, item));
}

function readEntries(types: TypeTable, of: TypeRef, values: readonly Value[]): Fields {
  const entries = values.map((value) => {
    const entry = messageOf(bytesOf(value));
    const member = lastOf(entry, 2);
    return [textOf(lastOf(entry, 1)), readOne(types, of, member ?? (isNumeric(of) ? 0n : empty))];
  });
  return Object.fromEntries(entries);
}

function readField(types: TypeTable, { type }: FieldInfo, values: readonly Value[]): unknown {
  if (type.is === 'list') return values.map((value) => readOne(types, type.of, value));
  if (type.is === 'map') return readEntries(types, type.of, values);
  return readOne(types, type, values.at(-1)!);
}

function readLayout(types: TypeTable, { fields, embedded }: Layout, message: Message): Fields {
  const read: Fields = {};
  for (const [number, values] of message) {
    const field = fields.get(number);
    if (field !== undefined) read[field.name] = readField(types, field, values);
    const below = embedded.get(number);
    if (below !== undefined) Object.assign(read, readLayout(types, below, messageOf(bytesOf(values.at(-1)))));
  }
  return read;
}

const readStruct = (types: TypeTable, name: string, bytes: Uint8Array): Fields =>
  readLayout(types, layoutOf(types(name)), messageOf(bytes));

/** Decodes a protobuf message of a built-in type to JSON; unknown fields are skipped. Throws a RangeError when it is truncated, or nested too deeply. */
export function decodeProtobuf(types: TypeTable, name: string, bytes: Uint8Array): Fields {
  const read = readStruct(types, name, bytes);
  if (depthOf(read, maxLevels).levels > maxLevels) throw new RangeError('exceeded max depth');
  return read;
}
