/** Mistakes that show in what an integration hands over, with their mends. */

import type { Invocation } from './invocations.ts';

/** Interval in ms below which seconds were meant. */
const leastInterval = 1_000;

/** Describes a `driftInterval` that is too short; undefined when there is none. */
export const mistakeInInterval = ({ driftInterval = leastInterval }: { readonly driftInterval?: number }) =>
  driftInterval < leastInterval ? `driftInterval is ${driftInterval} ms: it is in ms, not in seconds` : undefined;

/** Describes a call of a controller in the turn of another workspace or walk; undefined in its own. */
export const strangeController = (by: Invocation | undefined, turn: object, member: string): string | undefined =>
  by?.turn === undefined || by.turn === turn
    ? undefined
    : `${by.name} calls ${member} of a controller that another connect was given: each workspace and each walk has its own, keep none`;

/** Records a mistake, if there is one. */
export const told = ({ mistakes }: { readonly mistakes: Set<string> }, mistake: string | undefined): void => {
  if (mistake !== undefined) mistakes.add(mistake);
};
