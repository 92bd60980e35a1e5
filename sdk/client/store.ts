import { type KubeObject, keyOf, type ObjectKey } from '../api/object.ts';
import { type IndexValues, StoreIndex } from './store-index.ts';
import { hasReached, isOlder } from './version.ts';

/** What happened to one object. `object` is its state now; of a deleted one, the last that is known. */
export interface Change<T extends KubeObject> {
  readonly type: 'added' | 'updated' | 'deleted';
  /** `namespace/name`, see {@link keyOf}. */
  readonly key: string;
  readonly object: T;
  /** Its state before; absent for an added one. */
  readonly previous?: T;
  /** Told by a list, not by a watch: it may stand for several changes. */
  readonly listed?: true;
}

/** What everybody may ask a store. All answers are frozen and at once: nothing here asks the server. */
export interface StoreReader<T extends KubeObject> {
  readonly size: number;
  /** Every change up to this resourceVersion is in the store; undefined before the first list. */
  readonly version: string | undefined;
  get(key: ObjectKey): T | undefined;
  /** All objects, or those of one namespace. */
  list(namespace?: string): readonly T[];
  /** The objects an index holds under a value; `namespace` and `owner` (by uid) are always there. @throws TypeError for an unknown index */
  by(index: string, value: string): readonly T[];
  /** The keys of all objects. */
  keys(): Iterable<string>;
}

export interface StoreOptions<T extends KubeObject> {
  /** What is kept of an object. Must keep apiVersion, kind, and name, namespace, uid and resourceVersion of its metadata. @default all but managedFields */
  readonly project?: (object: T) => T;
  /** Further indexes, built when first asked for. */
  readonly indexes?: Readonly<Record<string, IndexValues<T>>>;
}

/** A full list on its way into a store: nothing of it shows before {@link Relist.commit}. */
export interface Relist<T extends KubeObject> {
  add(object: T): void;
  remove(object: T): void;
  /** Whether the list is older than what the store has seen already. */
  isOlder(version: string): boolean;
  /** Makes the store hold just this list, read at `version`: what is missing from it is a deletion, told with the last known state. */
  commit(version: string): readonly Change<T>[];
}

const freeze = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
};

const withoutManagedFields = <T extends KubeObject>(object: T): T => {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

const identity = ['name', 'namespace', 'uid', 'resourceVersion'] as const;
const builtIn: Readonly<Record<string, IndexValues<KubeObject>>> = {
  namespace: ({ metadata }) => [metadata.namespace ?? ''],
  owner: ({ metadata }) => metadata.ownerReferences?.map(({ uid }) => uid) ?? [],
};

/**
 * The objects of one kind, as the server last told.
 *
 * # Guarantees
 * An object never goes back to an older version, and one that was deleted does not come back by a late event.
 * An object made again under its old name is told as a deletion and an addition.
 * Each function returns the changes it made, in order; none is told twice.
 */
export class Store<T extends KubeObject> implements StoreReader<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, StoreIndex<T>>();
  readonly #options: StoreOptions<T>;
  #version: string | undefined;

  constructor(options: StoreOptions<T> = {}) {
    this.#options = options;
  }

  get size(): number {
    return this.#objects.size;
  }

  get version(): string | undefined {
    return this.#version;
  }

  get(key: ObjectKey): T | undefined {
    return this.#objects.get(keyOf(key));
  }

  list(namespace?: string): readonly T[] {
    return namespace === undefined ? [...this.#objects.values()] : this.by('namespace', namespace);
  }

  by(index: string, value: string): readonly T[] {
    return (this.#indexes.get(index) ?? this.#build(index)).find(value);
  }

  keys(): Iterable<string> {
    return this.#objects.keys();
  }

  /** Takes one event of a watch in. Events must come in the order of the watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): readonly Change<T>[] {
    const key = keyOf(object.metadata);
    const known = this.#objects.get(key);
    const stale = this.#isStale(object, known);
    this.advance(object.metadata.resourceVersion);
    if (stale) return [];
    if (type === 'DELETED') return this.#set(key, undefined, this.#keep(object));
    return this.#isSame(object, known) ? [] : this.#set(key, this.#keep(object));
  }

  /** Notes that every change up to `version` has been told (a bookmark). Never goes back. */
  advance(version: string | undefined): void {
    if (version !== undefined && !isOlder(version, this.#version)) this.#version = version;
  }

  /** Starts a full list. */
  relist(): Relist<T> {
    const listed = new Map<string, T>();
    return {
      add: (object) => listed.set(keyOf(object.metadata), this.#keep(object)),
      remove: (object) => listed.delete(keyOf(object.metadata)),
      isOlder: (version) => isOlder(version, this.#version),
      commit: (version) => {
        const gone = [...this.#objects.keys()].filter((key) => !listed.has(key));
        const deleted = gone.flatMap((key) => this.#set(key, undefined));
        const changed = [...listed].filter(([key, object]) => !this.#isSame(object, this.#objects.get(key)));
        this.#version = version;
        const changes = [...deleted, ...changed.flatMap(([key, object]) => this.#set(key, object))];
        return changes.map((change) => ({ ...change, listed: true }));
      },
    };
  }

  #isStale({ metadata: { resourceVersion } }: T, known: T | undefined): boolean {
    return known === undefined
      ? hasReached(this.#version, resourceVersion)
      : isOlder(resourceVersion, known.metadata.resourceVersion);
  }

  #isSame({ metadata }: T, known: T | undefined): boolean {
    return known?.metadata.uid === metadata.uid && known?.metadata.resourceVersion === metadata.resourceVersion;
  }

  /** Puts `object` (none: a deletion, told with the state `last`) in the place of what is known. */
  #set(key: string, object: T | undefined, last?: T): readonly Change<T>[] {
    const previous = this.#objects.get(key);
    if (object === undefined) this.#objects.delete(key);
    else this.#objects.set(key, object);
    for (const index of this.#indexes.values()) index.move(key, previous, object);
    if (object === undefined)
      return previous === undefined ? [] : [{ type: 'deleted', key, object: last ?? previous, previous }];
    if (previous === undefined) return [{ type: 'added', key, object }];
    if (previous.metadata.uid === object.metadata.uid) return [{ type: 'updated', key, object, previous }];
    return [
      { type: 'deleted', key, object: previous, previous },
      { type: 'added', key, object },
    ];
  }

  #keep(object: T): T {
    const slim = withoutManagedFields(object);
    const kept = this.#options.project?.(slim) ?? slim;
    const lost = identity.find((field) => kept.metadata?.[field] !== object.metadata[field]);
    if (lost !== undefined)
      throw new TypeError(`the projection of ${object.kind} ${keyOf(object.metadata)} must keep metadata.${lost}`);
    freeze(kept);
    return kept;
  }

  #build(name: string): StoreIndex<T> {
    const valuesOf = this.#options.indexes?.[name] ?? builtIn[name];
    if (valuesOf === undefined) {
      const known = [...Object.keys(builtIn), ...Object.keys(this.#options.indexes ?? {})];
      throw new TypeError(`no index ${JSON.stringify(name)}; known are ${known.join(', ')}`);
    }
    const index = new StoreIndex<T>(valuesOf);
    for (const [key, object] of this.#objects) index.move(key, undefined, object);
    this.#indexes.set(name, index);
    return index;
  }
}
