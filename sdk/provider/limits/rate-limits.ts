/** Rate limits for calls to third parties. */

import type { Logger } from 'pino';
import { isJsonObject } from '../../api/json.ts';
import type { Workspace } from '../../api/workspace.ts';
import {
  ApiError,
  ContractError,
  DefiniteError,
  FencedError,
  GiveUpError,
  ThrottledError,
  UnreachableError,
} from '../../errors.ts';
import { unknownIn } from '../../options.ts';
import { backoffs } from '../../retry.ts';
import { describeValue } from '../describe-value.ts';
import { isNeverSent } from '../http-errors.ts';
import { mistakeInUnboundedDuration } from '../value-mistakes.ts';
import type { CallOutcome, CircuitBreakerOptions, CircuitBreakerState } from './circuit-breaker.ts';
import { FairRateLimiter, type RateLimitOptions } from './fair-rate-limiter.ts';

/**
 * Rate limits of an integration's calls to its third party, per credential and process. A call is one guarded change, or one drift check.
 * Integrations with the same object share its limiters.
 */
export interface RateLimits extends RateLimitOptions {
  /** Returns the name of the credential that a workspace uses, never the credential itself: pure, cheap, never throws. @default all use one */
  readonly credential?: (workspace: Workspace) => string;
}

const known = new Set(['credential', 'rate', 'burst', 'breaker']);
const knownOfBreaker = new Set(['failures', 'pause', 'maxPause']);

/** Reports whether a value is a number of at least `least`. */
const isAtLeast = (value: unknown, least: number): value is number => typeof value === 'number' && value >= least;

const isFiniteFrom = (value: unknown, least: number): boolean => isAtLeast(value, least) && Number.isFinite(value);

function mistakeInBreaker({
  failures = 1,
  pause = backoffs.circuitProbe.initialDelay,
  maxPause = Number.POSITIVE_INFINITY,
}: CircuitBreakerOptions): string | undefined {
  if (!isAtLeast(failures, 1))
    return `breaker.failures must be a number of calls from 1, found ${describeValue(failures)}`;
  const mistake = mistakeInUnboundedDuration(pause);
  if (mistake !== undefined) return `breaker.pause ${mistake}`;
  if (!isAtLeast(maxPause, pause))
    return `breaker.maxPause must be at least pause (${pause} ms), found ${describeValue(maxPause)}`;
  return undefined;
}

/** Describes the first invalid limit, as `field expected`; undefined when all are valid. */
export function mistakeInLimits(limits: RateLimits): string | undefined {
  const { credential, rate, burst = 1, breaker = {} } = limits;
  if (!isJsonObject(breaker)) return `breaker must be an object, found ${describeValue(breaker)}`;
  const unknown = unknownIn(limits, known) ?? unknownIn(breaker, knownOfBreaker, 'breaker.');
  if (unknown !== undefined) return unknown;
  if (!isFiniteFrom(rate, Number.MIN_VALUE))
    return `rate must be a number of calls per second above 0, found ${describeValue(rate)}`;
  if (!isFiniteFrom(burst, 1)) return `burst must be a number of calls from 1, found ${describeValue(burst)}`;
  const mistake = mistakeInBreaker(breaker);
  if (mistake !== undefined) return mistake;
  if (credential !== undefined && typeof credential !== 'function')
    return 'credential must be a function (workspace) => name of a credential';
  return undefined;
}

/** Reports whether a thrown error comes from the API server or this package, and says nothing about the third party. */
const isOurs = (error: unknown): boolean =>
  error instanceof ApiError ||
  error instanceof UnreachableError ||
  error instanceof FencedError ||
  error instanceof ContractError;

/** Classifies the error of a call as evidence of the third party's health. */
export function callOutcomeOf(error: unknown): CallOutcome {
  if (error instanceof ThrottledError) return { kind: 'throttled', retryAfter: error.retryAfter ?? 0 };
  if (isOurs(error)) return { kind: 'unknown' };
  const answered = error instanceof DefiniteError || error instanceof GiveUpError;
  return { kind: answered && !isNeverSent(error) ? 'answered' : 'failed' };
}

/** State of the rate limiter of one credential. */
export interface LimitState {
  /** Limits of the integrations that share it. */
  readonly limits: RateLimits;
  readonly credential: string;
  readonly breaker: CircuitBreakerState;
  /** Number of callers that wait for a permit. */
  readonly waiting: number;
  /** ms for which no call is allowed at all. */
  readonly pause: number;
}

/** Rate limiters of a process: one for each credential in use, kept while it has waiters or state. */
export class RateLimiters {
  readonly #logger: Logger | undefined;
  readonly #limiters = new Map<RateLimits, Map<string, FairRateLimiter>>();

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /** Returns the limiter of a credential. @param now monotonic ms */
  of(limits: RateLimits, credential: string, now: number): FairRateLimiter {
    const limiters = this.#limiters.get(limits) ?? new Map<string, FairRateLimiter>();
    this.#limiters.set(limits, limiters);
    const limiter = limiters.get(credential) ?? new FairRateLimiter(limits, now);
    limiters.set(credential, limiter);
    return limiter;
  }

  /** Removes idle limiters after a call; logs a warning while the circuit of its credential is open. */
  removeIdle(limits: RateLimits, credential: string, now: number): void {
    const limiters = this.#limiters.get(limits);
    for (const [name, limiter] of limiters ?? []) if (limiter.isIdle(now)) limiters?.delete(name);
    if (limiters?.size === 0) this.#limiters.delete(limits);
    if (limiters?.get(credential)?.state(now) === 'open')
      this.#logger?.warn({ credential }, 'circuit breaker open: third party failing or throttling');
  }

  /** Returns the state of each limiter. @param now monotonic ms */
  states(now: number): readonly LimitState[] {
    return [...this.#limiters].flatMap(([limits, limiters]) =>
      [...limiters].map(([credential, limiter]) => ({
        limits,
        credential,
        breaker: limiter.state(now),
        waiting: limiter.waiting,
        pause: limiter.pause(now),
      })),
    );
  }

  /** Number of credentials with a limiter. */
  get size(): number {
    return [...this.#limiters.values()].reduce((sum, limiters) => sum + limiters.size, 0);
  }
}
