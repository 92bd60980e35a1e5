import type { Clock } from './clock.ts';

/** Until when something may take, and what ends it before. */
export interface DeadlineOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** ms */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** Lets `work` go on until `signal` aborts, and for `deadline` ms at most: its own signal aborts then. @throws what `work` makes of its signal */
export async function withDeadline<T>(
  { clock, deadline, signal }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.after(deadline, () => late.abort(new Error(`no answer within ${deadline} ms`)));
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } finally {
    cancel();
  }
}
