import type { Change, Store } from '../store.ts';
import type { Actor } from './actor.ts';

/** Runs controllers over all changes. */
export interface Loop {
  /** Resolves when no controller that runs by itself has anything to do now. */
  settle(): Promise<void>;
  stop(): void;
}

/** Feeds every change, in order and after the turn in which it was written, to every controller. */
export function createLoop(store: Store, actors: readonly Actor[]): Loop {
  const queue: Change[] = [];
  let running: Promise<void> | undefined;

  const drain = (): void => {
    for (let change = queue.shift(); change !== undefined; change = queue.shift()) {
      for (const actor of actors) actor.hear(change);
    }
    running = undefined;
  };
  const stop = store.listen((change) => {
    queue.push(change);
    running ??= Promise.resolve().then(drain);
  });
  const busy = (): Promise<void>[] =>
    [running, ...actors.map((actor) => actor.busy)].filter((work) => work !== undefined);
  return {
    async settle() {
      for (let work = busy(); work.length > 0; work = busy()) await Promise.all(work);
    },
    stop() {
      stop();
      queue.length = 0;
      for (const actor of actors) actor.set('off', () => []);
    },
  };
}
