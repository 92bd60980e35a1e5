import type { Type } from './cel-type.ts';

/** What went wrong in an evaluation; it is passed on by everything but `&&`, `||` and their macros. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A whole number of 64 bits without a sign. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A moment, in billionths of a second since 1970. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A span of time, in billionths of a second. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A type as a value. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value that may not be there. */
export class Optional {
  readonly value: Value | undefined;

  constructor(value?: Value) {
    this.value = value;
  }
}

/** A list; of some kinds of lists the order does not count. */
export class List {
  readonly items: readonly Value[];
  /** What makes two items one, for lists that are sets or maps in truth. */
  readonly keyOf: ((item: Value) => Value) | undefined;

  constructor(items: readonly Value[], keyOf?: (item: Value) => Value) {
    this.items = items;
    this.keyOf = keyOf;
  }
}

/** What is in a map or an object. */
export interface Members {
  readonly size: number;
  keys(): Iterable<Value>;
  get(key: Value): Value | undefined;
}

/** A map, or an object. */
export class MapValue {
  readonly members: Members;

  constructor(members: Members) {
    this.members = members;
  }
}

/** A value of one of Kubernetes' own types, which only that type's functions look into. */
export class Opaque {
  readonly type: Type;
  readonly content: unknown;
  /** What tells it from others of its type. */
  readonly text: string;

  constructor(type: Type, content: unknown, text: string) {
    this.type = type;
    this.content = content;
    this.text = text;
  }
}

/** A value of an expression. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelError
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | List
  | MapValue
  | Opaque;

/** What a value is of, by the name that `type()` has for it. */
export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value instanceof Opaque) return value.type.name;
  return classNames.find(([type]) => value instanceof type)![1];
}

const classNames: readonly (readonly [new (...args: never[]) => unknown, string])[] = [
  [Uint8Array, 'bytes'],
  [Uint, 'uint'],
  [List, 'list'],
  [MapValue, 'map'],
  [Timestamp, 'google.protobuf.Timestamp'],
  [Duration, 'google.protobuf.Duration'],
  [Optional, 'optional_type'],
  [TypeValue, 'type'],
  [CelError, 'error'],
];

/** A value as messages show it. */
export function shownValue(value: Value): string {
  if (value instanceof Uint) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  return typeof value === 'object' && value !== null ? typeNameOf(value) : String(value);
}

const keyText = (key: Value): string => {
  const number = key instanceof Uint ? key.value : key;
  if (typeof number === 'number' && Number.isInteger(number)) return `n${BigInt(number)}`;
  return typeof number === 'bigint' ? `n${number}` : `${typeof number}${String(number)}`;
};

/** A map of given entries; the last of several with one key counts. */
export function mapOfEntries(entries: Iterable<readonly [Value, Value]>): MapValue {
  const known = new Map<string, readonly [Value, Value]>();
  for (const entry of entries) known.set(keyText(entry[0]), entry);
  return new MapValue({
    size: known.size,
    keys: () => [...known.values()].map(([key]) => key),
    get: (key) => known.get(keyText(key))?.[1],
  });
}

/** How many characters, bytes, items or members a value has; undefined for those that have no size. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof List) return value.items.length;
  return value instanceof MapValue ? value.members.size : undefined;
}
