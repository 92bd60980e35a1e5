import type { Status } from '../../sdk/errors.ts';

/** Kinds of field errors; `Invalid` is the only one whose `value` may be left out of the message. */
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

/** One thing wrong with one field, as the API server words it. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Path such as `spec.containers[0].image`; `<nil>` where the server has none. */
  readonly field: string;
  /** What was found there; for TooMany how many. Invalid without a value leaves it out of the message; nothing found is null. */
  readonly value?: unknown;
  /** What is wrong about it. For NotSupported the list of supported values, already joined. */
  readonly detail?: string;
  /** Whether it was wrong before as well: it is warned of, and no reason to refuse a write. */
  readonly tolerated?: true;
}

/** One entry of `details.causes` of a Status. */
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

/** What Go writes for control characters that have a short name. */
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

/** A string in Go's `%q`. */
export const quoted = (text: string): string => `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapeOf)}"`;

const sortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Text of JSON with what HTML cannot have escaped, as Go writes it. */
export const escapedHtml = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value as Go's `json.Marshal` writes it: HTML escaped, fields in the order they have. */
export const goJson = (value: unknown): string => escapedHtml(JSON.stringify(value ?? null));

/** A value as Go's `json.Marshal` writes maps: with sorted keys. Equal values give equal texts. */
export const sortedJson = (value: unknown): string => escapedHtml(JSON.stringify(value ?? null, sortedKeys));

const valueText = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  return typeof value === 'boolean' ? String(value) : goJson(value);
};

/** The message of the cause: what is wrong, without the field. */
export function bodyOf({ type, value, detail = '' }: FieldError): string {
  const bare = withoutValue.has(type) || (type === 'Invalid' && value === undefined);
  const phrase = bare ? phrases[type] : `${phrases[type]}: ${valueText(value)}`;
  return detail === '' ? phrase : `${phrase}: ${detail}`;
}

/** The whole message of one error: field and body. */
export const messageOf = (error: FieldError): string => `${error.field}: ${bodyOf(error)}`;

/** The entry of `details.causes`. */
export const causeOf = (error: FieldError): StatusCause => ({
  reason: `FieldValue${error.type}`.replace('FieldValueInternal', 'InternalError'),
  message: bodyOf(error),
  field: error.field,
});

/** A NotSupported error that lists what is supported. */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  value,
  detail: `supported values: ${supported.map(quoted).join(', ')}`,
});

/** The kind that a 422 is about: the Kind, not the resource. */
export interface InvalidKind {
  readonly group: string;
  readonly kind: string;
}

/** The 422 answer: every error a cause, the message without repetitions. */
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
