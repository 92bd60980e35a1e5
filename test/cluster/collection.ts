import type { ApiObject } from './objects/object.ts';

/** Objects of one stored kind. */
export interface Collection {
  readonly objects: Map<string, ApiObject>;
  /** Always sorted: lists need no sorting, and a namespace is a range. */
  readonly keys: string[];
}

/** Where a key is in sorted keys, or would be. */
export const lowerBound = (keys: readonly string[], key: string): number => {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Puts a new key where it belongs. */
export const insert = (keys: string[], key: string): void => {
  const last = keys[keys.length - 1];
  if (last === undefined || last < key) keys.push(key);
  else keys.splice(lowerBound(keys, key), 0, key);
};

/** Two sorted lists as one. */
export function* merged(keys: readonly string[], more: readonly string[]): Generator<string> {
  let next = 0;
  for (const key of keys) {
    while (next < more.length && more[next]! < key) yield more[next++]!;
    yield key;
  }
  yield* more.slice(next);
}

/** A collection that nobody has written to. */
export const emptyCollection: Collection = { objects: new Map(), keys: [] };

/** The first key after all that start with a prefix. */
export const afterPrefix = (prefix: string): string =>
  prefix === '' ? '\uffff' : prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
