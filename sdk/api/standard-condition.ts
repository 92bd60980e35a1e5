import { timestamp } from './condition.ts';

/** A condition as Kubernetes' API conventions have it (metav1.Condition). */
export interface StandardCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** A CamelCase word for programs. */
  readonly reason: string;
  /** For people; may be empty. */
  readonly message: string;
  /** The generation of the object that this was decided for. */
  readonly observedGeneration?: number;
  /** RFC 3339, seconds: when `status` last changed. */
  readonly lastTransitionTime: string;
}

/** What to set: the transition time is derived. */
export type NewStandardCondition = Omit<StandardCondition, 'lastTransitionTime'>;

/** What the API conventions allow a message to hold, in characters. */
const longestMessage = 32_768;

/** The conditions with `next` in its place, or appended; the same array when nothing changes. The transition time moves only with the status. */
export function withCondition(
  conditions: readonly StandardCondition[],
  { message: whole, ...next }: NewStandardCondition,
  now: number,
): readonly StandardCondition[] {
  const message = whole.slice(0, longestMessage);
  const index = conditions.findIndex(({ type }) => type === next.type);
  const previous = conditions[index];
  if (previous === undefined) return [...conditions, { ...next, message, lastTransitionTime: timestamp(now) }];
  const stays = previous.status === next.status;
  const same =
    stays &&
    previous.reason === next.reason &&
    previous.message === message &&
    previous.observedGeneration === next.observedGeneration;
  const lastTransitionTime = stays ? previous.lastTransitionTime : timestamp(now);
  return same ? conditions : conditions.with(index, { ...next, message, lastTransitionTime });
}
