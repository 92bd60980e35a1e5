/**
 * Map of lists by key. A key exists while its list has items, so that no memory is leaked.
 * An iteration sees the list as it was at the start, regardless of concurrent changes.
 */
export class ListMap<K, V> {
  readonly #lists = new Map<K, readonly V[]>();

  /** Number of keys. */
  get size(): number {
    return this.#lists.size;
  }

  /** Appends to a key's list. */
  addItem(key: K, ...items: readonly V[]): void {
    this.#set(key, [...this.items(key), ...items]);
  }

  /** Returns a snapshot of a key's list, which never changes afterwards. */
  items(key: K): readonly V[] {
    return this.#lists.get(key) ?? [];
  }

  /** Returns the item at an index, or undefined. */
  itemAt(key: K, index: number): V | undefined {
    return this.items(key)[index];
  }

  /** Returns the number of items of a key; 0 for an unknown one. */
  keySize(key: K): number {
    return this.items(key).length;
  }

  /** Returns a snapshot of all keys. */
  keys(): readonly K[] {
    return [...this.#lists.keys()];
  }

  /** Calls `visit` for each item of a key, in order. */
  range(key: K, visit: (index: number, value: V) => void): void {
    for (const [index, value] of this.items(key).entries()) visit(index, value);
  }

  /** Calls `visit` for each item of each key. */
  rangeAll(visit: (key: K, index: number, value: V) => void): void {
    for (const key of this.keys()) this.range(key, (index, value) => visit(key, index, value));
  }

  /** Removes the first item that matches; the rest keeps its order. @returns whether one was removed */
  removeItem(key: K, match: (value: V) => boolean): boolean {
    return this.removeItems(key, match, 1) === 1;
  }

  /** Removes the first `limit` items that match. @param limit less than 1: all @returns the number of removed items */
  removeItems(key: K, match: (value: V) => boolean, limit = 0): number {
    let removed = 0;
    const rest = this.items(key).filter((value) => {
      const goes = (limit < 1 || removed < limit) && match(value);
      if (goes) removed += 1;
      return !goes;
    });
    if (removed > 0) this.#set(key, rest);
    return removed;
  }

  /** Removes the item at an index; does nothing if there is none. */
  removeItemAt(key: K, index: number): void {
    if (index >= 0 && index < this.keySize(key)) this.#set(key, this.items(key).toSpliced(index, 1));
  }

  /** Removes a key with its list. */
  removeKey(key: K): void {
    this.#lists.delete(key);
  }

  #set(key: K, list: readonly V[]): void {
    if (list.length === 0) this.#lists.delete(key);
    else this.#lists.set(key, list);
  }
}
