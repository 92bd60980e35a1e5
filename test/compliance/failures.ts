import { ApiError, ForbiddenError, UnreachableError } from '../../sdk/index.ts';

/** What a failing third party says: a no, nothing at all, or a plea for patience. */
export type FailureClass = 'definite' | 'ambiguous' | 'throttled';

/** What a call ends with, given its arguments: an Error is thrown, anything else answered. */
export type Failure = (...args: readonly never[]) => unknown;

/**
 * What calls end with when the third party fails; of several failures of a class each is tried. `ambiguous` is asked for calls that were carried out
 * and for calls that were not. A class that is missing is not proved.
 */
export type Failures = Readonly<Partial<Record<FailureClass, Failure | readonly Failure[]>>>;

/** The failures of one class, however many were declared. */
export function failuresOf(failures: Failures, failure: FailureClass): readonly Failure[] {
  const declared = failures[failure] ?? [];
  return typeof declared === 'function' ? [declared] : declared;
}

const broken = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
const answer = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ error: `HTTP ${status}` }, { status, headers });

/** How third parties that speak HTTP fail: 403; a reset connection, 500, a time-out, 504; 429 and 503 with Retry-After. */
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

/** How the API server fails, for integrations that make objects of the cluster: 403, no answer, 429 with Retry-After. */
export const clusterFailures: Failures = {
  definite: () => new ForbiddenError(statusOf(403, 'Forbidden'), request),
  ambiguous: () => new UnreachableError(request, new Error('reset'), false),
  throttled: () => new ApiError(statusOf(429, 'TooManyRequests'), request, 2_000),
};
