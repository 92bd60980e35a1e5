/** Converts thrown values, which need not be errors, to messages and errors. */

import { cutWithEllipsis } from './cut-text.ts';
import { redact } from './redact.ts';

/** Maximum number of reported errors of an AggregateError, and of reported members of an object. */
const maxReported = 8;

const shapeOf = (value: object): string =>
  `an object with ${Object.keys(value).slice(0, maxReported).join(', ') || 'nothing'}`;

type ErrorMembers = { readonly [member in 'message' | 'name' | 'errors']?: unknown };

/** Describes a thrown value; objects, which may hold secrets, by the names of their members. @throws the errors of getters of the value */
function describe(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message, name, errors } = thrown as ErrorMembers;
  if (typeof message === 'string' && message !== '') return message;
  return thrown instanceof Error ? describeMembers({ message, name, errors }) : shapeOf(thrown);
}

/** Describes an error whose message is not a string by the members of its message, by its errors, or by its name. */
function describeMembers({ message, name, errors }: ErrorMembers): string {
  if (typeof message === 'object' && message !== null) return `${name}: its message is ${shapeOf(message)}`;
  if (Array.isArray(errors) && errors.length > 0) return errors.slice(0, maxReported).map(textOf).join('; ');
  return String(message || name);
}

/** Longest text of a thrown value, in characters: a plug-in may throw all of what a third party has answered. */
const maxTextLength = 65_536;

function textOf(thrown: unknown): string {
  try {
    return cutWithEllipsis(describe(thrown), maxTextLength);
  } catch {
    return 'an error that cannot be read';
  }
}

/** Returns the delay in ms that a thrown value requests by its numeric `retryAfter`; undefined without one. */
export function retryAfterOf(thrown: unknown): number | undefined {
  try {
    const delay = (thrown as { readonly retryAfter?: unknown } | null | undefined)?.retryAfter;
    return typeof delay === 'number' && Number.isFinite(delay) ? Math.max(0, delay) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the message of a thrown value, an Error or not, with secrets redacted: see {@link redact}. Never empty, never throws. */
export const messageOf = (thrown: unknown): string => redact(textOf(thrown));

/** Reports whether a thrown value is an Error; undefined for a value whose members throw. */
function isError(thrown: unknown): boolean | undefined {
  try {
    return thrown instanceof Error;
  } catch {
    return undefined;
  }
}

/** Converts a thrown value into an Error with the given text and the value as cause; an Error is returned unchanged. */
function asError(thrown: unknown, text: () => string): Error {
  const isInstance = isError(thrown);
  if (isInstance === true) return thrown as Error;
  return isInstance === false ? new Error(text(), { cause: thrown }) : new Error(text());
}

/** Converts a thrown value into an Error; a value that is not an Error becomes the cause. */
export const errorOf = (thrown: unknown): Error => asError(thrown, () => textOf(thrown));

/** Converts a value thrown by a function into an Error that names the function; an Error is returned unchanged. */
export const errorThrownBy = (what: string, thrown: unknown): Error =>
  asError(thrown, () => `${what} threw ${textOf(thrown)}`);
