import { setTimeout as sleep } from 'node:timers/promises';

/** How long to ask, how often, and what to say when the answer stays no. */
export interface UntilOptions {
  /** Milliseconds until it is given up. @default 60_000 */
  readonly deadline?: number;
  /** Milliseconds between two questions. @default 50 */
  readonly interval?: number;
  /** Called once, when the deadline has passed: the whole message of the error. */
  readonly message: (lastError: unknown) => string;
}

/**
 * Asks a real process again and again until it answers something other than `undefined`.
 * A thrown error counts as no answer yet; the last one is the cause of the error at the deadline.
 */
export async function until<T>(ask: () => Promise<T | undefined>, options: UntilOptions): Promise<T> {
  const { deadline = 60_000, interval = 50, message } = options;
  const end = performance.now() + deadline;
  let lastError: unknown;
  while (performance.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      if (error instanceof HopelessError) throw error;
      lastError = error;
    }
    await sleep(interval);
  }
  throw new Error(message(lastError), { cause: lastError });
}

/** Thrown by the question of `until` when asking on is useless, such as after the process has ended. */
export class HopelessError extends Error {
  override name = 'HopelessError';
}
