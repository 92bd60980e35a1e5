import { ownUsage, type Usage } from '../usage.ts';
import { answer, say } from './dialogue.ts';

/** How far an operator under measurement is. */
export interface Progress extends Usage {
  /** ms since the epoch. */
  readonly at: number;
  /** When the first object was ready, in ms since the epoch; 0 before. */
  readonly firstReadyAt: number;
  readonly ready: number;
  readonly writes: number;
  readonly conflicts: number;
}

/** What an operator under measurement counts. */
export interface Tally {
  /** Counts a write, and the refusal if it is one. */
  write<T>(write: Promise<T>, isConflict: (error: unknown) => boolean): Promise<T>;
  /** Counts an object whose last write is through. */
  ready(): void;
  /** Says how far it is, then answers until there are no more questions. */
  untilTold(): Promise<void>;
}

/** A tally that says how far it is as soon as `objects` are ready; 0 is never. */
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
