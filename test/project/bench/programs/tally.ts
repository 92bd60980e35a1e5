/** Counts the progress of an operator under measurement. */

import { ownUsage, type Usage } from '../harness/usage.ts';
import { answer, say } from './dialogue.ts';

/** Progress of an operator under measurement. */
export interface Progress extends Usage {
  /** ms since the epoch. */
  readonly at: number;
  /** ms since the epoch of the first ready object; 0 before. */
  readonly firstReadyAt: number;
  readonly ready: number;
  readonly writes: number;
  readonly conflicts: number;
}

/** Counters of an operator under measurement. */
export interface Tally {
  /** Counts a write, and a conflict if it is one. */
  write<T>(write: Promise<T>, isConflict: (error: unknown) => boolean): Promise<T>;
  /** Counts an object with its last write done. */
  ready(): void;
  /** Reports the progress, then answers until there are no more questions. */
  untilTold(): Promise<void>;
}

/** Creates a tally that reports as soon as `objects` are ready; 0 is never. */
export function createTally(objects: number): Tally {
  const counts = { ready: 0, writes: 0, conflicts: 0, firstReadyAt: 0 };
  const progress = (): Progress => ({ ...counts, ...ownUsage(), at: Date.now() });
  return {
    async write(write, isConflict) {
      counts.writes++;
      try {
        return await write;
      } catch (error) {
        if (isConflict(error)) counts.conflicts++;
        throw error;
      }
    },
    ready() {
      counts.ready++;
      if (counts.ready === 1) counts.firstReadyAt = Date.now();
      if (counts.ready === objects) say(progress());
    },
    async untilTold() {
      if (objects === 0) say(progress());
      await answer(progress);
    },
  };
}
