import type { KubeObject } from '../api/object.ts';
import { backoffDelay, mistakeInBackoff } from '../client/backoff.ts';
import { GiveUpError, isRace, retryAfterOf } from '../errors.ts';
import { refuseUnknown } from '../options.ts';
import { InvalidConfigError } from './config-errors.ts';
import { type Around, type OperatedReconciler, withAround } from './named-operations.ts';
import type { Reconciler } from './reconciler.ts';

/** When an operation that failed is tried again within the same run. */
export interface WithRetryOptions {
  /** How often at most, after the first time. @default 3 */
  readonly retries?: number;
  /** ms before the first retry; doubles with each. @default 1 000 */
  readonly initialDelay?: number;
  /** ms; no delay is longer. @default the initial one: they are all the same */
  readonly maxDelay?: number;
  /** The share of each delay that is random, 0 to 1. @default 0 */
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

/** Errors that already say what comes next, which the engine does better than a worker that waits. */
const isForTheEngine = (error: unknown): boolean =>
  error instanceof GiveUpError || retryAfterOf(error) !== undefined || isRace(error);

/**
 * Tries each operation of a reconciler again that fails, alone: what went well before it is not repeated. One that is not made of operations is tried again as a whole.
 * The wait is the run's, on its clock, and ends with its signal; other objects go on. The reconciler itself stays as it is.
 * Not tried again here: giving up, an error with a delay of its own, and one that says that something has changed.
 * @throws InvalidConfigError for options that make no sense, TypeError for unknown ones; the last error when all tries failed; the signal's reason when it aborts while waiting
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
