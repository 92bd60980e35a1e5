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
  const late = new AbortController();
  const message = [what, `no answer within ${Math.round(deadline)} ms`].filter((part) => part !== undefined).join(': ');
  const cancel = clock.after(deadline, () => late.abort(new Error(message)));
  // The signal of an attempt looks at the clock when it is read; for AbortSignal.any Node 26, Deno and Bun do not read it.
  if (signal.aborted) late.abort(signal.reason);
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } finally {
    cancel();
  }
}
