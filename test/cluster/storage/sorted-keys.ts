/** Ordered set of keys. */

/** Largest block before it is split; bounds the keys moved by an insertion. */
const max = 512;

/** Returns the index of a key in sorted keys, or its insertion point. */
export const lowerBound = (keys: readonly string[], key: string): number => {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Ordered set of strings in blocks: inserting costs about the same among a hundred thousand keys as among a hundred. */
export class SortedKeys {
  /** Blocks, none of them empty, except a single one when there are no keys. */
  readonly #blocks: string[][] = [];
  #size = 0;

  /** Takes keys that are already sorted. */
  constructor(sorted: readonly string[] = []) {
    for (let start = 0; start === 0 || start < sorted.length; start += max / 2) {
      this.#blocks.push(sorted.slice(start, start + max / 2));
    }
    this.#size = sorted.length;
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  /** Returns all keys, in order. */
  all(): string[] {
    return this.#blocks.flat();
  }

  /** Adds a key that must not be present. */
  add(key: string): void {
    const index = this.#blockOf(key);
    const block = this.#blocks[index]!;
    const last = block[block.length - 1];
    if (last === undefined || last < key) block.push(key);
    else block.splice(lowerBound(block, key), 0, key);
    this.#size += 1;
    if (block.length > max) this.#blocks.splice(index + 1, 0, block.splice(max / 2));
  }

  /** Removes a key that must be present. */
  delete(key: string): void {
    const index = this.#blockOf(key);
    const block = this.#blocks[index]!;
    block.splice(lowerBound(block, key), 1);
    this.#size -= 1;
    if (block.length === 0 && this.#blocks.length > 1) this.#blocks.splice(index, 1);
  }

  /** Returns the number of keys less than this one, which need not be present. */
  rank(key: string): number {
    const index = this.#blockOf(key);
    let before = 0;
    for (let earlier = 0; earlier < index; earlier += 1) before += this.#blocks[earlier]!.length;
    return before + lowerBound(this.#blocks[index]!, key);
  }

  /** Iterates over the keys from `first` on, before `stop`. The set must not change meanwhile. */
  *between(first: string, stop: string): Generator<string> {
    let index = this.#blockOf(first);
    let at = lowerBound(this.#blocks[index]!, first);
    for (; index < this.#blocks.length; index += 1, at = 0) {
      const block = this.#blocks[index]!;
      for (; at < block.length; at += 1) {
        const key = block[at]!;
        if (key >= stop) return;
        yield key;
      }
    }
  }

  /** Returns the index of the last block that starts at or before a key, which holds the key or would. */
  #blockOf(key: string): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#blocks[middle]![0]! <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
