/** Items of joined lists, which are gathered when they are first read: a loop that adds to a list takes linear time. */

import { countWork } from './uncosted-work.ts';

/** Items, or two parts that are joined. */
export type Items<T> = readonly T[] | JoinedItems<T>;

/** Two joined parts. */
export class JoinedItems<T> {
  readonly length: number;
  #parts: readonly [Items<T>, Items<T>] | undefined;
  #all: readonly T[] | undefined;

  constructor(first: Items<T>, second: Items<T>) {
    this.length = first.length + second.length;
    this.#parts = [first, second];
  }

  /** Returns all items. Throws a CostExceeded for more than an evaluation may read. */
  get all(): readonly T[] {
    this.#all ??= this.#gathered();
    return this.#all;
  }

  /** Returns an item without gathering all; undefined beyond the end. */
  at(index: number): T | undefined {
    let [items, place]: [Items<T>, number] = [this, index];
    while (items instanceof JoinedItems) {
      const parts: readonly [Items<T>, Items<T>] | undefined = items.#parts;
      if (parts === undefined) items = items.all;
      else if (place < parts[0].length) items = parts[0];
      else [items, place] = [parts[1], place - parts[0].length];
    }
    return items[place];
  }

  #gathered(): readonly T[] {
    countWork(this.length);
    const all: T[] = [];
    const left: Items<T>[] = [this];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const items = next instanceof JoinedItems ? (next.#all ?? next.#parts!) : next;
      if (next instanceof JoinedItems && next.#all === undefined) left.push(...([...items].reverse() as Items<T>[]));
      else for (const item of items as readonly T[]) all.push(item);
    }
    this.#parts = undefined;
    return all;
  }
}
