/** Detects calls that one function makes over and over. */

import type { Call } from './effect.ts';
import type { Invocation } from './invocations.ts';

/** Limit of equal calls that one function makes. */
const maxEqualCalls = 25;

/** Returns a text that two equal calls share; undefined for what cannot be compared. */
export function contentsOf(name: string, args: readonly unknown[]): string | undefined {
  if (args.some((arg) => arg instanceof Request)) return undefined;
  try {
    return `${name} ${JSON.stringify(args)}`;
  } catch {
    return undefined;
  }
}

/** Notes the mistake of a function that waits for something by asking for it over and over, once it has done so for long. */
export function recordPolling(by: Invocation | undefined, last: Call): void {
  if (by === undefined || last.contents === undefined || last.fault !== undefined) return;
  const { name, calls, mistakes } = by;
  const equal = calls.filter(({ contents, fault }) => contents === last.contents && fault === undefined);
  if (equal.length !== maxEqualCalls) return;
  const took = last.at - (equal[0]?.at ?? last.at);
  mistakes.add(
    `${name} makes the call ${last.name} ${maxEqualCalls} times and more, within ${took} ms: it holds its lease meanwhile, and a failure on the way is one of ${name}. Do not wait within a function: create answers ready: false, observe answers ready: true once it is done, delete answers "deleting", and each is asked again`,
  );
}
