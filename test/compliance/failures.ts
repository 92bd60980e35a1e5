import { ApiError, ForbiddenError, UnreachableError } from '../../sdk/index.ts';

/** What a failing third party says: a no, nothing at all, or a plea for patience. */
export type FailureClass = 'definite' | 'ambiguous' | 'throttled';

/**
 * What a call ends with when the third party fails, given the call's arguments: an Error is thrown, anything else answered. `ambiguous` is asked for
 * calls that were carried out and for calls that were not. A class that is missing is not proved.
 */
export type Failures = Readonly<Partial<Record<FailureClass, (...args: readonly never[]) => unknown>>>;

/** How third parties that speak HTTP fail: 403, a reset connection, 429 with Retry-After. */
export const httpFailures: Failures = {
  definite: () => Response.json({ error: 'refused' }, { status: 403 }),
  ambiguous: () => new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }),
  throttled: () => Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '2' } }),
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
