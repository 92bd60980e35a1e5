/** Binary heap of entries by due time. */

/** Entry of a {@link DueHeap}, which updates `place`. */
export interface Due {
  /** Due time in monotonic ms. */
  due: number;
  /** Index in the heap; -1 when it is in none. */
  place: number;
}

/** Min-heap of entries by due time: add and remove in O(log n). */
export class DueHeap<T extends Due> {
  readonly #entries: T[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** The earliest entry. */
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
    const { place } = entry;
    if (place === -1) return;
    const last = this.#entries.pop() as T;
    entry.place = -1;
    if (last === entry) return;
    this.#rise(last, place);
    this.#sink(last, last.place);
  }

  #rise(entry: T, from: number): void {
    let place = from;
    while (place > 0) {
      const parent = this.#entries[(place - 1) >> 1] as T;
      if (parent.due <= entry.due) break;
      this.#put(parent, place);
      place = (place - 1) >> 1;
    }
    this.#put(entry, place);
  }

  #sink(entry: T, from: number): void {
    let place = from;
    for (let child = this.#smallerChild(place); child !== -1; child = this.#smallerChild(place)) {
      const smaller = this.#entries[child] as T;
      if (smaller.due >= entry.due) break;
      this.#put(smaller, place);
      place = child;
    }
    this.#put(entry, place);
  }

  #smallerChild(place: number): number {
    const left = 2 * place + 1;
    const [a, b] = [this.#entries[left], this.#entries[left + 1]];
    if (a === undefined) return -1;
    return b !== undefined && b.due < a.due ? left + 1 : left;
  }

  #put(entry: T, place: number): void {
    this.#entries[place] = entry;
    entry.place = place;
  }
}
