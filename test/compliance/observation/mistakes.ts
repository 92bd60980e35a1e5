/** Mistakes in values that an integration returns or passes on, with their fixes. */

import type { Invocation } from './invocations.ts';

/** Least interval in ms; one below is taken for seconds. */
const minInterval = 1_000;

/** Describes a `driftInterval` that is too short; undefined when there is none. */
export const mistakeInInterval = ({ driftInterval = minInterval }: { readonly driftInterval?: number }) =>
  driftInterval < minInterval ? `driftInterval is ${driftInterval} ms: it is in ms, not in seconds` : undefined;

/** Number of equal requeue delays of less than a second from which on they are taken for a constant in seconds. */
const maxShortRequeues = 20;

/** Records a requeue delay. @returns the mistake of a short one that was answered many times; undefined for any other */
export function mistakeInRequeue(counts: Map<number, number>, name: string, requeueAfter: number | undefined) {
  if (requeueAfter === undefined || requeueAfter < 0 || requeueAfter >= minInterval) return undefined;
  const count = (counts.get(requeueAfter) ?? 0) + 1;
  counts.set(requeueAfter, count);
  return count === maxShortRequeues
    ? `${name} answers requeueAfter ${requeueAfter} ms, ${count} times: it is in ms, not in seconds; where a state is asked for until it is reached, ask once a second at most`
    : undefined;
}

/** Usual lifetimes of idempotency keys in seconds, from five minutes to a week. */
const usualSeconds: ReadonlySet<number> = new Set([
  300, 600, 900, 1_800, 3_600, 43_200, 86_400, 172_800, 259_200, 604_800,
]);

/** Describes a `validForMs` that is a usual time in seconds; undefined for any other. */
export const mistakeInValidity = (resource: object): string | undefined => {
  const { validForMs } = resource as { readonly validForMs?: number };
  return validForMs !== undefined && usualSeconds.has(validForMs)
    ? `validForMs is ${validForMs} ms: it is in ms, not in seconds; once that time is over, a creation whose answer was lost is asked to a person`
    : undefined;
};

/** Describes a secret whose members differ from those that `create` has answered; undefined where they are the same. */
export function mistakeInSecret(created: readonly string[] | undefined, secret: object): string | undefined {
  const names = Object.keys(secret).sort().join(', ');
  return created === undefined || created.join(', ') === names
    ? undefined
    : `secretOf answers the members ${names} where create has answered ${created.join(', ')}: one Secret takes the place of the other, so both have to have the same members`;
}

/** Texts that come of a value that is not there. */
const noValue = /(^|[^\w])(undefined|null|NaN|\[object \w+\])([^\w]|$)/;

/** Returns the values in an id, of all depths. */
const valuesIn = (id: unknown): readonly unknown[] =>
  typeof id === 'object' && id !== null ? Object.values(id).flatMap(valuesIn) : [id];

/** Describes an id without a value, or with the text of one that is not there; undefined for any other. */
export function mistakeInId(id: unknown): string | undefined {
  const values = valuesIn(id).filter((value) => value !== undefined && value !== null);
  const isNamed = values.length > 0 && !values.some((value) => typeof value === 'string' && noValue.test(value));
  return isNamed
    ? undefined
    : `create answers an id that names nothing, ${JSON.stringify(id)} as JSON: an answer is trusted that has no id in it; look at its status and its body, and throw where the id is missing`;
}

/** Records an `ensure`. @returns the mistake of a second one with another desired state in the same turn; undefined for the first one */
export function mistakeInEnsures(turn: { ensured: string | undefined }, label: string, wanted: unknown) {
  const before = turn.ensured;
  turn.ensured = `${label} ${JSON.stringify(wanted)}`;
  return before === undefined || before === turn.ensured
    ? undefined
    : `reconcile ensures twice in one turn, ${before} and ${turn.ensured}: what ensure is given is all that there is to be, so that each call removes what the other one has made; ensure all objects of one resource in one call, and have an integration of its own for another resource`;
}

/** Describes a call of the controller of another workspace or walk; undefined for its own. */
export const strangeController = (by: Invocation | undefined, turn: object, member: string): string | undefined =>
  by?.turn === undefined || by.turn === turn
    ? undefined
    : `${by.name} calls ${member} of a controller that another connect was given: each workspace and each walk has its own, keep none`;

/** Records a mistake, if there is one. */
export const recordMistake = ({ mistakes }: { readonly mistakes: Set<string> }, mistake: string | undefined): void => {
  if (mistake !== undefined) mistakes.add(mistake);
};
