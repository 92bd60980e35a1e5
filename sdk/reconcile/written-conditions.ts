/** Declared condition types of reconcilers, to refuse two writers of one condition when reconcilers are built. */

import type { Result } from './reconciler.ts';

const written: unique symbol = Symbol('written conditions');

/** Conditions that a reconciler writes. */
export interface WrittenConditions {
  /** Types of its own conditions. @default none */
  readonly own?: readonly string[];
  /** Groups of inner reconcilers; only one of each group is called for an object. @default none */
  readonly inner?: readonly (readonly (object | undefined)[])[];
}

const writtenBy = (group: readonly (object | undefined)[]): readonly string[] => [
  ...new Set(group.flatMap((one?: { readonly [written]?: readonly string[] }) => one?.[written] ?? [])),
];

/**
 * Records which conditions a reconciler writes, and returns the reconciler. Reconcilers that a user's function calls are not included.
 * @throws TypeError naming `model` when a type is written twice
 */
export function declareConditions<R extends (request: never) => Promise<Result>>(
  model: string,
  { own = [], inner = [] }: WrittenConditions,
  reconciler: R,
): R {
  const types = [...own, ...inner.flatMap(writtenBy)];
  const twice = types.find((type, index) => types.indexOf(type) !== index);
  if (twice !== undefined)
    throw new TypeError(
      `${model}: the condition ${twice} must have one writer, found two, which would replace each other's in every run: ` +
        'leave manageSuccess and manageError out of an inner stepper, give an inner remote or phases `status: false`, or name another `condition`',
    );
  return Object.assign(reconciler, { [written]: types });
}
