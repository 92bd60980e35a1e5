/** FIFO queue of unique keys. Taking the first is O(1), regardless of how many were removed before it. */
export class Fifo {
  readonly #keys = new Set<string>();
  #next = this.#keys.values();

  get size(): number {
    return this.#keys.size;
  }

  add(key: string): void {
    this.#keys.add(key);
  }

  delete(key: string): boolean {
    return this.#keys.delete(key);
  }

  /** Removes and returns the first key. */
  take(): string | undefined {
    if (this.#keys.size === 0) return undefined;
    let first = this.#next.next();
    if (first.done === true) {
      this.#next = this.#keys.values();
      first = this.#next.next();
    }
    const key = first.value as string;
    this.#keys.delete(key);
    return key;
  }
}
