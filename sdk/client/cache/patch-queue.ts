/** Queue of the patches of each object. */

import { type Kind, resourceOf } from '../../api/kind.ts';
import { keyOf, type ObjectKey } from '../../api/object.ts';
import type { Clock } from '../../clock.ts';
import type { OwnWrites } from './own-writes.ts';

/** Longest wait of a patch in ms. */
const maxWait = 2_000;

/**
 * Queue of the patches of one object: each is sent after the watch has delivered the previous one, or after `maxWait`.
 *
 * An API server applies a patch to the object in its watch cache, and again to the one in etcd if that is newer: a patch that arrives before the cache
 * has the previous one costs the server almost twice as much. The delay serves no other purpose.
 */
export class PatchQueue {
  readonly #clock: Clock;
  readonly #ownWrites: Pick<OwnWrites, 'untilSeen'>;
  /** End of the last queued patch, by resource and object. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(clock: Clock, ownWrites: Pick<OwnWrites, 'untilSeen'>) {
    this.#clock = clock;
    this.#ownWrites = ownWrites;
  }

  /** Runs a patch after the queued ones of the same object. */
  async run<T>(kind: Kind, key: ObjectKey, patch: () => Promise<T>): Promise<T> {
    const id = `${resourceOf(kind)}/${keyOf(key)}`;
    const previous = this.#last.get(id);
    const end = Promise.withResolvers<void>();
    this.#last.set(id, end.promise);
    if (previous !== undefined) await this.#waitFor(previous);
    try {
      return await patch();
    } finally {
      void this.#waitFor(this.#ownWrites.untilSeen(kind, keyOf(key))).then(() => {
        if (this.#last.get(id) === end.promise) this.#last.delete(id);
        end.resolve();
      });
    }
  }

  /** Resolves when the promise does, or after `maxWait`. */
  async #waitFor(settled: Promise<void>): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const cancel = this.#clock.after(maxWait, timeout.resolve);
    await Promise.race([settled, timeout.promise]);
    cancel();
  }
}
