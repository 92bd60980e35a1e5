/** Versioned object store: one revision counter and one log of changes, as etcd has. */

import { type ApiObject, type Draft, draftOf, freeze } from '../apimachinery/object.ts';
import {
  type Collection,
  copyCollection,
  emptyCollection,
  type InitialDrafts,
  keyOfLast,
  lazyCollection,
  mergeSortedKeys,
  type Page,
  type PageQuery,
  prefixEnd,
} from './collection.ts';
import { lowerBound } from './sorted-keys.ts';

/** One write. */
export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Name of the collection in the {@link Store}. */
  readonly collection: string;
  readonly key: string;
  /** State after the change; for a deletion the last state, at the revision of the deletion. */
  readonly object: ApiObject;
  /** State before the change; undefined for an addition. */
  readonly previous: ApiObject | undefined;
}

/** Options of {@link Store}. */
export interface StoreOptions {
  /** Number of changes kept for watches and for lists at former revisions. @default 10_000 */
  readonly historyLimit?: number;
  /** Initial state. @default empty */
  readonly state?: StoreState;
}

/** Content of a store at one moment. Immutable; shares its parts with the store. */
export interface StoreState {
  readonly revision: number;
  /** See {@link Store.oldest}. */
  readonly oldest: number;
  readonly collections: ReadonlyMap<string, Collection>;
  /** Collections that have not been read yet. */
  readonly initial?: ReadonlyMap<string, () => Collection>;
  readonly log: readonly Change[];
}

const emptyState: StoreState = { revision: 1, oldest: 1, collections: new Map(), log: [] };

/** Frozen objects by collection (one per stored kind). Writes are synchronous: reads and writes within one turn are one transaction. */
export class Store {
  readonly #collections: Map<string, Collection>;
  readonly #initial: Map<string, () => Collection>;
  /** Collections shared with a state that was taken: copied before a write. */
  readonly #shared: Set<Collection>;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #previousStates = new WeakMap<Change, ApiObject>();
  readonly #historyLimit: number;
  #log: Change[];
  #revision: number;
  #oldest: number;

  constructor({ historyLimit = 10_000, state = emptyState }: StoreOptions = {}) {
    this.#historyLimit = historyLimit;
    this.#collections = new Map(state.collections);
    this.#initial = new Map(state.initial);
    this.#shared = new Set(this.#collections.values());
    this.#log = [...state.log];
    this.#revision = state.revision;
    this.#oldest = state.oldest;
  }

  /** Returns the current content; the cost does not depend on the size of collections. */
  state(): StoreState {
    for (const collection of this.#collections.values()) this.#shared.add(collection);
    const { collections, log } = { collections: new Map(this.#collections), log: [...this.#log] };
    return { revision: this.#revision, oldest: this.#oldest, collections, initial: new Map(this.#initial), log };
  }

  /** Sets the initial objects of a collection, created on first read without notification; reserves `most` revisions for them now. */
  registerInitial(collection: string, most: number, drafts: InitialDrafts): void {
    const first = this.#revision + 1;
    this.#revision += most;
    this.#initial.set(collection, lazyCollection(drafts, first));
  }

  /** Notifies every listener of existing objects, as additions. */
  notifyExisting(found: readonly Pick<Change, 'collection' | 'key' | 'object'>[]): void {
    for (const one of found) {
      const change: Change = { ...one, revision: this.#revision, type: 'ADDED', previous: undefined };
      for (const listener of this.#listeners) listener(change);
    }
  }

  /** Revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** Oldest revision that lists and watches can start from. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Returns the current object, or undefined. */
  get(collection: string, key: string): ApiObject | undefined {
    return this.#collectionToRead(collection)?.objects.get(key);
  }

  /** Returns the number of objects in a collection. */
  count(collection: string): number {
    return this.#collectionToRead(collection)?.keys.size ?? 0;
  }

  /** Stores a draft at the next revision, frozen, and notifies every listener. */
  put(collection: string, key: string, draft: Draft): ApiObject {
    const objects = this.#collectionToWrite(collection);
    const previous = objects.objects.get(key);
    const object = this.#stamped(draft);
    objects.objects.set(key, object);
    if (previous === undefined) objects.keys.add(key);
    this.#append({
      revision: this.#revision,
      type: previous ? 'MODIFIED' : 'ADDED',
      collection,
      key,
      object,
      previous,
    });
    return object;
  }

  /** Removes an object at the next revision; returns its last state at that revision, or undefined if there was none. */
  remove(collection: string, key: string): ApiObject | undefined {
    const objects = this.#collectionToWrite(collection);
    const previous = objects.objects.get(key);
    if (previous === undefined) return undefined;
    const object = this.#stamped(draftOf(previous));
    objects.objects.delete(key);
    objects.keys.delete(key);
    this.#append({ revision: this.#revision, type: 'DELETED', collection, key, object, previous });
    return object;
  }

  /** Reads a page of a collection, now or at a former revision. */
  page(collection: string, query: PageQuery): Page {
    const { objects, keys } = this.#collectionToRead(collection) ?? emptyCollection;
    const { prefix, after, revision = this.#revision, limit = Number.POSITIVE_INFINITY, matches } = query;
    const undone = this.#statesAt(collection, revision);
    const first = after === undefined ? prefix : `${after}\0`;
    const stop = prefixEnd(prefix);
    const removed = [...undone.keys()].filter((key) => !objects.has(key) && key >= first && key < stop).sort();
    const found: ApiObject[] = [];
    let isFull = false;
    for (const key of mergeSortedKeys(keys.between(first, stop), removed)) {
      const object = undone.has(key) ? undone.get(key) : objects.get(key);
      if (object === undefined) continue;
      if (!isFull) {
        if (matches === undefined || matches(object)) found.push(object);
        isFull = found.length >= limit;
        continue;
      }
      const added = [...undone].filter(
        ([one, then]) => then === undefined && objects.has(one) && one >= key && one < stop,
      );
      const remaining = keys.rank(stop) - keys.rank(key) + removed.length - lowerBound(removed, key) - added.length;
      return { objects: found, last: keyOfLast(found), remaining };
    }
    return { objects: found, last: undefined, remaining: 0 };
  }

  /** Returns the changes after a revision, oldest first; undefined when that revision was compacted. */
  changesSince(revision: number): readonly Change[] | undefined {
    if (revision < this.#oldest) return undefined;
    let index = this.#log.length;
    while (index > 0 && this.#log[index - 1]!.revision > revision) index -= 1;
    return this.#log.slice(index);
  }

  /** Returns the state before a change, at its revision: the last one that a watch whose selector no longer matches sees. Cached. */
  previousAtRevision(change: Change): ApiObject {
    const known = this.#previousStates.get(change);
    if (known !== undefined) return known;
    const draft = draftOf(change.previous ?? change.object);
    draft.metadata.resourceVersion = String(change.revision);
    const former = freeze(draft) as unknown as ApiObject;
    this.#previousStates.set(change, former);
    return former;
  }

  /** Calls `listener` within every write from now on; it must not write itself. Returns a function that removes it. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets all changes up to a revision, the current one by default. */
  compact(revision = this.#revision): void {
    this.#oldest = Math.max(this.#oldest, Math.min(revision, this.#revision));
    this.#log = this.#log.filter((change) => change.revision > this.#oldest);
  }

  /** Returns a collection to read, creating its initial objects if needed. */
  #collectionToRead(name: string): Collection | undefined {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const made = this.#initial.get(name)?.();
    if (made === undefined || !this.#initial.delete(name)) return undefined;
    this.#shared.add(made);
    this.#collections.set(name, made);
    return made;
  }

  /** Returns a collection to write to, copied first if it is shared. */
  #collectionToWrite(name: string): Collection {
    const known = this.#collectionToRead(name);
    if (known !== undefined && !this.#shared.has(known)) return known;
    const made = copyCollection(known);
    if (known !== undefined) this.#shared.delete(known);
    this.#collections.set(name, made);
    return made;
  }

  #stamped(draft: Draft): ApiObject {
    this.#revision += 1;
    draft.metadata.resourceVersion = String(this.#revision);
    return freeze(draft) as unknown as ApiObject;
  }

  #append(change: Change): void {
    this.#log.push(change);
    if (this.#log.length > this.#historyLimit * 1.25) {
      this.#log = this.#log.slice(-this.#historyLimit);
      this.#oldest = this.#log[0]!.revision - 1;
    }
    for (const listener of this.#listeners) listener(change);
  }

  /** Returns the state at `revision` of each key that changed since. */
  #statesAt(collection: string, revision: number): Map<string, ApiObject | undefined> {
    const states = new Map<string, ApiObject | undefined>();
    if (revision >= this.#revision) return states;
    for (const change of this.changesSince(revision) ?? []) {
      if (change.collection === collection && !states.has(change.key)) states.set(change.key, change.previous);
    }
    return states;
  }
}
