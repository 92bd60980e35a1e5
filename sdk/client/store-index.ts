import type { KubeObject } from '../api/object.ts';

/** The values under which an object is found; none: it is not found by this index. Pure. */
export type IndexValues<T> = (object: T) => readonly string[];

/** Objects by a value derived from them. */
export class StoreIndex<T extends KubeObject> {
  readonly #valuesOf: IndexValues<T>;
  readonly #objects = new Map<string, Map<string, T>>();

  constructor(valuesOf: IndexValues<T>) {
    this.#valuesOf = valuesOf;
  }

  /** Takes `object`, kept under `key`, into the index in place of `previous`. Either may be absent. */
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

  /** The objects under `value`, oldest entry first. */
  find(value: string): readonly T[] {
    return [...(this.#objects.get(value)?.values() ?? [])];
  }
}
