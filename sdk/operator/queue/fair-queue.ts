/** Fair queue of the ready keys of one priority: round robin over tenants. */

import { Fifo } from './fifo.ts';

/**
 * Round robin over tenants; the unique keys of one tenant are in FIFO order.
 * # Guarantees
 * Between two keys of a tenant, each other waiting tenant has one. Add, delete and take are O(1) in the number of tenants.
 * A tenant without waiting keys occupies no memory.
 */
export class FairQueue {
  readonly #keys = new Map<string, Fifo>();
  /** Tenants with waiting keys, in the order of their turns. */
  readonly #order = new Fifo();
  #size = 0;

  /** Number of waiting keys. */
  get size(): number {
    return this.#size;
  }

  /** Adds a key that the queue does not have. */
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

  /** Deletes a key of a tenant. @returns whether the queue had it */
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

  /** Removes and returns the first key of the next tenant; undefined when the queue is empty. */
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
