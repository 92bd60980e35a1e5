import type { Queue } from './queue.ts';

/** Runs did not end in time; what they were about to do is left as it is. */
export class DrainError extends Error {
  static {
    DrainError.prototype.name = 'DrainError';
  }
  /** `namespace/name` of the objects that were still running. */
  readonly keys: readonly string[];

  constructor(controller: string, keys: readonly string[]) {
    super(`controller ${controller}: still running when the time to stop was over: ${keys.join(', ')}`);
    this.keys = keys;
  }
}

/** ms that runs have to unwind once their signals have aborted. */
const unwindTime = 1000;

/** Begins no run any more and waits for those that are on, `deadline` ms at most; then aborts them. Resolves with the keys that run even so. */
export async function drained(
  queue: Queue,
  runs: { abort: (reason: Error) => void },
  deadline: number,
): Promise<readonly string[]> {
  const running = await queue.drain(deadline);
  if (running.length === 0) return running;
  runs.abort(new DOMException('the engine stops', 'AbortError'));
  return queue.drain(unwindTime);
}
