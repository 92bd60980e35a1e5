/** CEL's operators. */

import { compareValues, hasItem, isEqual, noOverload, placesOf } from '../values/compare.ts';
import { durationOf, inRange } from '../values/times.ts';
import { countWork, madeText } from '../values/uncosted-work.ts';
import {
  CelError,
  Duration,
  List,
  MapValue,
  Optional,
  shownValue,
  Timestamp,
  Uint,
  type Value,
  withEntries,
} from '../values/values.ts';

/** Implementation of a function; arguments are never errors. */
export type Implementation = (...args: Value[]) => Value;

const limit = 2n ** 63n;
const intOf = (value: bigint): Value => (value >= limit || value < -limit ? new CelError('integer overflow') : value);
const uintOf = (value: bigint): Value =>
  value < 0n || value >= 2n * limit ? new CelError('unsigned integer overflow') : new Uint(value);

interface Arithmetic {
  readonly whole: (a: bigint, b: bigint) => bigint;
  readonly broken?: (a: number, b: number) => number;
  /** Error of a zero divisor. */
  readonly zero?: string;
}

const arithmetic: Readonly<Record<string, Arithmetic>> = {
  '_+_': { whole: (a, b) => a + b, broken: (a, b) => a + b },
  '_-_': { whole: (a, b) => a - b, broken: (a, b) => a - b },
  '_*_': { whole: (a, b) => a * b, broken: (a, b) => a * b },
  '_/_': { whole: (a, b) => a / b, broken: (a, b) => a / b, zero: 'division by zero' },
  '_%_': { whole: (a, b) => a % b, zero: 'modulus by zero' },
};

/** Returns the bigints of two int or two uint values, with what makes a value of their result; undefined for other operands. */
function wholeOperands(a: Value, b: Value): readonly [bigint, bigint, (value: bigint) => Value] | undefined {
  if (typeof a === 'bigint' && typeof b === 'bigint') return [a, b, intOf];
  return a instanceof Uint && b instanceof Uint ? [a.value, b.value, uintOf] : undefined;
}

function counted(name: string, a: Value, b: Value): Value {
  const { whole, broken, zero } = arithmetic[name]!;
  if (typeof a === 'number' && typeof b === 'number' && broken !== undefined) return broken(a, b);
  const operands = wholeOperands(a, b);
  if (operands === undefined) return hasSign(name, a) ? noOverload : new CelError(`no such overload: ${name}`);
  const [left, right, made] = operands;
  return zero !== undefined && right === 0n ? new CelError(zero) : made(whole(left, right));
}

/** Reports whether the type of a value has an operator. */
function hasSign(name: string, value: Value): boolean {
  if (typeof value === 'bigint' || value instanceof Uint) return true;
  if (typeof value === 'number') return name !== '_%_';
  if (value instanceof Duration || value instanceof Timestamp) return name === '_+_' || name === '_-_';
  return name === '_+_' && (typeof value === 'string' || value instanceof Uint8Array || value instanceof List);
}

/** Concatenates lists; in sets and maps, later items replace earlier ones with the same key. */
function concatenate(a: List, b: List): List {
  const { keyOf } = a;
  if (keyOf === undefined) return a.joined(b);
  countWork(a.length + b.length);
  const items = [...a.items];
  const known = placesOf(items, keyOf);
  for (const item of b.items) {
    const key = keyOf(item);
    const index = known.find(key, (place) => isEqual(keyOf(items[place]!), key));
    if (index !== undefined) items[index] = item;
    else known.add(key, items.push(item) - 1);
  }
  return new List(items, keyOf);
}

/** Adds durations to one another and to a timestamp; undefined for other operands. */
function timeSum(a: Value, b: Value): Value | undefined {
  if (a instanceof Duration && b instanceof Duration) return durationOf(a.nanos + b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return inRange(a.nanos + b.nanos);
  return a instanceof Duration && b instanceof Timestamp ? inRange(a.nanos + b.nanos) : undefined;
}

function joinedTexts(a: string, b: string): string {
  madeText(a.length + b.length);
  return a + b;
}

function joinedBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  madeText(a.length + b.length);
  return new Uint8Array(Buffer.concat([a, b]));
}

function plus(a: Value, b: Value): Value {
  if (typeof a === 'string' && typeof b === 'string') return joinedTexts(a, b);
  if (a instanceof List && b instanceof List) return concatenate(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return joinedBytes(a, b);
  return timeSum(a, b) ?? counted('_+_', a, b);
}

function minus(a: Value, b: Value): Value {
  if (a instanceof Duration && b instanceof Duration) return durationOf(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return inRange(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Timestamp) return durationOf(a.nanos - b.nanos);
  return counted('_-_', a, b);
}

const orderOperator =
  (name: string, holds: (order: number) => boolean): Implementation =>
  (a, b) => {
    const order = compareValues(a!, b!);
    if (typeof order === 'number') return holds(order);
    const isComparable = typeof compareValues(a!, a!) === 'number';
    return order === noOverload && !isComparable ? new CelError(`no such overload: ${name}`) : order;
  };

/** Looks up an index or key; undefined when it is absent. */
export function lookUp(holder: Value, key: Value): Value | undefined {
  if (holder instanceof MapValue) return holder.members.get(key);
  if (!(holder instanceof List)) return undefined;
  const index = key instanceof Uint ? key.value : key;
  return typeof index === 'bigint' || Number.isInteger(index) ? holder.at(Number(index)) : undefined;
}

/** Looks up an index or key; an error when it is absent. */
export function indexValue(holder: Value, key: Value): Value {
  if (holder instanceof Optional) {
    const value = holder.value === undefined ? undefined : lookUp(holder.value, key);
    return new Optional(value);
  }
  const isIndex = typeof key === 'bigint' || key instanceof Uint || Number.isInteger(key);
  if (holder instanceof List && !isIndex)
    return new CelError(`unsupported index type '${typeof key === 'number' ? 'double' : typeof key}' in list`);
  const value = lookUp(holder, key);
  if (value !== undefined) return value;
  return new CelError(`${holder instanceof List ? 'index out of bounds' : 'no such key'}: ${shownValue(key)}`);
}

const contains: Implementation = (item, holder) => {
  if (holder instanceof List) return hasItem(holder.items, item!);
  return holder instanceof MapValue ? holder.members.get(item!) !== undefined : noOverload;
};

function insertEntry(map: Value, ...entry: Value[]): Value {
  if (!(map instanceof MapValue)) return noOverload;
  const [first, value] = entry;
  const added =
    first instanceof MapValue && value === undefined
      ? [...first.members.keys()].map((key) => [key, first.members.get(key)!] as const)
      : [[first!, value!] as const];
  const taken = added.find(([key]) => map.members.get(key) !== undefined);
  if (taken !== undefined) return new CelError(`insert failed: key ${shownValue(taken[0])} already exists`);
  return withEntries(map, added);
}

function negate(value: Value): Value {
  if (typeof value === 'bigint') return intOf(-value);
  if (value instanceof Duration) return durationOf(-value.nanos);
  return typeof value === 'number' ? -value : noOverload;
}

/** Operators that evaluate all their operands. */
export const operators: Readonly<Record<string, Implementation>> = {
  '_+_': (a, b) => plus(a!, b!),
  '_-_': (a, b) => minus(a!, b!),
  '_*_': (a, b) => counted('_*_', a!, b!),
  '_/_': (a, b) => counted('_/_', a!, b!),
  '_%_': (a, b) => counted('_%_', a!, b!),
  '-_': (value) => negate(value!),
  '!_': (value) => (typeof value === 'boolean' ? !value : noOverload),
  '_==_': (a, b) => isEqual(a!, b!),
  '_!=_': (a, b) => !isEqual(a!, b!),
  '_<_': orderOperator('_<_', (order) => order < 0),
  '_<=_': orderOperator('_<=_', (order) => order <= 0),
  '_>_': orderOperator('_>_', (order) => order > 0),
  '_>=_': orderOperator('_>=_', (order) => order >= 0),
  '_[_]': (holder, key) => indexValue(holder!, key!),
  '_[?_]': (holder, key) => {
    const inside = holder instanceof Optional ? holder.value : holder;
    return new Optional(inside === undefined ? undefined : lookUp(inside, key!));
  },
  '@in': contains,
  'cel.@mapInsert': (map, ...entry) => insertEntry(map!, ...entry),
};
