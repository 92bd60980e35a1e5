import { Mutex } from 'async-mutex';

/** One mutex per name; a name that nobody holds or waits for takes no memory. */
export class Locks {
  readonly #held = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** Runs `task` alone among all tasks of that name, in the order they came. */
  async alone<T>(name: string, task: () => Promise<T>): Promise<T> {
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

  /** How many names are held or waited for. */
  get size(): number {
    return this.#held.size;
  }
}
