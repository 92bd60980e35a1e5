import type { Machinery } from '../machinery.ts';
import type { Change } from '../store.ts';

/** Reacts to one change at a time, after the turn in which it was written; may write. */
export type Controller = (change: Change) => void;

/** Runs controllers over all changes. */
export interface Loop {
  /** Resolves when no controller has anything to do now. */
  settle(): Promise<void>;
  stop(): void;
}

/** Feeds every change, in order, to every controller; a controller that throws is told to `onError` and not asked again about that change. */
export function createLoop(
  { store }: Machinery,
  controllers: readonly Controller[],
  onError: (error: unknown) => void,
): Loop {
  const queue: Change[] = [];
  let running = false;
  let idle: (() => void)[] = [];

  const attempt = (controller: Controller, change: Change): void => {
    try {
      controller(change);
    } catch (error) {
      onError(error);
    }
  };
  const drain = (): void => {
    for (let change = queue.shift(); change !== undefined; change = queue.shift()) {
      for (const controller of controllers) attempt(controller, change);
    }
    running = false;
    for (const resolve of idle.splice(0)) resolve();
  };
  const stop = store.listen((change) => {
    queue.push(change);
    if (running) return;
    running = true;
    queueMicrotask(drain);
  });
  return {
    settle: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
    stop() {
      stop();
      queue.length = 0;
      idle = [];
    },
  };
}
