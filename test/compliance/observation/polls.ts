/** Detects polling: equal calls that one function repeats. */

import type { Call } from './effect.ts';
import type { FunctionName, Invocation } from './invocations.ts';

/** Limit of equal calls that one function makes. */
const maxEqualCalls = 25;

/** Returns a text that is equal for equal calls; undefined where there is none. */
export function contentsOf(name: string, args: readonly unknown[]): string | undefined {
  if (args.some((arg) => arg instanceof Request)) return undefined;
  try {
    return `${name} ${JSON.stringify(args)}`;
  } catch {
    return undefined;
  }
}

/** Reports whether equal calls within this time, in ms, are those of a search, which waits for nothing. */
const isSearch = (name: FunctionName, took: number): boolean =>
  took === 0 && (name === 'find' || name === 'findAll' || name === 'recover');

/** Records the mistake of a function that polls, once it has made the limit of equal calls. */
export function recordPolling(by: Invocation | undefined, last: Call): void {
  if (by === undefined || last.contents === undefined || last.fault !== undefined) return;
  const { name, calls, mistakes } = by;
  const equal = calls.filter(({ contents, fault }) => contents === last.contents && fault === undefined);
  if (equal.length !== maxEqualCalls) return;
  const took = last.at - (equal[0]?.at ?? last.at);
  const advice = isSearch(name, took)
    ? 'A list is asked for the same page each time: hand on the cursor that the last answer has named (next, continue, page), until there is none'
    : 'Do not wait within a function: create answers ready: false, observe answers ready: true once it is done, delete answers "deleting", and each is asked again';
  mistakes.add(
    `${name} makes the call ${last.name} ${maxEqualCalls} times and more, within ${took} ms: it holds its lease meanwhile, and a failure on the way is one of ${name}. ${advice}`,
  );
}
