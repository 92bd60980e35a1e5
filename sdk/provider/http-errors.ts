/** Converts HTTP failures into definite, ambiguous and throttling errors. */

import { retryAfterHeader } from '../client/http/retry-after.ts';
import { DefiniteError, ThrottledError } from '../errors.ts';

/** Part of a `Response` that is needed; undici's and fetch's fit. */
export interface HttpResponseHead {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/** Statuses below 500 for which it is unknown whether the request was carried out. */
const ambiguous: ReadonlySet<number> = new Set([408, 425]);

/**
 * Returns the error to throw from a task for a failed HTTP response: 429, and 503 with Retry-After, are throttling; 408, 425 and all others from
 * 500 are ambiguous; the rest of 400 to 499 is definite. A 429 without Retry-After is retried with back-off.
 *
 * @param message request and response, for the condition: never a secret
 * @param now wall clock in ms, for a Retry-After that is a date
 */
export function errorOfResponse({ status, headers }: HttpResponseHead, message: string, now: number): Error {
  const retryAfter = retryAfterHeader({ 'retry-after': headers.get('retry-after') ?? undefined }, now);
  if (status === 429 || (status === 503 && retryAfter !== undefined)) return new ThrottledError(message, retryAfter);
  return status < 500 && !ambiguous.has(status) ? new DefiniteError(message) : new Error(message);
}

/** Codes of errors that occur before anything is sent. */
const neverSent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const codesOf = (error: unknown, depth = 0): readonly unknown[] => {
  if (typeof error !== 'object' || error === null || depth > 4) return [];
  const { code, cause, errors } = error as {
    readonly code?: unknown;
    readonly cause?: unknown;
    readonly errors?: readonly unknown[];
  };
  const inner = Array.isArray(errors) ? errors.flatMap((one) => codesOf(one, depth + 1)) : codesOf(cause, depth + 1);
  return code === undefined ? inner : [code, ...inner];
};

/** Reports whether an error shows that the request was never sent: no address, or no connection. */
export function isNeverSent(error: unknown): boolean {
  const codes = codesOf(error);
  return codes.length > 0 && codes.every((code) => neverSent.has(code));
}

/**
 * Returns the error to throw for a request without a response: definite if no connection was made, else ambiguous. The system's error code, such as
 * ENOTFOUND, is appended to the message; the error is its cause.
 */
export function errorOfRequest(error: unknown, message: string): Error {
  const code = codesOf(error).findLast((one) => typeof one === 'string');
  const text = code === undefined ? message : `${message} (${code})`;
  return isNeverSent(error) ? new DefiniteError(text, { cause: error }) : new Error(text, { cause: error });
}
