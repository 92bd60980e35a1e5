/** Retries operations within a run (operatorkit). */

import type { KubeObject } from '../../api/object.ts';
import { GiveUpError, isRace } from '../../errors.ts';
import { allowsRetry, type BackoffOptions, backoffDelay, backoffOf, backoffs } from '../../retry.ts';
import { retryAfterOf } from '../../thrown.ts';
import type { Reconciler } from '../reconciler.ts';
import { InvalidConfigError } from './config-errors.ts';
import { type Around, type OperatedReconciler, withAround } from './named-operations.ts';

/** Completes the options. @throws InvalidConfigError for invalid ones; a number of retries must be given, since a worker waits for them */
function policyOf(options: BackoffOptions): Required<BackoffOptions> {
  const refuse = (mistake: string) => new InvalidConfigError(mistake);
  const policy = backoffOf('withRetry', options, { policy: backoffs.operation, refuse });
  if (Number.isInteger(policy.retries)) return policy;
  throw refuse(`withRetry: retries must be a whole number of at least 0, found ${policy.retries}`);
}

/** Reports whether an error determines the next run by itself, which the engine handles better than a waiting worker. */
const isForTheEngine = (error: unknown): boolean =>
  error instanceof GiveUpError || retryAfterOf(error) !== undefined || isRace(error);

/**
 * Retries each failed operation of a reconciler by itself, by default as `backoffs.operation` says: successful ones before it are not repeated. One that is not made of operations is retried
 * as a whole.
 * The wait is part of the run, on its clock, and ends with its signal; other objects continue. Returns a new reconciler.
 * Not retried here: giving up, an error with its own delay, and a conflict or stale read.
 * @throws InvalidConfigError for invalid options, TypeError for unknown ones; the last error when all attempts failed; the signal's reason when it
 * aborts while waiting
 */
export function withRetry<T extends KubeObject>(
  options: BackoffOptions,
  reconciler: Reconciler<T>,
): OperatedReconciler<T> {
  const policy = policyOf(options);
  const around: Around<T> = async ({ resource, operation, request: { clock, signal, logger } }, run) => {
    for (let attempt = 0; ; attempt += 1)
      try {
        return await run();
      } catch (error) {
        if (!allowsRetry(policy, attempt) || isForTheEngine(error) || signal.aborted) throw error;
        const delay = backoffDelay(policy, attempt, policy.random);
        logger.warn({ err: error, resource, operation, delay }, 'operation failed, retrying');
        await clock.sleep(delay, signal);
      }
  };
  return withAround(reconciler, around);
}
