import { timestampOf } from '../machinery.ts';
import type { Condition } from './pods/pod.ts';

/** What a condition says from now on. */
export interface Verdict {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/** A condition by type. */
export const conditionOf = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Conditions without one type. */
export const withoutCondition = (conditions: readonly Condition[], type: string): readonly Condition[] =>
  conditions.filter((condition) => condition.type !== type);

/** Conditions with a verdict; one that is of the same status and reason stays as it is, one of the same status keeps its time. */
export function withCondition(conditions: readonly Condition[], verdict: Verdict, now: number): readonly Condition[] {
  const before = conditionOf(conditions, verdict.type);
  if (before?.status === verdict.status && before.reason === verdict.reason) return conditions;
  const time = timestampOf(now);
  const lastTransitionTime = before?.status === verdict.status ? (before.lastTransitionTime ?? time) : time;
  return [...withoutCondition(conditions, verdict.type), { ...verdict, lastTransitionTime }];
}
