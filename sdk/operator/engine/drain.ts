/** Graceful shutdown of a queue and its runs. */

import type { Queue } from '../queue/queue.ts';

/** Thrown when runs did not end within the drain time; their work is left unfinished. */
export class DrainError extends Error {
  static {
    DrainError.prototype.name = 'DrainError';
  }
  /** `namespace/name` of the objects that were still running. */
  readonly keys: readonly string[];

  constructor(controller: string, keys: readonly string[]) {
    super(`controller ${controller}: still running after the drain time: ${keys.join(', ')}`);
    this.keys = keys;
  }
}

/** ms that runs may take to end after their signals have aborted. */
const unwindTime = 1000;

/** Drains a queue: stops starting runs, waits up to `deadline` ms for the current ones, then aborts them. Resolves with the keys that still run. */
export async function drainQueue(
  queue: Queue,
  runs: { abort: (reason: Error) => void },
  deadline: number,
): Promise<readonly string[]> {
  const running = await queue.drain(deadline);
  if (running.length === 0) return running;
  runs.abort(new DOMException('the engine stops', 'AbortError'));
  return queue.drain(unwindTime);
}
