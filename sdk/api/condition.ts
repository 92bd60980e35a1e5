/** Types and pure functions of a workspace's conditions. */

import { cutText, maxReasonLength } from '../cut-text.ts';

/** All statuses of a workspace's condition; `True` and `False` are those of the standard condition `Ready`. */
export const conditionStatuses = [
  'Initialized',
  'Created',
  'In Progress',
  'Waiting',
  'Completed',
  'Healthy',
  'Not Healthy',
  'Terminated',
  'Error',
  'Unknown',
  'Locked',
  'True',
  'False',
] as const;

export type ConditionStatus = (typeof conditionStatuses)[number];

/** Entry of `status.conditions`, keyed by `type`. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** 1 to 1024 characters. */
  readonly reason: string;
  /** Generation of the object that the condition was computed from. */
  readonly observedGeneration?: number;
  /** Time at which `status` last changed; RFC 3339 in seconds. */
  readonly lastTransitionTime: string;
}

type Conditions = readonly Condition[];

/** Condition to set; its transition time is derived. */
export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/** Formats a time as RFC 3339 in seconds, as Kubernetes does. */
export const timestamp = (now: number): string => `${new Date(now).toISOString().slice(0, 19)}Z`;

export const findCondition = (conditions: Conditions | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Returns the condition to store in place of `previous`: `lastTransitionTime` moves only with the status, a reason is cut to 1024 characters and well-formed. */
export const nextCondition = (previous: Condition | undefined, next: NewCondition, now: number): Condition => ({
  ...next,
  reason: cutText(next.reason, maxReasonLength) || next.status.replaceAll(' ', ''),
  lastTransitionTime: previous?.status === next.status ? previous.lastTransitionTime : timestamp(now),
});

/** Returns the conditions with `next` set or appended; the same array when nothing changes. */
export function setCondition(conditions: Conditions = [], next: NewCondition, now: number): Conditions {
  const index = conditions.findIndex(({ type }) => type === next.type);
  const previous = conditions[index];
  const condition = nextCondition(previous, next, now);
  if (previous === undefined) return [...conditions, condition];
  const same =
    previous.status === condition.status &&
    previous.reason === condition.reason &&
    previous.observedGeneration === condition.observedGeneration;
  return same ? conditions : conditions.with(index, condition);
}

/** Returns the conditions without the given type; the same array when there is none of it. */
export const removeCondition = (conditions: Conditions = [], type: string): Conditions =>
  conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;

/** Reports whether any condition (of the given types, or of any type) has one of these statuses. */
export const anyCondition = (
  conditions: Conditions = [],
  statuses: readonly ConditionStatus[],
  types?: readonly string[],
): boolean => conditions.some(({ type, status }) => statuses.includes(status) && (types?.includes(type) ?? true));

/** Reports whether a condition of each of `types` exists and has one of these statuses. */
export const allConditions = (
  conditions: Conditions = [],
  statuses: readonly ConditionStatus[],
  types: readonly string[],
): boolean => types.every((type) => statuses.some((status) => findCondition(conditions, type)?.status === status));
