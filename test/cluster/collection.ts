import type { ApiObject } from './objects/object.ts';
import { SortedKeys } from './sorted-keys.ts';

/** Objects of one stored kind. */
export interface Collection {
  readonly objects: Map<string, ApiObject>;
  /** Of the same objects: lists need no sorting, and a namespace is a range. */
  readonly keys: SortedKeys;
}

/** Two sorted lists as one. */
export function* merged(keys: Iterable<string>, more: readonly string[]): Generator<string> {
  let next = 0;
  for (const key of keys) {
    while (next < more.length && more[next]! < key) yield more[next++]!;
    yield key;
  }
  yield* more.slice(next);
}

/** A collection that starts with what another one holds, and goes its own way from there. */
export const collectionFrom = (other: Collection | undefined): Collection => ({
  objects: new Map(other?.objects),
  keys: new SortedKeys(other?.keys.all()),
});

/** A collection that nobody has written to. */
export const emptyCollection: Collection = collectionFrom(undefined);

/** The first key after all that start with a prefix. */
export const afterPrefix = (prefix: string): string =>
  prefix === '' ? '\uffff' : prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
