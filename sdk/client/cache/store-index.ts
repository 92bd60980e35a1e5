/** Secondary indexes of a store. */

import type { KubeObject } from '../../api/object.ts';

/** Returns the values under which an object is indexed; none excludes it from the index. Pure. */
export type IndexValues<T> = (object: T) => readonly string[];

/** Index of objects by a derived value. */
export class StoreIndex<T extends KubeObject> {
  readonly #valuesOf: IndexValues<T>;
  readonly #objects = new Map<string, Map<string, T>>();

  constructor(valuesOf: IndexValues<T>) {
    this.#valuesOf = valuesOf;
  }

  /** Replaces `previous`, stored under `key`, by `object`. Either may be absent. */
  move(key: string, previous: T | undefined, object: T | undefined): void {
    for (const value of previous === undefined ? [] : this.#valuesOf(previous)) {
      const found = this.#objects.get(value);
      found?.delete(key);
      if (found?.size === 0) this.#objects.delete(value);
    }
    for (const value of object === undefined ? [] : this.#valuesOf(object)) {
      const found = this.#objects.get(value);
      if (found === undefined) this.#objects.set(value, new Map([[key, object as T]]));
      else found.set(key, object as T);
    }
  }

  /** Returns the objects under `value`, oldest entry first. */
  find(value: string): readonly T[] {
    return [...(this.#objects.get(value)?.values() ?? [])];
  }
}
