/** Envelope of the responses of Cloudflare's API. */

import { shortLine } from '../quoted-text.ts';

/** Reports whether a value has members. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const errorsOf = (body: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isObject(body) && Array.isArray(body.errors) ? body.errors.slice(0, 3).filter(isObject) : [];

/** Returns the texts of the errors in a response; undefined without any. */
export const reasonOf = (body: unknown): string | undefined =>
  shortLine(
    errorsOf(body)
      .map(({ code, message }) => `${code} ${message}`)
      .join(', '),
  ) || undefined;

/** Reports whether a response has an error with this code. */
export const hasErrorCode = (body: unknown, code: number): boolean =>
  errorsOf(body).some((error) => error.code === code);

/** Returns the result of a successful response. @throws Error for any other */
export function resultOf(body: unknown, what: string): unknown {
  if (isObject(body) && body.success === true) return body.result;
  throw new Error(`Cloudflare: ${what}: returned no success: ${reasonOf(body) ?? 'without an error'}`);
}
