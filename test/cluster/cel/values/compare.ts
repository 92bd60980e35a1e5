/** Equality and order of CEL values. */

import { countWork, readText } from './uncosted-work.ts';
import {
  CelError,
  Duration,
  keyText,
  List,
  MapValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts';

/** Error of a call without a matching overload. */
export const noOverload = new CelError('no such overload');

/** Returns a numeric value as a JavaScript number or bigint; undefined for others. */
const numberIn = (value: Value): bigint | number | undefined => {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
};

function sameItems(a: List, b: List): boolean {
  if (a.length !== b.length) return false;
  countWork(a.length);
  const { keyOf } = a;
  if (keyOf === undefined) return a.items.every((item, index) => isEqual(item, b.items[index]!));
  const places = placesOf(b.items, keyOf);
  return a.items.every((item) => {
    const isSame = (place: number) => isEqual(keyOf(item), keyOf(b.items[place]!)) && isEqual(item, b.items[place]!);
    return places.find(keyOf(item), isSame) !== undefined;
  });
}

/** Places of items by their keys. */
interface Places {
  find(key: Value, isWanted: (place: number) => boolean): number | undefined;
  add(key: Value, place: number): void;
}

/** Returns a text that is the same for equal values. */
function hashOf(value: Value): string {
  if (value instanceof List) return `[${value.items.map(hashOf).join('\0')}]`;
  if (value instanceof MapValue) return `{${value.members.size}}`;
  return typeof value === 'object' && !(value instanceof Uint) ? '' : keyText(value);
}

/** Returns the places of items by their keys. */
export function placesOf(items: readonly Value[], keyOf: (item: Value) => Value): Places {
  const places = new Map<string, number[]>();
  const add = (key: Value, place: number): void => {
    const hash = hashOf(key);
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [place]);
    else known.push(place);
  };
  for (const [place, item] of items.entries()) add(keyOf(item), place);
  const find = (key: Value, isWanted: (place: number) => boolean) =>
    places.get(hashOf(key))?.find((place) => {
      countWork(1);
      return isWanted(place);
    });
  return { find, add };
}

function sameMembers({ members: a }: MapValue, { members: b }: MapValue): boolean {
  if (a.size !== b.size) return false;
  countWork(a.size);
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined || !isEqual(a.get(key)!, other)) return false;
  }
  return true;
}

function comparedBytes(a: Uint8Array, b: Uint8Array): number {
  readText(Math.min(a.length, b.length));
  return Buffer.compare(a, b);
}

function isSameText(a: string, b: Value): boolean {
  if (typeof b !== 'string' || a.length !== b.length) return false;
  readText(a.length);
  return a === b;
}

/** Reports whether two values without members are equal; numbers are not among them. */
function isSamePlain(a: Value, b: Value): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && comparedBytes(a, b) === 0;
  if (a instanceof Timestamp || a instanceof Duration) return comparedTimes(a, b) === 0;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Opaque) return b instanceof Opaque && a.type.name === b.type.name && a.text === b.text;
  return a === b;
}

function isSameOptional({ value: a }: Optional, { value: b }: Optional): boolean {
  return a === undefined || b === undefined ? a === b : isEqual(a, b);
}

/** Reports whether two values are equal; only numbers are equal across types. */
export function isEqual(a: Value, b: Value): boolean {
  const number = numberIn(a);
  if (number !== undefined) {
    const other = numberIn(b);
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint is to equal the number of its size.
    return other !== undefined && number == other;
  }
  if (a instanceof List) return b instanceof List && sameItems(a, b);
  if (a instanceof MapValue) return b instanceof MapValue && sameMembers(a, b);
  if (a instanceof Optional) return b instanceof Optional && isSameOptional(a, b);
  return typeof a === 'string' ? isSameText(a, b) : isSamePlain(a, b);
}

const sign = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

function comparedNumbers(a: bigint | number, b: bigint | number): number | CelError {
  if (Number.isNaN(a) || Number.isNaN(b)) return new CelError('NaN values cannot be ordered');
  return sign<bigint | number>(a, b);
}

/** Returns the place of a UTF-16 unit in the order of UTF-8, where surrogate pairs come last. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

function comparedTexts(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  countWork(1);
  readText(at);
  return at === shorter ? sign(a.length, b.length) : sign(rankOf(a.charCodeAt(at)), rankOf(b.charCodeAt(at)));
}

/** Compares two timestamps or two durations; undefined for other values. */
function comparedTimes(a: Value, b: Value): number | undefined {
  if (a instanceof Timestamp && b instanceof Timestamp) return sign(a.nanos, b.nanos);
  return a instanceof Duration && b instanceof Duration ? sign(a.nanos, b.nanos) : undefined;
}

/** Compares two ordered values: -1, 0 or 1; an error for others. Texts are ordered by their UTF-8 bytes. */
export function compareValues(a: Value, b: Value): number | CelError {
  const [left, right] = [numberIn(a), numberIn(b)];
  if (left !== undefined && right !== undefined) return comparedNumbers(left, right);
  if (typeof a === 'string' && typeof b === 'string') return comparedTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return sign(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return comparedBytes(a, b);
  return comparedTimes(a, b) ?? noOverload;
}

/** Reports whether a list has an item that is equal to a value. */
export function hasItem(items: readonly Value[], wanted: Value): boolean {
  const place = items.findIndex((item) => isEqual(item, wanted));
  countWork(place === -1 ? items.length : place + 1);
  return place !== -1;
}
