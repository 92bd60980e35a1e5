/** Keyed mutex: one holder per name at a time. */

import { Mutex } from 'async-mutex';

/** Mutexes by name; an unused name takes no memory. */
export class KeyedMutex {
  readonly #held = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** Runs `task` in mutual exclusion with all tasks of that name, in FIFO order. */
  async runExclusive<T>(name: string, task: () => Promise<T>): Promise<T> {
    const lock = this.#held.get(name) ?? { mutex: new Mutex(), users: 0 };
    this.#held.set(name, lock);
    lock.users += 1;
    try {
      return await lock.mutex.runExclusive(task);
    } finally {
      lock.users -= 1;
      if (lock.users === 0) this.#held.delete(name);
    }
  }

  /** Number of names that are held or waited for. */
  get size(): number {
    return this.#held.size;
  }
}
