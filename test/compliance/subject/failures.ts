/** Failures of third parties. */

import { ApiError, ForbiddenError, ThrottledError, UnreachableError } from '../../../sdk/index.ts';

/** Class of failure: a refusal, no response, or throttling. */
export type FailureClass = 'definite' | 'ambiguous' | 'throttled';

/** Returns the result of a failed call from its arguments: an Error is thrown, any other value returned. */
export type Failure = (...args: readonly never[]) => unknown;

/**
 * Failures of the third party by class; each of several is tried. `ambiguous` is used both for calls that were carried out and for calls that were
 * not. A missing class is not tested.
 */
export type Failures = Readonly<Partial<Record<FailureClass, Failure | readonly Failure[]>>>;

/** Returns the failures of one class as a list. */
export function failuresOf(failures: Failures, failure: FailureClass): readonly Failure[] {
  const declared = failures[failure] ?? [];
  return typeof declared === 'function' ? [declared] : declared;
}

const broken = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
const answer = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ error: `HTTP ${status}` }, { status, headers });

/** Failures of HTTP APIs: 403; a reset connection, 500, a timeout, 504; 429 and 503 with Retry-After. */
export const httpFailures: Failures = {
  definite: () => answer(403),
  ambiguous: [
    () => broken('ECONNRESET'),
    () => answer(500),
    () => new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    () => answer(504),
  ],
  throttled: [() => answer(429, { 'retry-after': '2' }), () => answer(503, { 'retry-after': '2' })],
};

const request = { method: 'POST', path: '/', server: 'cluster' };
const statusOf = (code: number, reason: string) =>
  ({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `the kit says ${reason}` }) as const;

/** Failures of the API server, for integrations that create cluster objects: 403, no response, 429 with Retry-After. */
export const clusterFailures: Failures = {
  definite: () => new ForbiddenError(statusOf(403, 'Forbidden'), request),
  ambiguous: () => new UnreachableError(request, new Error('reset'), false),
  throttled: () => new ApiError(statusOf(429, 'TooManyRequests'), request, 2_000),
};

/** Returns the time in ms after which a failure may be retried: the Retry-After of a response, in seconds, or that of the SDK's error. */
export function retryAfterOf(said: unknown): number | undefined {
  if (said instanceof ThrottledError) return said.retryAfter;
  const seconds = said instanceof Response ? said.headers.get('retry-after') : null;
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
