/** Delay of the next run after a run. */

import { GiveUpError, isRace } from '../../errors.ts';
import type { Result } from '../../reconcile/reconciler.ts';
import { backoffDelay, backoffs, type RetryPolicy } from '../../retry.ts';
import { retryAfterOf } from '../../thrown.ts';

/** Outcome of a run. */
export type Settled = { readonly result: Result } | { readonly error: unknown };

/** Options of {@link nextRun}. */
export interface NextRunOptions {
  readonly retry: RetryPolicy;
  /** @default Math.random */
  readonly random?: () => number;
}

/**
 * Returns the ms until the same object runs again; undefined when only a change runs it again. This is the only place that decides so.
 * `attempt` is the number of failed runs in a row before this one.
 *
 * A result's `requeueAfter` is used unchanged. Errors, in this order: GiveUpError is not retried; an error with a
 * numeric `retryAfter` is retried after that many ms; ConflictError and StaleError by `backoffs.race`, at
 * once at first; the retry policy decides about all others.
 */
export function nextRun(
  settled: Settled,
  attempt: number,
  { retry, random = Math.random }: NextRunOptions,
): number | undefined {
  if ('result' in settled) return settled.result.requeueAfter;
  const { error } = settled;
  if (error instanceof GiveUpError) return undefined;
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) return retryAfter;
  return isRace(error) ? backoffDelay(backoffs.race, attempt, random) : retry(error, attempt);
}
