/** Something with a time. Kept up to date by the heap that holds it. */
export interface Due {
  /** When, in monotonic ms. */
  due: number;
  /** Its place in the heap; -1: in none. */
  place: number;
}

/** Entries by time, earliest first: add and remove in O(log n). */
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

  /** Takes an entry out; one that is not in is left alone. */
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
