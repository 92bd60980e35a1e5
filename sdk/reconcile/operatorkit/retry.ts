/** Retries operations within a run (operatorkit). */

import type { KubeObject } from '../../api/object.ts';
import { GiveUpError, isRace } from '../../errors.ts';
import { allowsRetry, type BackoffOptions, backoffDelay, backoffOf, backoffs } from '../../retry.ts';
import { retryAfterOf } from '../../thrown.ts';
import type { Reconciler } from '../reconciler.ts';
import { InvalidConfigError } from './config-errors.ts';
import { type OperationInterceptor, type OperationReconciler, withInterceptor } from './operations.ts';

/** Completes the options. A number of retries is required, since they occupy a worker. @throws InvalidConfigError for invalid options */
function policyOf(options: BackoffOptions): Required<BackoffOptions> {
  const refuse = (mistake: string) => new InvalidConfigError(mistake);
  const policy = backoffOf('withRetry', options, { policy: backoffs.operation, refuse });
  if (Number.isInteger(policy.retries)) return policy;
  throw refuse(`withRetry: retries must be a whole number of at least 0, found ${policy.retries}`);
}

/** Reports whether the engine decides when to run again after this error: it must not be retried within the run. */
const isRetriedByEngine = (error: unknown): boolean =>
  error instanceof GiveUpError || retryAfterOf(error) !== undefined || isRace(error);

/**
 * Retries each failed operation of a reconciler within the run, by default with `backoffs.operation`: earlier successful operations are not repeated.
 * A reconciler without named operations is retried as a whole.
 * The delay is part of the run, on its clock, and ends with its signal; other objects are not delayed. Returns a new reconciler.
 * Not retried here: a GiveUpError, an error with its own delay, a conflict or stale read.
 * @throws InvalidConfigError for invalid options, TypeError for unknown ones; the last error when all attempts failed; the signal's reason when it
 * aborts while waiting
 */
export function withRetry<T extends KubeObject>(
  options: BackoffOptions,
  reconciler: Reconciler<T>,
): OperationReconciler<T> {
  const policy = policyOf(options);
  const interceptor: OperationInterceptor<T> = async (
    { resource, operation, request: { clock, signal, logger } },
    run,
  ) => {
    for (let attempt = 0; ; attempt += 1)
      try {
        return await run();
      } catch (error) {
        if (!allowsRetry(policy, attempt) || isRetriedByEngine(error) || signal.aborted) throw error;
        const delay = backoffDelay(policy, attempt, policy.random);
        logger.warn({ err: error, resource, operation, delay }, 'operation failed, retrying');
        await clock.sleep(delay, signal);
      }
  };
  return withInterceptor(reconciler, interceptor);
}
