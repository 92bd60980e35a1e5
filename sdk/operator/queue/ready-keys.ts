/** Keys that are ready to run, by priority and tenant. */

import { FairQueue } from './fair-queue.ts';

/** `fresh`: the object has just changed. `due`: a delay has passed. `backlog`: one of many, such as all objects at start-up. */
export type Priority = 'fresh' | 'due' | 'backlog';

/** Key with its priority and tenant. */
export interface ReadyKey {
  readonly key: string;
  priority: Priority;
  /** Tenant that the key is queued for. */
  tenant: string;
}

const order: readonly Priority[] = ['fresh', 'due', 'backlog'];
/** Orders that alternate for every tenth key, so that no priority starves. */
const exceptions: readonly (readonly Priority[])[] = [order.toReversed(), ['due', 'backlog', 'fresh']];
const exceptionInterval = 10;

/** Reports whether `one` comes before `other`. */
export const precedes = (one: Priority, other: Priority): boolean => order.indexOf(one) < order.indexOf(other);

/** Unique ready keys, by priority and then round robin over tenants. No priority and no tenant starves. */
export class ReadyKeys {
  readonly #queues: Readonly<Record<Priority, FairQueue>> = {
    fresh: new FairQueue(),
    due: new FairQueue(),
    backlog: new FairQueue(),
  };
  #taken = 0;

  get size(): number {
    return order.reduce((sum, priority) => sum + this.#queues[priority].size, 0);
  }

  /** Adds a key that the set does not have. */
  add({ key, priority, tenant }: ReadyKey): void {
    this.#queues[priority].add(key, tenant);
  }

  /** Deletes a key. @returns whether the set had it */
  delete({ key, priority, tenant }: ReadyKey): boolean {
    return this.#queues[priority].delete(key, tenant);
  }

  /** Removes and returns the next key. */
  take(): string | undefined {
    this.#taken += 1;
    const exception =
      this.#taken % exceptionInterval === 0 ? exceptions[(this.#taken / exceptionInterval - 1) % 2] : undefined;
    const priority = (exception ?? order).find((one) => this.#queues[one].size > 0);
    return priority && this.#queues[priority].take();
  }
}
