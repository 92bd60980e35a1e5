/** CEL's values. */

import type { Type } from '../typing/cel-type.ts';
import { charactersOf } from './characters.ts';
import { type Items, JoinedItems } from './concatenated-list.ts';
import { countWork } from './uncosted-work.ts';

/** Evaluation error; it propagates through everything but `&&`, `||` and their macros. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Unsigned 64-bit integer. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Timestamp in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** Duration in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** Type as a value. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Optional value. */
export class Optional {
  readonly value: Value | undefined;

  constructor(value?: Value) {
    this.value = value;
  }
}

/** List; in list-sets and list-maps the order does not count. */
export class List {
  readonly #items: Items<Value>;
  /** Key that identifies items in lists that are sets or maps. */
  readonly keyOf: ((item: Value) => Value) | undefined;

  constructor(items: Items<Value>, keyOf?: (item: Value) => Value) {
    this.#items = items;
    this.keyOf = keyOf;
  }

  get items(): readonly Value[] {
    return this.#items instanceof JoinedItems ? this.#items.all : this.#items;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Returns an item; undefined beyond the ends. */
  at(index: number): Value | undefined {
    return index < 0 ? undefined : this.#items instanceof JoinedItems ? this.#items.at(index) : this.#items[index];
  }

  /** Returns a list of the items of this one and another. */
  joined(other: List): List {
    return new List(new JoinedItems(this.#items, other.#items));
  }
}

/** Members of a map or object. */
export interface Members {
  readonly size: number;
  keys(): Iterable<Value>;
  get(key: Value): Value | undefined;
}

/** Map or object. */
export class MapValue {
  readonly members: Members;

  constructor(members: Members) {
    this.members = members;
  }
}

/** Value of a Kubernetes library type, accessible only to its functions. */
export class Opaque {
  readonly type: Type;
  readonly content: unknown;
  /** Text that identifies the value within its type. */
  readonly text: string;

  constructor(type: Type, content: unknown, text: string) {
    this.type = type;
    this.content = content;
    this.text = text;
  }
}

/** Value of an expression. */
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

/** Returns the name of a value's type, as `type()` does. */
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

/** Formats a value as in messages. */
export function shownValue(value: Value): string {
  if (value instanceof Uint) return String(value.value);
  if (value instanceof TypeValue) return value.name;
  return typeof value === 'object' && value !== null ? typeNameOf(value) : String(value);
}

/** Returns a text that is the same for equal scalars. */
export const keyText = (key: Value): string => {
  const number = key instanceof Uint ? key.value : key;
  if (typeof number === 'number' && Number.isInteger(number)) return `n${BigInt(number)}`;
  return typeof number === 'bigint' ? `n${number}` : `${typeof number}${String(number)}`;
};

/** Returns a map of entries; the last one of a key wins. */
export function mapOfEntries(entries: Iterable<readonly [Value, Value]>): MapValue {
  const known = new Map<string, readonly [Value, Value]>();
  for (const entry of entries) known.set(keyText(entry[0]), entry);
  return new MapValue(new EntryMembers(known));
}

/** Entries of a map, the first `size` of those known; maps that are made of one another by adding share them. */
class EntryMembers implements Members {
  readonly size: number;
  readonly #known: Map<string, readonly [Value, Value, number?]>;

  constructor(known: Map<string, readonly [Value, Value, number?]>) {
    this.size = known.size;
    this.#known = known;
  }

  *keys(): Iterable<Value> {
    let left = this.size;
    for (const [key] of this.#known.values()) {
      if (left === 0) return;
      left -= 1;
      yield key;
    }
  }

  get(key: Value): Value | undefined {
    const [, value, place = 0] = this.#known.get(keyText(key)) ?? [];
    return place < this.size ? value : undefined;
  }

  /** Returns these members and others, whose keys are not among them. */
  with(added: Iterable<readonly [Value, Value]>): EntryMembers {
    const isLast = this.#known.size === this.size;
    const known = isLast ? this.#known : new Map([...this.#known].slice(0, this.size));
    if (!isLast) countWork(this.size);
    for (const [key, value] of added) known.set(keyText(key), [key, value, known.size]);
    return new EntryMembers(known);
  }
}

/** Adds entries, whose keys a map does not have. */
export function withEntries({ members }: MapValue, added: readonly (readonly [Value, Value])[]): MapValue {
  if (members instanceof EntryMembers) return new MapValue(members.with(added));
  return mapOfEntries([...[...members.keys()].map((key) => [key, members.get(key)!] as const), ...added]);
}

/** Returns the number of characters, bytes, items or members; undefined for values without a size. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string') return charactersOf(value).length;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof List) return value.length;
  return value instanceof MapValue ? value.members.size : undefined;
}
