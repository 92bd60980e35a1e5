/** Mistakes that show in what an integration hands over, with their mends. */

import type { Invocation } from './invocations.ts';

/** Interval in ms below which seconds were meant. */
const leastInterval = 1_000;

/** Describes a `driftInterval` that is too short; undefined when there is none. */
export const mistakeInInterval = ({ driftInterval = leastInterval }: { readonly driftInterval?: number }) =>
  driftInterval < leastInterval ? `driftInterval is ${driftInterval} ms: it is in ms, not in seconds` : undefined;

/** Describes a second `ensure` of something else within one turn, and notes what is ensured; undefined for the first one. */
export function mistakeInEnsures(turn: { ensured: string | undefined }, label: string, wanted: unknown) {
  const before = turn.ensured;
  turn.ensured = `${label} ${JSON.stringify(wanted)}`;
  return before === undefined || before === turn.ensured
    ? undefined
    : `reconcile ensures twice in one turn, ${before} and ${turn.ensured}: what ensure is given is all that there is to be, so that each call takes away what the other one has made; ensure all things of one resource in one call, and have an integration of its own for another resource`;
}

/** Describes a call of a controller in the turn of another workspace or walk; undefined in its own. */
export const strangeController = (by: Invocation | undefined, turn: object, member: string): string | undefined =>
  by?.turn === undefined || by.turn === turn
    ? undefined
    : `${by.name} calls ${member} of a controller that another connect was given: each workspace and each walk has its own, keep none`;

/** Records a mistake, if there is one. */
export const told = ({ mistakes }: { readonly mistakes: Set<string> }, mistake: string | undefined): void => {
  if (mistake !== undefined) mistakes.add(mistake);
};
