import { type Kind, resourceOf } from '../../api/kind.ts';
import { keyOf, type ObjectKey } from '../../api/object.ts';
import type { Clock } from '../../clock.ts';
import type { OwnWrites } from './own-writes.ts';

/** Longest wait of a patch in ms. */
const maxWait = 2_000;

/**
 * Queue of the patches of one object: each is sent after the watch has delivered the previous one, at most 2 s later.
 *
 * An API server carries a patch out on the object of its watch cache, and once more on that of etcd if it is newer. A patch that arrives before the
 * cache has seen the one before it costs the server almost twice as much. The delay only saves that cost.
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

  /** Runs a patch of this object after those before it. */
  async take<T>(kind: Kind, key: ObjectKey, patch: () => Promise<T>): Promise<T> {
    const id = `${resourceOf(kind)}/${keyOf(key)}`;
    const before = this.#last.get(id);
    const end = Promise.withResolvers<void>();
    this.#last.set(id, end.promise);
    if (before !== undefined) await this.#within(before);
    try {
      return await patch();
    } finally {
      void this.#within(this.#ownWrites.untilSeen(kind, keyOf(key))).then(() => {
        if (this.#last.get(id) === end.promise) this.#last.delete(id);
        end.resolve();
      });
    }
  }

  /** Resolves with the promise, or after the longest wait. */
  async #within(settled: Promise<void>): Promise<void> {
    const over = Promise.withResolvers<void>();
    const cancel = this.#clock.after(maxWait, over.resolve);
    await Promise.race([settled, over.promise]);
    cancel();
  }
}
