/** Equality and order of CEL values. */

import {
  CelError,
  Duration,
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
  if (a.items.length !== b.items.length) return false;
  const { keyOf } = a;
  if (keyOf === undefined) return a.items.every((item, index) => isEqual(item, b.items[index]!));
  return a.items.every((item) => b.items.some((other) => isEqual(keyOf(item), keyOf(other)) && isEqual(item, other)));
}

function sameMembers({ members: a }: MapValue, { members: b }: MapValue): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined || !isEqual(a.get(key)!, other)) return false;
  }
  return true;
}

/** Reports whether two values without members are equal; numbers are not among them. */
function isSamePlain(a: Value, b: Value): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Opaque) return b instanceof Opaque && a.type.name === b.type.name && a.text === b.text;
  return a === b;
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
  if (!(a instanceof Optional)) return isSamePlain(a, b);
  if (!(b instanceof Optional)) return false;
  return a.value === undefined || b.value === undefined ? a.value === b.value : isEqual(a.value, b.value);
}

const sign = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

function comparedNumbers(a: bigint | number, b: bigint | number): number | CelError {
  if (Number.isNaN(a) || Number.isNaN(b)) return new CelError('NaN values cannot be ordered');
  return sign<bigint | number>(a, b);
}

/** Compares two ordered values: -1, 0 or 1; an error for others. Texts are ordered by their UTF-8 bytes. */
export function compared(a: Value, b: Value): number | CelError {
  const [left, right] = [numberIn(a), numberIn(b)];
  if (left !== undefined && right !== undefined) return comparedNumbers(left, right);
  if (typeof a === 'string' && typeof b === 'string')
    return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return sign(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return sign(a.nanos, b.nanos);
  if (a instanceof Duration && b instanceof Duration) return sign(a.nanos, b.nanos);
  return noOverload;
}
