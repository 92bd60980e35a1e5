import type { Change, Store } from '../store.ts';
import type { Part } from './part.ts';

/** Reacts to one change at a time, after the turn in which it was written; may write. */
export type Controller = (change: Change) => void;

/** A part that reacts to each change as it came. One that throws is told to `onError` and not asked again about that change. */
export function reactionPart(store: Store, controller: Controller, onError: (error: unknown) => void): Part {
  const inbox: Change[] = [];
  return {
    take: (change) => inbox.push(change),
    next() {
      const change = inbox.shift();
      if (change === undefined) return 'empty';
      const before = store.revision;
      try {
        controller(change);
      } catch (error) {
        onError(error);
      }
      return store.revision === before ? 'passed' : 'wrote';
    },
    get waiting() {
      return inbox.length;
    },
    stop() {
      inbox.length = 0;
    },
  };
}
