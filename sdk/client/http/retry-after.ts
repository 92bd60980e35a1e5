/** Decides on retries of throttled requests. */

import { allowsRetry, backoffs, boundedRetryAfter, jitter } from '../../retry.ts';
import type { Headers } from './http-exchange.ts';

/** Refused request, as {@link retryDelayOf} judges it. */
export interface RefusedRequest {
  readonly status: number;
  readonly headers: Headers;
  /** Number of earlier refusals of the same request. */
  readonly attempt: number;
  /** Wall clock, for a Retry-After that is a date. */
  readonly now: number;
  readonly random: () => number;
}

const policy = backoffs.throttledRequest;

/** Returns the delay in ms of a Retry-After header, in seconds or as a date: a second at least, an hour at most. */
export function retryAfterHeader(headers: Headers, now: number): number | undefined {
  const { 'retry-after': value } = headers;
  if (typeof value !== 'string') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : boundedRetryAfter(ms);
}

/**
 * Returns the delay in ms before the request is sent again; undefined when it must not be sent again: only a 429, or a 503 with Retry-After, says that
 * it was not carried out. The default delay is that of `backoffs.throttledRequest`.
 */
export function retryDelayOf({ status, headers, attempt, now, random }: RefusedRequest): number | undefined {
  if (!allowsRetry(policy, attempt)) return undefined;
  const requested = retryAfterHeader(headers, now);
  if (status !== 429 && !(status === 503 && requested !== undefined)) return undefined;
  return jitter(requested ?? policy.initialDelay, policy, random);
}
