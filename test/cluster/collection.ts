import { type ApiObject, type Draft, freeze } from './objects/object.ts';
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

/** What part of a collection to read. */
export interface PageQuery {
  /** Only keys that start so: `namespace/`; empty for all. */
  readonly prefix: string;
  /** Only keys after this one. */
  readonly after?: string;
  readonly limit?: number;
  /** The state to read; the current one by default. Must not be older than the oldest that is known. */
  readonly revision?: number;
  readonly matches?: (object: ApiObject) => boolean;
}

/** What a query found: objects in the order of their keys. */
export interface Page {
  readonly objects: readonly ApiObject[];
  /** The last key read; set when there is more. */
  readonly last: string | undefined;
  /** How many keys are left after `last`, whether they match or not. */
  readonly remaining: number;
}

function collectionOf(drafts: readonly (readonly [string, Draft])[], first: number): Collection {
  const objects = drafts.map(([key, draft], index) => {
    draft.metadata.resourceVersion = String(first + index);
    return [key, freeze(draft) as unknown as ApiObject] as const;
  });
  return { objects: new Map(objects), keys: new SortedKeys(objects.map(([key]) => key).sort()) };
}

/** Makes a collection of drafts, frozen, at revisions from the first one on; the same one every time. */
export function madeOnce(drafts: () => readonly (readonly [string, Draft])[], first: number): () => Collection {
  let made: Collection | undefined;
  return () => {
    made ??= collectionOf(drafts(), first);
    return made;
  };
}

/** The key of the last of some objects. */
export const keyOfLast = (objects: readonly ApiObject[]): string | undefined => {
  const last = objects[objects.length - 1]?.metadata;
  return last && (last.namespace === undefined ? last.name : `${last.namespace}/${last.name}`);
};
