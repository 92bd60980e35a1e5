import {
  afterPrefix,
  type Collection,
  collectionFrom,
  emptyCollection,
  keyOfLast,
  madeOnce,
  merged,
  type Page,
  type PageQuery,
} from './collection.ts';
import { type ApiObject, type Draft, draftOf, freeze } from './objects/object.ts';
import { lowerBound } from './sorted-keys.ts';

/** One write, in the order of all writes. */
export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Which collection: see {@link Store}. */
  readonly collection: string;
  readonly key: string;
  /** The state after the change; of a deletion the last state, at the revision of the deletion. */
  readonly object: ApiObject;
  /** The state before; undefined when it was added. */
  readonly previous: ApiObject | undefined;
}

/** How {@link Store} is set up. */
export interface StoreOptions {
  /** How many changes are kept for watches and for lists of former states. @default 10_000 */
  readonly historyLimit?: number;
  /** What it starts with. @default nothing */
  readonly state?: StoreState;
}

/** Everything that a store holds at one moment. It shares its parts with the store and never changes. */
export interface StoreState {
  readonly revision: number;
  /** See {@link Store.oldest}. */
  readonly oldest: number;
  readonly collections: ReadonlyMap<string, Collection>;
  /** Collections that nobody has looked into yet. */
  readonly seeds?: ReadonlyMap<string, () => Collection>;
  readonly log: readonly Change[];
}

const emptyState: StoreState = { revision: 1, oldest: 1, collections: new Map(), log: [] };

/**
 * The truth: frozen objects in collections (one per stored kind), one revision counter and one log of changes for all.
 * Knows nothing of HTTP, kinds or rules. Writes are synchronous: what is read and written in one turn is one transaction.
 */
export class Store {
  readonly #collections: Map<string, Collection>;
  readonly #seeds: Map<string, () => Collection>;
  /** What a state that was taken shares with us: copied before it is written to. */
  readonly #shared: Set<Collection>;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #formers = new WeakMap<Change, ApiObject>();
  readonly #historyLimit: number;
  #log: Change[];
  #revision: number;
  #oldest: number;

  constructor({ historyLimit = 10_000, state = emptyState }: StoreOptions = {}) {
    this.#historyLimit = historyLimit;
    this.#collections = new Map(state.collections);
    this.#seeds = new Map(state.seeds);
    this.#shared = new Set(this.#collections.values());
    this.#log = [...state.log];
    this.#revision = state.revision;
    this.#oldest = state.oldest;
  }

  /** Everything it holds now; takes no longer for large collections than for small ones. */
  state(): StoreState {
    for (const collection of this.#collections.values()) this.#shared.add(collection);
    const { collections, log } = { collections: new Map(this.#collections), log: [...this.#log] };
    return { revision: this.#revision, oldest: this.#oldest, collections, seeds: new Map(this.#seeds), log };
  }

  /** Has a collection start with these objects, at revisions that are taken now, as many as `most`; they are made when it is first looked into, and nobody is told. */
  sow(collection: string, most: number, drafts: () => readonly (readonly [key: string, draft: Draft])[]): void {
    const first = this.#revision + 1;
    this.#revision += most;
    this.#seeds.set(collection, madeOnce(drafts, first));
  }

  /** Tells every listener of objects that are here already, as if they had just been added. */
  announce(found: readonly Pick<Change, 'collection' | 'key' | 'object'>[]): void {
    for (const one of found) {
      const change: Change = { ...one, revision: this.#revision, type: 'ADDED', previous: undefined };
      for (const listener of this.#listeners) listener(change);
    }
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision whose state and later changes can still be told. */
  get oldest(): number {
    return this.#oldest;
  }

  /** The current object, or undefined. */
  get(collection: string, key: string): ApiObject | undefined {
    return this.#held(collection)?.objects.get(key);
  }

  /** How many objects a collection holds. */
  count(collection: string): number {
    return this.#held(collection)?.keys.size ?? 0;
  }

  /** Stores a draft at the next revision, frozen, and tells every listener. */
  put(collection: string, key: string, draft: Draft): ApiObject {
    const objects = this.#collection(collection);
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

  /** Removes an object at the next revision; answers its last state at that revision, or undefined when there is none. */
  remove(collection: string, key: string): ApiObject | undefined {
    const objects = this.#collection(collection);
    const previous = objects.objects.get(key);
    if (previous === undefined) return undefined;
    const object = this.#stamped(draftOf(previous));
    objects.objects.delete(key);
    objects.keys.delete(key);
    this.#append({ revision: this.#revision, type: 'DELETED', collection, key, object, previous });
    return object;
  }

  /** Part of a collection, now or at a former revision. */
  page(collection: string, query: PageQuery): Page {
    const { objects, keys } = this.#held(collection) ?? emptyCollection;
    const { prefix, after, revision = this.#revision, limit = Number.POSITIVE_INFINITY, matches } = query;
    const undone = this.#undone(collection, revision);
    const first = after === undefined ? prefix : `${after}\0`;
    const stop = afterPrefix(prefix);
    const removed = [...undone.keys()].filter((key) => !objects.has(key) && key >= first && key < stop).sort();
    const found: ApiObject[] = [];
    let isFull = false;
    for (const key of merged(keys.between(first, stop), removed)) {
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

  /** The changes after a revision, oldest first; undefined when they are no longer known. */
  changesSince(revision: number): readonly Change[] | undefined {
    if (revision < this.#oldest) return undefined;
    let index = this.#log.length;
    while (index > 0 && this.#log[index - 1]!.revision > revision) index -= 1;
    return this.#log.slice(index);
  }

  /** The state before a change, at the revision of the change: what those see whose selector the object has left. The same object every time. */
  formerOf(change: Change): ApiObject {
    const known = this.#formers.get(change);
    if (known !== undefined) return known;
    const draft = draftOf(change.previous ?? change.object);
    draft.metadata.resourceVersion = String(change.revision);
    const former = freeze(draft) as unknown as ApiObject;
    this.#formers.set(change, former);
    return former;
  }

  /** Calls `listener` with every change from now on, within the write. It must not write itself. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets all changes up to a revision, the current one by default. */
  compact(revision = this.#revision): void {
    this.#oldest = Math.max(this.#oldest, Math.min(revision, this.#revision));
    this.#log = this.#log.filter((change) => change.revision > this.#oldest);
  }

  /** A collection to read; what it starts with is made now. */
  #held(name: string): Collection | undefined {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const made = this.#seeds.get(name)?.();
    if (made === undefined || !this.#seeds.delete(name)) return undefined;
    this.#shared.add(made);
    this.#collections.set(name, made);
    return made;
  }

  /** A collection to write to. */
  #collection(name: string): Collection {
    const known = this.#held(name);
    if (known !== undefined && !this.#shared.has(known)) return known;
    const made = collectionFrom(known);
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

  /** What each key that changed after `revision` held then. */
  #undone(collection: string, revision: number): Map<string, ApiObject | undefined> {
    const states = new Map<string, ApiObject | undefined>();
    if (revision >= this.#revision) return states;
    for (const change of this.changesSince(revision) ?? []) {
      if (change.collection === collection && !states.has(change.key)) states.set(change.key, change.previous);
    }
    return states;
  }
}
