/** Retry policies of failed runs. */

import { backoffDelay, mistakeInBackoff } from '../client/backoff.ts';
import { refuseUnknown } from '../options.ts';

/**
 * Returns the ms until a failed run is retried; undefined: not before the object changes. `attempt` is the number of failed runs in a row before
 * this one. Pure but for jitter.
 */
export type RetryPolicy = (error: unknown, attempt: number) => number | undefined;

/** Options of {@link exponentialBackoff}. */
export interface ExponentialBackoffOptions {
  /** ms before the first retry. @default 1 000 */
  readonly initialDelay?: number;
  /** Longest delay in ms. @default 300 000 */
  readonly maxDelay?: number;
  /** Share of each delay that is random, 0 to 1. @default 0.2 */
  readonly jitter?: number;
  /** Maximum number of retries; then the object waits for a change. @default no limit */
  readonly maxAttempts?: number;
  /** @default Math.random */
  readonly random?: () => number;
}

const known = new Set(['initialDelay', 'maxDelay', 'jitter', 'maxAttempts', 'random']);

const check = (options: ExponentialBackoffOptions): void => {
  const { initialDelay = 1000, maxDelay = 300_000, jitter = 0, maxAttempts = 0 } = options;
  const refuse = (what: string): never => {
    throw new TypeError(`exponentialBackoff: ${what}`);
  };
  refuseUnknown('exponentialBackoff', options, known);
  if (!(initialDelay > 0)) refuse(`initialDelay must be more than 0 ms, found ${initialDelay}`);
  const mistake = mistakeInBackoff({ initialDelay, maxDelay, jitter });
  if (mistake !== undefined) refuse(mistake);
  if (!(maxAttempts >= 0)) refuse(`maxAttempts must be 0 or more, found ${maxAttempts}`);
};

/** Creates a policy that doubles the delay with each failure, up to a cap, with jitter. @throws TypeError for invalid options */
export function exponentialBackoff(options: ExponentialBackoffOptions = {}): RetryPolicy {
  check(options);
  const {
    initialDelay = 1000,
    maxDelay = 300_000,
    jitter = 0.2,
    maxAttempts = Infinity,
    random = Math.random,
  } = options;
  return (_error, attempt) =>
    attempt >= maxAttempts ? undefined : backoffDelay({ initialDelay, maxDelay, jitter }, attempt, random);
}

/** Never retries: a failed run waits for a change. */
export const noRetry: RetryPolicy = () => undefined;

/** Options of {@link defaultRetryPolicy}. */
export const defaultRetryOptions: Required<Omit<ExponentialBackoffOptions, 'random'>> = {
  initialDelay: 5000,
  maxDelay: 160_000,
  maxAttempts: 6,
  jitter: 0.2,
};

/**
 * Default retry policy of a watch controller (grafana-app-sdk's DefaultRetryPolicy): six retries, 5 s doubling to 160 s, each up to a fifth shorter.
 */
export const defaultRetryPolicy: RetryPolicy = exponentialBackoff(defaultRetryOptions);
