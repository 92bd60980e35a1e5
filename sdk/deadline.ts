/** Runs work with a deadline. */

import type { Clock } from './clock.ts';

/** Limits of {@link withDeadline}. */
export interface DeadlineOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** ms */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Operation named in the message, such as `box a: observe`. @default none */
  readonly what?: string | undefined;
}

/** Runs `work` with a signal that aborts with `signal`, or after `deadline` ms. @throws the error that `work` rejects with */
export async function withDeadline<T>(
  { clock, deadline, signal, what }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const message = [what, `no answer within ${Math.round(deadline)} ms`].filter((part) => part !== undefined).join(': ');
  const cancel = clock.after(deadline, () => timeout.abort(new Error(message)));
  // The signal of an attempt compares its deadline with the clock when `aborted` is read; AbortSignal.any of Node 26, Deno and Bun does not read it.
  if (signal.aborted) timeout.abort(signal.reason);
  try {
    return await work(AbortSignal.any([signal, timeout.signal]));
  } finally {
    cancel();
  }
}
