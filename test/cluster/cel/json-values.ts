/** Presents JSON as CEL values. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import { mapKeyOf } from '../schema/correlate.ts';
import { additionalOf, type Structural } from '../schema/structural.ts';
import { celName, withResourceFields } from './typing/decl-types.ts';
import { durationIn, timestampIn } from './values/times.ts';
import { CelError, List, MapValue, type Members, type Value } from './values/values.ts';

/** Members that are converted on first access. */
class JsonMembers implements Members {
  readonly #fields: Fields;
  readonly #make: (member: unknown) => Value | undefined;
  readonly #made = new Map<string, Value | undefined>();
  #keys: readonly string[] | undefined;

  constructor(fields: Fields, make: (member: unknown) => Value | undefined) {
    this.#fields = fields;
    this.#make = make;
  }

  get size(): number {
    return this.keys().length;
  }

  keys(): readonly string[] {
    this.#keys ??= Object.keys(this.#fields);
    return this.#keys;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    if (!Object.hasOwn(this.#fields, key) || this.#fields[key] === undefined) return undefined;
    if (!this.#made.has(key)) this.#made.set(key, this.#make(this.#fields[key]));
    return this.#made.get(key);
  }
}

/** Properties of an object by their escaped names; null counts as absent. */
class ObjectMembers implements Members {
  readonly #schema: Structural;
  readonly #fields: Fields;
  readonly #made = new Map<string, Value>();
  #keys: readonly string[] | undefined;
  #size: number | undefined;

  constructor(schema: Structural, fields: Fields) {
    this.#schema = schema;
    this.#fields = fields;
  }

  get size(): number {
    this.#size ??= Object.keys(this.#fields).length;
    return this.#size;
  }

  keys(): readonly string[] {
    this.#keys ??= this.#names();
    return this.#keys;
  }

  #names(): readonly string[] {
    const known = Object.keys(this.#fields).filter((name) => Object.hasOwn(this.#schema.properties!, name));
    return known.map((name) => celName(name) ?? name);
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const name = propertyOf(this.#schema, key);
    const member = name === undefined ? undefined : this.#fields[name];
    if (member === undefined || member === null) return undefined;
    const value = typedValue(this.#schema.properties![name!]!, member);
    this.#made.set(key, value);
    return value;
  }
}

/** Wraps a function of schemas with its results. */
function keeping<T>(make: (schema: Structural) => T): (schema: Structural) => T {
  const kept = new WeakMap<Structural, T>();
  return (schema) => {
    const known = kept.get(schema);
    if (known !== undefined) return known;
    const made = make(schema);
    kept.set(schema, made);
    return made;
  };
}

/** Returns the properties of a schema by their escaped names. */
const escapedNamesOf = keeping((schema) => {
  const names = new Map<string, string>();
  for (const name of Object.keys(schema.properties ?? {})) {
    const escaped = celName(name);
    if (escaped === undefined) continue;
    const bare = /^__(.+)__$/s.exec(escaped)?.[1];
    for (const key of [escaped, bare]) if (key !== undefined && !names.has(key)) names.set(key, name);
  }
  return names;
});

/** Returns the property of an escaped name. */
function propertyOf(schema: Structural, key: string): string | undefined {
  if (celName(key) === key && Object.hasOwn(schema.properties ?? {}, key)) return key;
  return escapedNamesOf(schema).get(key);
}

/** Converts a JSON value without a schema: whole numbers become ints. */
export function freeValue(value: unknown): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return new List(value.map(freeValue));
  if (isFields(value)) return new MapValue(new JsonMembers(value, freeValue));
  return (value ?? null) as Value;
}

type Reader = (text: string) => Value | undefined;

const base64: Reader = (text) => new Uint8Array(Buffer.from(text, 'base64'));

const readers: Readonly<Record<string, Reader>> = {
  byte: base64,
  date: (text) => timestampIn(`${text}T00:00:00Z`),
  'date-time': (text) => timestampIn(text.replace(/^(\d{4}-\d\d-\d\d)[ t]/, '$1T').replace(/z$/, 'Z')),
  duration: durationIn,
};

function textValue({ format = '' }: Structural, text: string): Value {
  const read = Object.hasOwn(readers, format) ? readers[format] : undefined;
  return read === undefined ? text : (read(text) ?? new CelError(`Invalid ${format} ${text}`));
}

function listValue(schema: Structural, list: readonly unknown[]): Value {
  const { items } = schema;
  if (items === undefined) return freeValue(list);
  const values = list.map((item) => typedValue(items, item));
  const kind = schema['x-kubernetes-list-type'];
  if (kind === 'set') return new List(values, (item) => item);
  if (kind !== 'map') return new List(values);
  const keys = new Map(values.map((value, index) => [value, freeValue(mapKeyOf(schema, list[index]))] as const));
  const names = (schema['x-kubernetes-list-map-keys'] ?? []).map((name) => celName(name) ?? name);
  const keyOf = (item: Value): Value =>
    keys.get(item) ??
    new List(names.map((name) => (item instanceof MapValue ? (item.members.get(name) ?? null) : null)));
  return new List(values, keyOf);
}

function objectValue(described: Structural, fields: Fields): Value {
  const isResource = described['x-kubernetes-embedded-resource'] === true;
  const schema = isResource ? withResourceFields(described) : described;
  if (schema.properties === undefined || additionalOf(schema) !== undefined) {
    const additional = additionalOf(schema);
    return new MapValue(
      new JsonMembers(fields, (member) => (additional === undefined ? undefined : typedValue(additional, member))),
    );
  }
  return new MapValue(new ObjectMembers(schema, fields));
}

/** Converts a JSON value by its schema: formats become times and the like, property names are escaped. */
export function typedValue(schema: Structural, value: unknown): Value {
  if (value === null || value === undefined) {
    return schema.nullable === true ? null : new CelError('invalid data, got null for schema with nullable=false');
  }
  if (schema['x-kubernetes-int-or-string'] === true) return freeValue(value);
  if (Array.isArray(value)) return listValue(schema, value);
  if (isFields(value)) return objectValue(schema, value);
  if (typeof value === 'string') return textValue(schema, value);
  if (typeof value === 'number') return schema.type === 'integer' ? BigInt(Math.trunc(value)) : value;
  return value as boolean;
}
