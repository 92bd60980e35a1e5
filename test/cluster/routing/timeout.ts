/** Validation of the query parameter `timeout`. */

import { badRequest } from '../apimachinery/status.ts';
import { textResponse } from '../encoding/representation.ts';
import { flagOf } from '../handlers/parameters.ts';
import type { ApiResponse } from '../requests/message.ts';
import type { Route } from '../requests/routes.ts';

const nanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};

const maxNanoseconds = 2 ** 63;

/** Time-out in which no request can be answered, in ns. */
const tooShort = 1e6;

/** Parses a duration to ns; returns Go's error for an invalid one. */
function durationIn(text: string): number | string {
  const quoted = JSON.stringify(text);
  const invalid = `invalid duration ${quoted}`;
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0;
  let total = 0;
  do {
    const [whole = '', digits = ''] = /^(\d*(?:\.\d*)?)/.exec(rest) ?? [];
    if (!/\d/.test(digits)) return invalid;
    const [unit = ''] = /^[^.\d]*/.exec(rest.slice(whole.length)) ?? [];
    if (unit === '') return `missing unit in duration ${quoted}`;
    const size = nanoseconds[unit];
    if (size === undefined) return `unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
    total += Number(digits) * size;
    rest = rest.slice(whole.length + unit.length);
  } while (rest !== '');
  if (total > maxNanoseconds) return invalid;
  return text.startsWith('-') ? -total : total;
}

const longRunning: ReadonlySet<string | undefined> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Reports whether a request is exempt from time-outs: watches and connections. */
const isLongRunning = (route: Route, query: URLSearchParams): boolean =>
  route.to === 'resource' &&
  (route.path.legacyWatch || longRunning.has(route.path.subresource) || flagOf(query, 'watch') === true);

const timedOut = (): ApiResponse => {
  const message = 'Timeout: request did not complete within the allotted timeout';
  const status = { metadata: {}, status: 'Failure', message, reason: 'Timeout', details: {}, code: 504 };
  return textResponse(504, JSON.stringify(status));
};

/** Returns the 504 for a `timeout` that is too short; undefined for any other. Throws the server's 400 for an invalid duration. */
export function timeoutAnswer(route: Route, query: URLSearchParams): ApiResponse | undefined {
  const text = query.get('timeout') ?? '';
  if (text === '' || isLongRunning(route, query)) return undefined;
  const duration = durationIn(text);
  if (typeof duration === 'string') {
    throw badRequest(`invalid timeout specified in the request URL - time: ${duration}`);
  }
  return duration > 0 && duration < tooShort ? timedOut() : undefined;
}
