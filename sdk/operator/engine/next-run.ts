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
 * Shortest delay in ms that a reconciler can ask for. Without one, a reconciler that always asks for 0 and waits for nothing itself would keep timers,
 * requests and signals of the process from being handled.
 */
const minDelay = 1;

/**
 * Returns the ms until the same object runs again; undefined when only a change runs it again. This is the only place that decides so.
 * `attempt` is the number of failed runs in a row before this one.
 *
 * A result's `requeueAfter` is used, 0 as 1 ms. Errors, in this order: GiveUpError is not retried; an error with a
 * numeric `retryAfter` is retried after that many ms, 1 at least; ConflictError and StaleError by `backoffs.race`, at
 * once at first; the retry policy decides about all others.
 */
export function nextRun(
  settled: Settled,
  attempt: number,
  { retry, random = Math.random }: NextRunOptions,
): number | undefined {
  if ('result' in settled) {
    const { requeueAfter } = settled.result;
    return requeueAfter === undefined ? undefined : Math.max(minDelay, requeueAfter);
  }
  const { error } = settled;
  if (error instanceof GiveUpError) return undefined;
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) return Math.max(minDelay, retryAfter);
  return isRace(error) ? backoffDelay(backoffs.race, attempt, random) : retry(error, attempt);
}
