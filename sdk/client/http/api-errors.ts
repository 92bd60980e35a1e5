/** Maps failed HTTP responses to error classes. */

import {
  AlreadyExistsError,
  ApiError,
  ConflictError,
  ExpiredError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  type RequestInfo,
  type Status,
} from '../../errors.ts';

type ErrorClass = new (status: Status, request: RequestInfo, retryAfter?: number) => ApiError;

/** Classes by reason. A map, since webhooks choose the reasons of their refusals. */
const byReason: ReadonlyMap<unknown, ErrorClass> = new Map<unknown, ErrorClass>([
  ['AlreadyExists', AlreadyExistsError],
  ['Conflict', ConflictError],
  ['Expired', ExpiredError],
  ['Forbidden', ForbiddenError],
  ['Gone', ExpiredError],
  ['Invalid', InvalidError],
  ['NotFound', NotFoundError],
  ['Unauthorized', ForbiddenError],
]);

/** Reasons by HTTP status, for responses without one: from proxies, and for unknown paths. */
const reasonByCode: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

const maxQuoteLength = 300;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isStatus = (value: unknown): value is Status =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';

/** Describes where a redirect leads, without its query, which may hold a credential; undefined for another response. */
function redirection(code: number, location: unknown, server: string): string | undefined {
  if (code > 399 || typeof location !== 'string' || !URL.canParse(location, server)) return undefined;
  const { origin, pathname } = new URL(location, server);
  return `HTTP ${code}: it leads to ${`${origin}${pathname}`.slice(0, maxQuoteLength)}, and redirects are not followed`;
}

/** Parses the Status of a failed response; for any other body (a proxy's page, plain text), makes one that quotes it, or tells where a redirect leads. */
export function statusOf(
  code: number,
  body: string,
  from?: { readonly location: unknown; readonly server: string },
): Status {
  const value = parsed(body);
  if (isStatus(value)) return { ...value, code: value.code ?? code };
  const quote = body.trim().slice(0, maxQuoteLength);
  const quoted = quote === '' ? `HTTP ${code} without a body` : `HTTP ${code}: ${quote}`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    reason: reasonByCode[code] ?? '',
    message: (from && redirection(code, from.location, from.server)) ?? quoted,
  };
}

/** Returns the error of the class for the Status: by its reason, then by its code; else an {@link ApiError}. */
export function apiErrorOf(status: Status, request: RequestInfo, retryAfter?: number): ApiError {
  const reason = status.reason || reasonByCode[status.code ?? 0] || '';
  const Class = byReason.get(reason) ?? byReason.get(reasonByCode[status.code ?? 0]) ?? ApiError;
  return new Class(status, request, retryAfter);
}
