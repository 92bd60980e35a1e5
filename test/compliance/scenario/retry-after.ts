/** Expectations on calls after a response with Retry-After. */

import type { Call } from '../observation/effect.ts';
import { fail } from './report.ts';

/** Expects each function to repeat a call no earlier than its Retry-After says. Calls that had begun before its answer came are none of them. Functions are independent: a deletion does not wait for the delay of an `observe`. @throws Finding */
export function expectRetryAfter(calls: readonly Call[]): void {
  const throttled = calls.find(({ retryAfter }) => retryAfter !== undefined);
  if (throttled === undefined) return;
  const { name, by, at, retryAfter = 0, lastBegun = Number.POSITIVE_INFINITY } = throttled;
  const again = calls.find((call) => call.nth > lastBegun && call.name === name && call.by === by);
  if (again === undefined || again.at - at >= retryAfter) return;
  fail(
    `${name}: Retry-After was ${retryAfter} ms, and it is called again after ${again.at - at} ms`,
    'Retry-After is in seconds or a date, ThrottledError takes ms: let errorOfResponse make it; and send nothing again by yourself, by a loop or by options of a client',
  );
}
