/** Defers loading a controller until a change needs it. */

import type { Change } from '../store.ts';
import type { Part } from './part.ts';

/** Options of {@link lazyPart}. */
export interface LazyOptions {
  /** Reports whether a change needs the part; changes before the first such one are dropped. */
  readonly wakes: (change: Change) => boolean;
  readonly load: () => Promise<Part>;
}

/** Creates a part that is loaded by the first change that wakes it. */
export function lazyPart({ wakes, load }: LazyOptions): Part {
  const heard: Change[] = [];
  let part: Part | undefined;
  let stopped = false;
  return {
    take(change) {
      if (part !== undefined) part.take(change);
      else if (heard.length > 0 || wakes(change)) heard.push(change);
    },
    async next() {
      if (part !== undefined) return part.next();
      const loaded = await load();
      if (stopped) return 'passed';
      part ??= loaded;
      for (const change of heard.splice(0)) part.take(change);
      return 'passed';
    },
    get waiting() {
      return part?.waiting ?? heard.length;
    },
    stop() {
      stopped = true;
      heard.length = 0;
      part?.stop();
    },
  };
}
