/** Defers loading a controller until a change needs it. */

import type { Change } from '../../storage/store.ts';
import type { Worker } from './worker.ts';

/** Options of {@link lazyWorker}. */
export interface LazyWorkerOptions {
  /** Reports whether a change needs the worker; changes before the first such one are dropped. */
  readonly wakes: (change: Change) => boolean;
  readonly load: () => Promise<Worker>;
}

/** Creates a worker that is loaded by the first change that wakes it. */
export function lazyWorker({ wakes, load }: LazyWorkerOptions): Worker {
  const held: Change[] = [];
  let worker: Worker | undefined;
  let stopped = false;
  return {
    take(change) {
      if (worker !== undefined) worker.take(change);
      else if (held.length > 0 || wakes(change)) held.push(change);
    },
    async next() {
      if (worker !== undefined) return worker.next();
      const loaded = await load();
      if (stopped) return 'passed';
      worker ??= loaded;
      for (const change of held.splice(0)) worker.take(change);
      return 'passed';
    },
    get waiting() {
      return worker?.waiting ?? held.length;
    },
    stop() {
      stopped = true;
      held.length = 0;
      worker?.stop();
    },
  };
}
