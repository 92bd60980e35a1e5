/** Delivers the store's changes to the controllers. */

import type { Change, Store } from '../../storage/store.ts';
import type { SwitchableController } from './switchable-controller.ts';

/** Running controllers. */
export interface Loop {
  /** Resolves when every controller is idle. */
  settle(): Promise<void>;
  stop(): void;
}

/** Delivers every change to every controller, in order, after the turn in which it was written. */
export function createLoop(store: Store, controllers: readonly SwitchableController[]): Loop {
  const queue: Change[] = [];
  let running: Promise<void> | undefined;

  const drain = (): void => {
    for (let change = queue.shift(); change !== undefined; change = queue.shift()) {
      for (const controller of controllers) controller.deliver(change);
    }
    running = undefined;
  };
  const stop = store.listen((change) => {
    queue.push(change);
    running ??= Promise.resolve().then(drain);
  });
  const busy = (): Promise<void>[] =>
    [running, ...controllers.map((controller) => controller.busy)].filter((work) => work !== undefined);
  return {
    async settle() {
      for (let work = busy(); work.length > 0; work = busy()) await Promise.all(work);
    },
    stop() {
      stop();
      queue.length = 0;
      for (const controller of controllers) controller.set('off', () => []);
    },
  };
}
