/** Retries operations within a run (operatorkit). */

import type { KubeObject } from '../api/object.ts';
import { backoffDelay, mistakeInBackoff } from '../client/backoff.ts';
import { GiveUpError, isRace, retryAfterOf } from '../errors.ts';
import { refuseUnknown } from '../options.ts';
import { InvalidConfigError } from './config-errors.ts';
import { type Around, type OperatedReconciler, withAround } from './named-operations.ts';
import type { Reconciler } from './reconciler.ts';

/** Options of {@link withRetry}. */
export interface WithRetryOptions {
  /** Maximum number of retries. @default 3 */
  readonly retries?: number;
  /** ms before the first retry; doubles with each. @default 1 000 */
  readonly initialDelay?: number;
  /** Longest delay in ms. @default the initial one: all delays are the same */
  readonly maxDelay?: number;
  /** Share of each delay that is random, 0 to 1. @default 0 */
  readonly jitter?: number;
  /** @default Math.random */
  readonly random?: () => number;
}

const known = new Set(['retries', 'initialDelay', 'maxDelay', 'jitter', 'random']);

function check(options: WithRetryOptions): void {
  refuseUnknown('withRetry', options, known);
  const { retries = 3, initialDelay = 1000, maxDelay = initialDelay, jitter = 0 } = options;
  const refuse = (what: string): never => {
    throw new InvalidConfigError(`withRetry: ${what}`);
  };
  if (!Number.isInteger(retries) || retries < 0)
    refuse(`retries must be a whole number of at least 0, found ${retries}`);
  if (!(initialDelay >= 0)) refuse(`initialDelay must be 0 ms or more, found ${initialDelay}`);
  const mistake = mistakeInBackoff({ initialDelay, maxDelay, jitter });
  if (mistake !== undefined) refuse(mistake);
}

/** Reports whether an error determines the next run by itself, which the engine handles better than a waiting worker. */
const isForTheEngine = (error: unknown): boolean =>
  error instanceof GiveUpError || retryAfterOf(error) !== undefined || isRace(error);

/**
 * Retries each failed operation of a reconciler by itself: successful ones before it are not repeated. One that is not made of operations is retried
 * as a whole.
 * The wait is part of the run, on its clock, and ends with its signal; other objects go on. Returns a new reconciler.
 * Not retried here: giving up, an error with its own delay, and a conflict or stale read.
 * @throws InvalidConfigError for invalid options, TypeError for unknown ones; the last error when all attempts failed; the signal's reason when it
 * aborts while waiting
 */
export function withRetry<T extends KubeObject>(
  options: WithRetryOptions,
  reconciler: Reconciler<T>,
): OperatedReconciler<T> {
  check(options);
  const { retries = 3, initialDelay = 1000, maxDelay = initialDelay, jitter = 0, random = Math.random } = options;
  const around: Around<T> = async ({ resource, operation, request: { clock, signal, logger } }, run) => {
    for (let attempt = 0; ; attempt += 1)
      try {
        return await run();
      } catch (error) {
        if (attempt >= retries || isForTheEngine(error) || signal.aborted) throw error;
        const delay = backoffDelay({ initialDelay, maxDelay, jitter }, attempt, random);
        logger.warn({ err: error, resource, operation, delay }, 'operation failed, will try again');
        await clock.sleep(delay, signal);
      }
  };
  return withAround(reconciler, around);
}
