/** Controllers that handle each change once. */

import type { Change, Store } from '../../storage/store.ts';
import type { Worker } from './worker.ts';

/** Handles one change, after the turn in which it was written; may write to the store. */
export type ChangeHandler = (change: Change) => void;

/** Creates a worker that handles changes in order. Errors go to `onError`, and the change is not retried. */
export function changeWorker(store: Store, controller: ChangeHandler, onError: (error: unknown) => void): Worker {
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
