/** Objects of one stored kind, sorted by key, and pages of them. */

import { type ApiObject, type Draft, freeze } from '../apimachinery/object.ts';
import { SortedKeys } from './sorted-keys.ts';

/** Objects of one stored kind. */
export interface Collection {
  readonly objects: Map<string, ApiObject>;
  /** Sorted keys of `objects`: lists need no sorting, and a namespace is a range. */
  readonly keys: SortedKeys;
}

/** Merges two sorted lists of keys. */
export function* mergeSortedKeys(keys: Iterable<string>, more: readonly string[]): Generator<string> {
  let next = 0;
  for (const key of keys) {
    while (next < more.length && more[next]! < key) yield more[next++]!;
    yield key;
  }
  yield* more.slice(next);
}

/** Copies a collection; later writes to one do not affect the other. */
export const copyCollection = (other: Collection | undefined): Collection => ({
  objects: new Map(other?.objects),
  keys: new SortedKeys(other?.keys.all()),
});

/** Collection without objects, never written to. */
export const emptyCollection: Collection = copyCollection(undefined);

/** Returns the least key greater than all keys with a prefix. */
export const prefixEnd = (prefix: string): string =>
  prefix === '' ? '\uffff' : prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

/** Part of a collection to read. */
export interface PageQuery {
  /** Prefix of the keys to read, such as `namespace/`; empty for all. */
  readonly prefix: string;
  /** Only keys greater than this one. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  /** Revision to read at; the current one by default. Must not be older than the store's oldest. */
  readonly revision?: number;
  readonly matches?: ((object: ApiObject) => boolean) | undefined;
}

/** Result of a query: objects in the order of their keys. */
export interface Page {
  readonly objects: readonly ApiObject[];
  /** Last key read; undefined when there are no more. */
  readonly last: string | undefined;
  /** Number of keys after `last`, matching or not. */
  readonly remaining: number;
}

function collectionOf(drafts: readonly (readonly [string, Draft])[], first: number): Collection {
  const objects = drafts.map(([key, draft], index) => {
    draft.metadata.resourceVersion = String(first + index);
    return [key, freeze(draft) as unknown as ApiObject] as const;
  });
  return { objects: new Map(objects), keys: new SortedKeys(objects.map(([key]) => key).sort()) };
}

/** Makes the initial objects of a collection, each with its key. */
export type InitialDrafts = () => readonly (readonly [key: string, draft: Draft])[];

/** Returns a memoized function that freezes drafts into a collection, with revisions counted up from `first`. */
export function lazyCollection(drafts: InitialDrafts, first: number): () => Collection {
  let made: Collection | undefined;
  return () => {
    made ??= collectionOf(drafts(), first);
    return made;
  };
}

/** Returns the store key of the last of some objects. */
export const keyOfLast = (objects: readonly ApiObject[]): string | undefined => {
  const last = objects[objects.length - 1]?.metadata;
  return last && (last.namespace === undefined ? last.name : `${last.namespace}/${last.name}`);
};
