/** How many keys a block has before it is split: inserting moves at most that many. */
const most = 512;

/** Where a key is in sorted keys, or would be. */
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

/** Keys, always sorted, in blocks: adding one among a hundred thousand costs as little as among a hundred. */
export class SortedKeys {
  /** Never empty blocks, but for the only one of no keys. */
  readonly #blocks: string[][] = [];
  #size = 0;

  /** Takes keys that are sorted already. */
  constructor(sorted: readonly string[] = []) {
    for (let start = 0; start === 0 || start < sorted.length; start += most / 2) {
      this.#blocks.push(sorted.slice(start, start + most / 2));
    }
    this.#size = sorted.length;
  }

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  /** All keys, in order. */
  all(): string[] {
    return this.#blocks.flat();
  }

  /** Puts in a key that is not there yet. */
  add(key: string): void {
    const index = this.#blockOf(key);
    const block = this.#blocks[index]!;
    const last = block[block.length - 1];
    if (last === undefined || last < key) block.push(key);
    else block.splice(lowerBound(block, key), 0, key);
    this.#size += 1;
    if (block.length > most) this.#blocks.splice(index + 1, 0, block.splice(most / 2));
  }

  /** Takes out a key that is there. */
  delete(key: string): void {
    const index = this.#blockOf(key);
    const block = this.#blocks[index]!;
    block.splice(lowerBound(block, key), 1);
    this.#size -= 1;
    if (block.length === 0 && this.#blocks.length > 1) this.#blocks.splice(index, 1);
  }

  /** How many keys come before this one, which need not be there. */
  rank(key: string): number {
    const index = this.#blockOf(key);
    let before = 0;
    for (let earlier = 0; earlier < index; earlier += 1) before += this.#blocks[earlier]!.length;
    return before + lowerBound(this.#blocks[index]!, key);
  }

  /** The keys from `first` on, up to but without `stop`. Not to be gone through while keys come or go. */
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

  /** The last block that starts at or before a key: where it is, or would be. */
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
