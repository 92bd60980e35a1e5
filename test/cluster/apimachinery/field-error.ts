/** Field errors and the 422 Status made of them, worded as k8s.io/apimachinery's `field.Error`. */

import type { Status } from '../../../sdk/errors.ts';

/** Types of field errors; only `Invalid` may leave `value` out of its message. */
export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'NotSupported'
  | 'Forbidden'
  | 'Duplicate'
  | 'TooLong'
  | 'TooMany'
  | 'NotFound'
  | 'TypeInvalid'
  | 'Internal';

/** Validation error of one field. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Path such as `spec.containers[0].image`; `<nil>` for errors without one. */
  readonly field: string;
  /** Rejected value; for TooMany the actual count. Invalid without a value leaves it out of the message; null stands for a missing one. */
  readonly value?: unknown;
  /** Explanation. For NotSupported the supported values, already joined. */
  readonly detail?: string;
  /** Set when the old object had the same error: the server warns and does not refuse the write (ratcheting). */
  readonly tolerated?: true;
}

/** Entry of a Status's `details.causes`. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

const phrases: Record<FieldErrorType, string> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  Duplicate: 'Duplicate value',
  TooLong: 'Too long',
  TooMany: 'Too many',
  NotFound: 'Not found',
  TypeInvalid: 'Invalid value',
  Internal: 'Internal error',
};

const withoutValue: ReadonlySet<FieldErrorType> = new Set(['Required', 'Forbidden', 'TooLong', 'Internal']);

/** Go's short escapes of control characters. */
export const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

const escapeOf = (char: string): string => {
  if (char === '"' || char === '\\') return `\\${char}`;
  const code = char.codePointAt(0)!;
  return (
    escapes[char] ??
    (code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`)
  );
};

/** Quotes a string as Go's `%q` does. */
export const quoted = (text: string): string => `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapeOf)}"`;

const sortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Escapes characters of JSON text that are unsafe in HTML, as Go does. */
export const escapedHtml = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Encodes a value like Go's `json.Marshal` of a struct: HTML escaped, fields in their own order. */
export const goJson = (value: unknown): string => escapedHtml(JSON.stringify(value ?? null));

/** Encodes a value like Go's `json.Marshal` of a map: sorted keys, so equal values give equal texts. */
export const sortedJson = (value: unknown): string => escapedHtml(JSON.stringify(value ?? null, sortedKeys));

const valueText = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  return typeof value === 'boolean' ? String(value) : goJson(value);
};

/** Returns the message without the field, as `field.Error.ErrorBody` does. */
export function bodyOf({ type, value, detail = '' }: FieldError): string {
  const bare = withoutValue.has(type) || (type === 'Invalid' && value === undefined);
  const phrase = bare ? phrases[type] : `${phrases[type]}: ${valueText(value)}`;
  return detail === '' ? phrase : `${phrase}: ${detail}`;
}

/** Returns the whole message: field and body. */
export const messageOf = (error: FieldError): string => `${error.field}: ${bodyOf(error)}`;

/** Returns the `details.causes` entry of an error. */
export const causeOf = (error: FieldError): StatusCause => ({
  reason: `FieldValue${error.type}`.replace('FieldValueInternal', 'InternalError'),
  message: bodyOf(error),
  field: error.field,
});

/** Returns a NotSupported error that lists the supported values. */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  value,
  detail: `supported values: ${supported.map(quoted).join(', ')}`,
});

/** Group and kind that a 422 names. */
export interface InvalidKind {
  readonly group: string;
  readonly kind: string;
}

/** Builds the 422 Status: every error a cause, the message without duplicates. */
export function invalidStatus({ kind, group }: InvalidKind, name: string, errors: readonly FieldError[]): Status {
  const messages = [...new Set(errors.map(messageOf))];
  const body = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${group === '' ? kind : `${kind}.${group}`} ${quoted(name)} is invalid: ${body}`,
    reason: 'Invalid',
    details: {
      ...(name !== '' && { name }),
      ...(group !== '' && { group }),
      ...(kind !== '' && { kind }),
      causes: errors.map(causeOf),
    },
    code: 422,
  } as Status;
}
