/** Reads and sets conditions in a status. */

import { timestampOf } from '../apimachinery/generated-metadata.ts';
import type { Condition } from './pods/pod.ts';

/** New status, reason and message of a condition. */
export interface ConditionUpdate {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** Returns the condition of a type, or undefined. */
export const conditionOf = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Returns the conditions without those of a type. */
export const withoutCondition = (conditions: readonly Condition[], type: string): readonly Condition[] =>
  conditions.filter((condition) => condition.type !== type);

/** Returns the `lastTransitionTime` of a condition: that of the former one if the status is the same, else `now`, in ms. */
export const transitionTime = (before: Condition | undefined, status: string, now: number): string =>
  (before?.status === status ? before.lastTransitionTime : undefined) ?? timestampOf(now);

/** Sets a condition: unchanged if status and reason are the same; `lastTransitionTime` is kept if the status is the same. */
export function withCondition(
  conditions: readonly Condition[],
  verdict: ConditionUpdate,
  now: number,
): readonly Condition[] {
  const before = conditionOf(conditions, verdict.type);
  if (before?.status === verdict.status && before.reason === verdict.reason) return conditions;
  const lastTransitionTime = transitionTime(before, verdict.status, now);
  return [...withoutCondition(conditions, verdict.type), { ...verdict, lastTransitionTime }];
}
