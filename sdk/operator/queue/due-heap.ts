/** Binary heap of entries by due time. */

/** Entry of a {@link DueHeap}, which maintains `heapIndex`. */
export interface DueEntry {
  /** Due time in monotonic ms. */
  due: number;
  /** Index in the heap; -1 outside of one. */
  heapIndex: number;
}

/** Min-heap of entries by due time: add and remove in O(log n). */
export class DueHeap<T extends DueEntry> {
  readonly #entries: T[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** Earliest entry. */
  get first(): T | undefined {
    return this.#entries[0];
  }

  /** Adds an entry that is in no heap. */
  add(entry: T): void {
    this.#entries.push(entry);
    this.#rise(entry, this.#entries.length - 1);
  }

  /** Removes an entry; does nothing for one that is not in the heap. */
  remove(entry: T): void {
    const { heapIndex } = entry;
    if (heapIndex === -1) return;
    const last = this.#entries.pop() as T;
    entry.heapIndex = -1;
    if (last === entry) return;
    this.#rise(last, heapIndex);
    this.#sink(last, last.heapIndex);
  }

  #rise(entry: T, from: number): void {
    let heapIndex = from;
    while (heapIndex > 0) {
      const parent = this.#entries[(heapIndex - 1) >> 1] as T;
      if (parent.due <= entry.due) break;
      this.#put(parent, heapIndex);
      heapIndex = (heapIndex - 1) >> 1;
    }
    this.#put(entry, heapIndex);
  }

  #sink(entry: T, from: number): void {
    let heapIndex = from;
    for (let child = this.#smallerChild(heapIndex); child !== -1; child = this.#smallerChild(heapIndex)) {
      const smaller = this.#entries[child] as T;
      if (smaller.due >= entry.due) break;
      this.#put(smaller, heapIndex);
      heapIndex = child;
    }
    this.#put(entry, heapIndex);
  }

  #smallerChild(heapIndex: number): number {
    const left = 2 * heapIndex + 1;
    const [a, b] = [this.#entries[left], this.#entries[left + 1]];
    if (a === undefined) return -1;
    return b !== undefined && b.due < a.due ? left + 1 : left;
  }

  #put(entry: T, heapIndex: number): void {
    this.#entries[heapIndex] = entry;
    entry.heapIndex = heapIndex;
  }
}
