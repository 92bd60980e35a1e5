import { backoffDelay } from '../client/backoff.ts';
import { GiveUpError, isRace, retryAfterOf } from '../errors.ts';
import type { Result } from '../reconcile/reconciler.ts';
import type { RetryPolicy } from './retry.ts';

/** How a run ended. */
export type Settled = { readonly result: Result } | { readonly error: unknown };

export interface NextRunOptions {
  readonly retry: RetryPolicy;
  /** @default Math.random */
  readonly random?: () => number;
}

/** This many stale runs in a row are run again at once; then they slow down, so that they never become a hot loop. */
const atOnce = 3;
const staleBackoff = { initialDelay: 20, maxDelay: 1000, jitter: 0.5 };

/**
 * ms until the same object runs again; undefined: not before something changes. The only place that knows.
 * `attempt` is how many runs in a row had failed before this one.
 *
 * A result's `requeueAfter` counts as it is. Of errors, in this order: GiveUpError is not tried again; an error with a
 * numeric `retryAfter` is after that many ms; ConflictError and StaleError at once, slower after three in a row
 * (20 ms doubling to 1 s); anything else is the retry policy's.
 */
export function nextRun(
  settled: Settled,
  attempt: number,
  { retry, random = Math.random }: NextRunOptions,
): number | undefined {
  if ('result' in settled) return settled.result.requeueAfter;
  const { error } = settled;
  if (error instanceof GiveUpError) return undefined;
  const wish = retryAfterOf(error);
  if (wish !== undefined) return wish;
  if (!isRace(error)) return retry(error, attempt);
  return attempt < atOnce ? 0 : backoffDelay(staleBackoff, attempt - atOnce, random);
}
