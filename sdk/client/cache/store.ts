/** In-memory cache of one kind's objects, as last seen on the server. */

import { type KubeObject, keyOf, type ObjectKey } from '../../api/object.ts';
import { nodeUtil } from '../../node-builtins.ts';
import { hasReached, isOlder } from './resource-version.ts';
import { type IndexValues, StoreIndex } from './store-index.ts';

/** Change of one object. `object` is its current state; of a deleted one, the last known state. */
export interface Change<T extends KubeObject> {
  readonly type: 'added' | 'updated' | 'deleted';
  /** `namespace/name`, see {@link keyOf}. */
  readonly key: string;
  readonly object: T;
  /** Previous state; absent for an added object. */
  readonly previous?: T;
  /** Set when the change came from a list, not from a watch: it may combine several changes. */
  readonly listed?: true;
}

/** Read side of a store. Results are frozen and immediate: no request is made. */
export interface StoreReader<T extends KubeObject> {
  readonly size: number;
  /** Version up to which all changes are in the store; undefined before the first list. */
  readonly version: string | undefined;
  get(key: ObjectKey): T | undefined;
  /** Returns all objects, or those of one namespace. */
  list(namespace?: string): readonly T[];
  /** Returns the objects of an index value; `namespace` and `owner` (by uid) are built in. @throws TypeError for an unknown index */
  by(index: string, value: string): readonly T[];
  /** Iterates over the keys of all objects. */
  keys(): Iterable<string>;
}

/** Options of a {@link Store}. */
export interface StoreOptions<T extends KubeObject> {
  /**
   * Projects an object to the stored form; must keep apiVersion, kind, and name, namespace, uid and resourceVersion of metadata. @default all but
   * managedFields
   */
  readonly project?: (object: T) => T;
  /** Additional indexes, built on first use. */
  readonly indexes?: Readonly<Record<string, IndexValues<T>>>;
}

/** Full list in progress: invisible until {@link Relist.commit}. */
export interface Relist<T extends KubeObject> {
  add(object: T): void;
  remove(object: T): void;
  /** Reports whether the list is older than the store's state. */
  isOlder(version: string): boolean;
  /** Replaces the store's content by the list read at `version`: an object missing from it is reported as deleted, in its last known state. */
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
 * Objects of one kind, as last seen on the server.
 *
 * # Guarantees
 * An older version never replaces a newer one, and a late event does not restore a deleted object.
 * An object recreated under its name is reported as a deletion and an addition.
 * Each function returns the changes it made, in order; none is reported twice.
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

  /** Applies one watch event. Events must come in the order of the watch. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): readonly Change<T>[] {
    const key = keyOf(object.metadata);
    const known = this.#objects.get(key);
    const stale = this.#isStale(object, known);
    this.advance(object.metadata.resourceVersion);
    if (stale) return [];
    if (type === 'DELETED') return this.#set(key, undefined, this.#project(object));
    return this.#isSame(object, known) ? [] : this.#set(key, this.#project(object));
  }

  /**
   * Replaces a cached object by one from a GET with the same uid and resourceVersion but other content; otherwise does nothing. The content differs
   * after the schema of a CustomResourceDefinition has changed: a GET prunes fields by the current schema, a watch by the schema of the time at which
   * it began.
   */
  correct(object: T): readonly Change<T>[] {
    const key = keyOf(object.metadata);
    const known = this.#objects.get(key);
    if (known === undefined || !this.#isSame(object, known)) return [];
    const projected = this.#project(object);
    return nodeUtil().isDeepStrictEqual(projected, known) ? [] : this.#set(key, projected);
  }

  /** Records a bookmark: all changes up to `version` were reported. An older version is ignored. */
  advance(version: string | undefined): void {
    if (version !== undefined && !isOlder(version, this.#version)) this.#version = version;
  }

  /** Starts a full list. */
  relist(): Relist<T> {
    const listed = new Map<string, T>();
    return {
      add: (object) => listed.set(keyOf(object.metadata), this.#project(object)),
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

  /** Replaces the known object by `object`; undefined is a deletion, reported with the state `last`. */
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

  /** Returns the frozen form that is stored. @throws TypeError when the projection drops identifying metadata */
  #project(object: T): T {
    const whole = withoutManagedFields(object);
    const projected = this.#options.project?.(whole) ?? whole;
    const missing = identity.find((field) => projected.metadata?.[field] !== object.metadata[field]);
    if (missing !== undefined)
      throw new TypeError(`the projection of ${object.kind} ${keyOf(object.metadata)} must keep metadata.${missing}`);
    freeze(projected);
    return projected;
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
