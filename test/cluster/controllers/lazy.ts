import type { Change } from '../store.ts';
import type { Part } from './part.ts';

/** What to wait for, and what to load then. */
export interface LazyOptions {
  /** Whether a change gives it something to do; before the first that does, it has nothing to do. */
  readonly wakes: (change: Change) => boolean;
  readonly load: () => Promise<Part>;
}

/** A part that is loaded with the first change that wakes it; until then it costs nothing. */
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
