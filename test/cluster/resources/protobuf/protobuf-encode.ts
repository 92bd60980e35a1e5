/** Encoder of built-in types in protobuf. */

import type { Fields } from '../../apimachinery/object.ts';
import type { FieldInfo, Scalar, TypeRef, TypeTable } from '../type-table.ts';
import type { Layout } from './protobuf.ts';
import { layoutOf } from './protobuf.ts';
import { ReverseWriter } from './protobuf-writer.ts';

type Write = (out: ReverseWriter, value: unknown) => void;

/** Encoding of a type: its wire type and its zero value. */
interface Codec {
  readonly wire: 0 | 1 | 2;
  readonly write: Write;
  /** Zero value of unset fields; undefined when there is none. */
  readonly zero?: unknown;
}

/** Writes a field with its tag; unset fields are written as Go does. */
type WriteField = (out: ReverseWriter, holder: Fields) => void;

/** Returns the codec of a nested type. */
type CodecOf = (type: TypeRef) => Codec;

const schemaType: TypeRef = { is: 'struct', name: 'apiextensions.JSONSchemaProps' };

/** Returns a writer of a value with its tag. */
const writeTagged = (number: number, { wire, write }: Codec): Write => {
  const tag = number * 8 + wire;
  if (wire !== 2) {
    return (out, value) => {
      write(out, value);
      out.varint(tag);
    };
  }
  return (out, value) => {
    const end = out.size;
    write(out, value);
    out.head(tag, end);
  };
};

/** Returns a writer of a list, each item with its tag. */
function writeRepeated(number: number, codec: Codec): Write {
  const write = writeTagged(number, codec);
  return (out, values) => {
    const list = values as readonly unknown[];
    for (let index = list.length - 1; index >= 0; index -= 1) write(out, list[index]);
  };
}

const text: Codec = { wire: 2, zero: '', write: (out, value) => out.text(value as string) };
const integer: Codec = { wire: 0, zero: 0, write: (out, value) => out.varint(value as number) };
const flag: Codec = { wire: 0, zero: false, write: (out, value) => out.varint(value === true ? 1 : 0) };

/** Returns the codec of a message with the single field 1. */
const wrapping = (inner: Codec, zero: unknown): Codec => ({ wire: 2, zero, write: writeTagged(1, inner) });

const firstInteger = writeTagged(1, integer);
const secondInteger = writeTagged(2, integer);
const firstText = writeTagged(1, text);
const thirdText = writeTagged(3, text);

/** Returns the codec of times as seconds and nanoseconds. It caches the last time, as objects often share one. */
function instant(): Codec {
  let known = '';
  let seconds = 0;
  let nanoseconds = 0;
  const write: Write = (out, value) => {
    // Go's zero time is an empty message.
    if (value === null) return;
    if (value !== known) {
      known = value as string;
      const [whole = '', fraction = ''] = known.slice(0, -1).split('.');
      seconds = Date.parse(`${whole}Z`) / 1000;
      nanoseconds = Number(fraction.padEnd(9, '0'));
    }
    secondInteger(out, nanoseconds);
    firstInteger(out, seconds);
  };
  return { wire: 2, zero: null, write };
}

function writeIntOrString(out: ReverseWriter, value: unknown): void {
  const isText = typeof value === 'string';
  thirdText(out, isText ? value : '');
  secondInteger(out, isText ? 0 : value);
  firstInteger(out, isText ? 1 : 0);
}

const json: Codec = {
  wire: 2,
  zero: undefined,
  write(out, value) {
    if (value !== undefined && value !== null) firstText(out, JSON.stringify(value));
  },
};

/** Returns the codec of a schema in field 1, or a list of other values in field 2. */
function schemaOr(codecOf: CodecOf, other: Codec): Codec {
  const writeSchema = writeTagged(1, codecOf(schemaType));
  const writeOthers = writeRepeated(2, other);
  return { wire: 2, write: (out, value) => (Array.isArray(value) ? writeOthers : writeSchema)(out, value) };
}

function schemaOrBool(codecOf: CodecOf): Codec {
  const writeSchema = writeTagged(2, codecOf(schemaType));
  const writeFlag = writeTagged(1, flag);
  const write: Write = (out, value) => {
    const isSchema = typeof value === 'object';
    if (isSchema) writeSchema(out, value);
    writeFlag(out, isSchema || value);
  };
  return { wire: 2, write };
}

const scalars: Readonly<Record<Scalar, (codecOf: CodecOf) => Codec>> = {
  string: () => text,
  int32: () => integer,
  int64: () => integer,
  bool: () => flag,
  double: () => ({ wire: 1, zero: 0, write: (out, value) => out.double(value as number) }),
  bytes: () => ({ wire: 2, write: (out, value) => out.bytes(Buffer.from(value as string, 'base64')) }),
  quantity: () => wrapping(text, '0'),
  time: instant,
  microTime: instant,
  intOrString: () => ({ wire: 2, zero: 0, write: writeIntOrString }),
  any: () => json,
  schemaOrBool,
  schemaOrArray: (codecOf) => schemaOr(codecOf, codecOf(schemaType)),
  schemaOrStrings: (codecOf) => schemaOr(codecOf, text),
};

/** Returns a writer of map entries sorted by key, each a message of key and value. */
function mapWriter(number: number, codec: Codec): Write {
  const write = writeTagged(2, codec);
  return (out, map) => {
    const keys = Object.keys(map as Fields).sort();
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const key = keys[index]!;
      const end = out.size;
      const value = (map as Fields)[key] ?? codec.zero;
      if (value !== undefined) write(out, value);
      firstText(out, key);
      out.head(number * 8 + 2, end);
    }
  };
}

function fieldWriter(number: number, { name, type, isPointer }: FieldInfo, codecOf: CodecOf): WriteField {
  if (type.is === 'map' || type.is === 'list') {
    const write = (type.is === 'map' ? mapWriter : writeRepeated)(number, codecOf(type.of));
    return (out, holder) => {
      const values = holder[name];
      if (values !== undefined && values !== null) write(out, values);
    };
  }
  const codec = codecOf(type);
  const write = writeTagged(number, codec);
  const isOptional = isPointer || (codec.zero === undefined && codec !== json);
  return (out, holder) => {
    const value = holder[name] ?? undefined;
    if (value !== undefined || !isOptional) write(out, value ?? codec.zero);
  };
}

/** Returns the writers of a message's fields, last field first. */
function writersOf({ fields, embedded }: Layout, codecOf: CodecOf): readonly WriteField[] {
  const own = [...fields].map(([number, field]) => [number, fieldWriter(number, field, codecOf)] as const);
  const below = [...embedded].map(([number, layout]) => {
    const writers = writersOf(layout, codecOf);
    const write: WriteField = (out, holder) => {
      const end = out.size;
      for (const writeField of writers) writeField(out, holder);
      out.head(number * 8 + 2, end);
    };
    return [number, write] as const;
  });
  return [...own, ...below].sort(([a], [b]) => b - a).map(([, write]) => write);
}

const nothing: Fields = {};

/** Creates an encoder of built-in types, byte for byte like Go's generated code; types are compiled on first use. */
export function createMessageEncoder(types: TypeTable): (name: string, value: Fields) => Buffer {
  const structs = new Map<string, Codec>();
  const out = new ReverseWriter();
  const structOf = (name: string): Codec => {
    const known = structs.get(name);
    if (known !== undefined) return known;
    let writers: readonly WriteField[] | undefined;
    const write: Write = (_out, value) => {
      writers ??= writersOf(layoutOf(types(name)), codecOf);
      for (const writeField of writers) writeField(out, value as Fields);
    };
    const codec: Codec = { wire: 2, zero: nothing, write };
    structs.set(name, codec);
    return codec;
  };
  const codecOf: CodecOf = (type) => {
    if (type.is === 'struct') return structOf(type.name);
    if (type.is === 'scalar') return scalars[type.scalar](codecOf);
    // A list inside a map is a message with a repeated first field.
    return { wire: 2, write: writeRepeated(1, codecOf(type.of)) };
  };
  return (name, value) => {
    out.drop();
    structOf(name).write(out, value);
    return out.take();
  };
}
