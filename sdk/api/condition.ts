/** Every status a workspace's condition can have; `True` and `False` are `Ready`'s, the standard condition. */
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

/** A slot of `status.conditions`, by `type`. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** 1 to 1024 characters. */
  readonly reason: string;
  /** The generation of the object that this was decided for. */
  readonly observedGeneration?: number;
  /** RFC 3339, seconds: when `status` last changed. */
  readonly lastTransitionTime: string;
}

type Conditions = readonly Condition[];

/** What to set: the transition time is derived. */
export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/** RFC 3339 in seconds, as Kubernetes writes times. */
export const timestamp = (now: number): string => `${new Date(now).toISOString().slice(0, 19)}Z`;

export const findCondition = (conditions: Conditions | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** What the condition looks like when set over `previous`: `lastTransitionTime` moves only with the status; an over-long reason is cut. */
export const nextCondition = (previous: Condition | undefined, next: NewCondition, now: number): Condition => ({
  ...next,
  reason: next.reason.slice(0, 1024) || next.status.replaceAll(' ', ''),
  lastTransitionTime: previous?.status === next.status ? previous.lastTransitionTime : timestamp(now),
});

/** The conditions with `next` in its place, or appended; the same array when nothing changes. */
export function setCondition(conditions: Conditions = [], next: NewCondition, now: number): Conditions {
  const index = conditions.findIndex(({ type }) => type === next.type);
  const previous = conditions[index];
  const made = nextCondition(previous, next, now);
  if (previous === undefined) return [...conditions, made];
  const same =
    previous.status === made.status &&
    previous.reason === made.reason &&
    previous.observedGeneration === made.observedGeneration;
  return same ? conditions : conditions.with(index, made);
}

/** The conditions without that type; the same array when it was not there. */
export const removeCondition = (conditions: Conditions = [], type: string): Conditions =>
  conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;

/** Whether any condition (of the given types, or at all) has one of these statuses. */
export const anyCondition = (
  conditions: Conditions = [],
  statuses: readonly ConditionStatus[],
  types?: readonly string[],
): boolean => conditions.some(({ type, status }) => statuses.includes(status) && (types?.includes(type) ?? true));

/** Whether every one of `types` is there with one of these statuses. */
export const allConditions = (
  conditions: Conditions = [],
  statuses: readonly ConditionStatus[],
  types: readonly string[],
): boolean => types.every((type) => statuses.some((status) => findCondition(conditions, type)?.status === status));
