/** Calls of a third party that answers with Retry-After. */

import type { Call } from '../observation/effect.ts';
import { fail } from './report.ts';

/** Fails for a call that the same function makes again before the time for which its answer asked; a deletion does not wait for what a look was reported. */
export function expectRetryAfter(calls: readonly Call[]): void {
  const struck = calls.find(({ retryAfter }) => retryAfter !== undefined);
  if (struck === undefined) return;
  const { name, by, at, retryAfter = 0 } = struck;
  const again = calls.slice(calls.indexOf(struck) + 1).find((call) => call.name === name && call.by === by);
  if (again === undefined || again.at - at >= retryAfter) return;
  fail(
    `${name}: it was to wait ${retryAfter} ms, and is called again after ${again.at - at} ms`,
    'Retry-After is in seconds or a date, ThrottledError takes ms: let errorOfResponse make it; and send nothing again by yourself, by a loop or by options of a client',
  );
}
