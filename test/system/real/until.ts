/** Polls real processes. */

import { setTimeout as sleep } from 'node:timers/promises';

/** Deadline, interval and error message of a poll. */
export interface UntilOptions {
  /** Milliseconds until it gives up. @default 60_000 */
  readonly deadline?: number;
  /** Milliseconds between two attempts. @default 50 */
  readonly interval?: number;
  /** Returns the whole message of the error; called once, when the deadline has passed. */
  readonly message: (lastError: unknown) => string;
}

/**
 * Polls a real process until it returns something other than `undefined`.
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

/** Error of an attempt that ends the poll of `until`, such as after the process has ended. */
export class HopelessError extends Error {
  override name = 'HopelessError';
}
