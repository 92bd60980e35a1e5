/** Defers loading a controller until a change needs it. */

import type { Change } from '../../storage/store.ts';
import type { Worker } from './worker.ts';

/** Options of {@link lazyWorker}. */
export interface LazyWorkerOptions {
  /** Reports whether a change needs the part; changes before the first such one are dropped. */
  readonly wakes: (change: Change) => boolean;
  readonly load: () => Promise<Worker>;
}

/** Creates a part that is loaded by the first change that wakes it. */
export function lazyWorker({ wakes, load }: LazyWorkerOptions): Worker {
  const heard: Change[] = [];
  let worker: Worker | undefined;
  let stopped = false;
  return {
    take(change) {
      if (worker !== undefined) worker.take(change);
      else if (heard.length > 0 || wakes(change)) heard.push(change);
    },
    async next() {
      if (worker !== undefined) return worker.next();
      const loaded = await load();
      if (stopped) return 'passed';
      worker ??= loaded;
      for (const change of heard.splice(0)) worker.take(change);
      return 'passed';
    },
    get waiting() {
      return worker?.waiting ?? heard.length;
    },
    stop() {
      stopped = true;
      heard.length = 0;
      worker?.stop();
    },
  };
}
