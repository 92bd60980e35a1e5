/** Keys that are ready to run, of one priority: tenants take turns. */

import { Fifo } from './fifo.ts';

/**
 * Queue of unique keys in which tenants take turns; the keys of one tenant are in FIFO order.
 * # Guarantees
 * Between two keys of a tenant, each other tenant that waits gives one. Adding, deleting and taking are O(1), whatever the number of tenants.
 * A tenant without waiting keys occupies no memory.
 */
export class FairQueue {
  readonly #keys = new Map<string, Fifo>();
  /** Tenants with waiting keys; the first is next. */
  readonly #order = new Fifo();
  #size = 0;

  /** Number of waiting keys. */
  get size(): number {
    return this.#size;
  }

  /** Adds a key that is not in it. */
  add(key: string, tenant: string): void {
    let keys = this.#keys.get(tenant);
    if (keys === undefined) {
      keys = new Fifo();
      this.#keys.set(tenant, keys);
      this.#order.add(tenant);
    }
    keys.add(key);
    this.#size += 1;
  }

  /** Deletes a key of this tenant. @returns whether it was there */
  delete(key: string, tenant: string): boolean {
    const keys = this.#keys.get(tenant);
    if (keys?.delete(key) !== true) return false;
    this.#size -= 1;
    if (keys.size === 0) {
      this.#keys.delete(tenant);
      this.#order.delete(tenant);
    }
    return true;
  }

  /** Removes and returns the first key of the tenant whose turn it is. */
  take(): string | undefined {
    const tenant = this.#order.take();
    if (tenant === undefined) return undefined;
    const keys = this.#keys.get(tenant) as Fifo;
    const key = keys.take();
    this.#size -= 1;
    if (keys.size > 0) this.#order.add(tenant);
    else this.#keys.delete(tenant);
    return key;
  }
}
