/** Keys that are ready to run, by priority and tenant. */

import { FairQueue } from './fair-queue.ts';

/** `fresh`: has just changed. `due`: a delay is over. `backlog`: part of many, such as all objects at start-up, and can wait. */
export type Priority = 'fresh' | 'due' | 'backlog';

/** Key that is ready, or can be. */
export interface ReadyKey {
  readonly key: string;
  priority: Priority;
  /** Tenant whose turn it waits for. */
  tenant: string;
}

const order: readonly Priority[] = ['fresh', 'due', 'backlog'];
/** Orders by which every tenth key is taken, in turn, so that no priority starves. */
const exceptions: readonly (readonly Priority[])[] = [order.toReversed(), ['due', 'backlog', 'fresh']];
const fairShare = 10;

/** Reports whether `one` comes before `other`. */
export const precedes = (one: Priority, other: Priority): boolean => order.indexOf(one) < order.indexOf(other);

/** Unique keys that are ready: the first priority first, and within it tenants take turns. No priority and no tenant starves. */
export class ReadyKeys {
  readonly #turns: Readonly<Record<Priority, FairQueue>> = {
    fresh: new FairQueue(),
    due: new FairQueue(),
    backlog: new FairQueue(),
  };
  #taken = 0;

  get size(): number {
    return order.reduce((sum, priority) => sum + this.#turns[priority].size, 0);
  }

  /** Adds a key that is not in it. */
  add({ key, priority, tenant }: ReadyKey): void {
    this.#turns[priority].add(key, tenant);
  }

  /** Deletes a key. @returns whether it was there */
  delete({ key, priority, tenant }: ReadyKey): boolean {
    return this.#turns[priority].delete(key, tenant);
  }

  /** Removes and returns the next key. */
  take(): string | undefined {
    this.#taken += 1;
    const exception = this.#taken % fairShare === 0 ? exceptions[(this.#taken / fairShare - 1) % 2] : undefined;
    const priority = (exception ?? order).find((one) => this.#turns[one].size > 0);
    return priority && this.#turns[priority].take();
  }
}
