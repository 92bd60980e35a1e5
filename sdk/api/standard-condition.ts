/** Kubernetes' standard conditions (metav1.Condition). */

import { cutText } from '../cut-text.ts';
import { timestamp } from './condition.ts';

/** Condition of Kubernetes' API conventions (metav1.Condition). */
export interface StandardCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** Machine-readable CamelCase word. */
  readonly reason: string;
  /** Human-readable text; may be empty. */
  readonly message: string;
  /** Generation of the object that the condition was computed from. */
  readonly observedGeneration?: number;
  /** Time at which `status` last changed; RFC 3339 in seconds. */
  readonly lastTransitionTime: string;
}

/** Condition to set; its transition time is derived. */
export type NewStandardCondition = Omit<StandardCondition, 'lastTransitionTime'>;

/** Longest message that the API conventions allow, in characters. */
const maxMessageLength = 32_768;

/** Returns the conditions with `next` set or appended; the same array when nothing changes. The transition time moves only with the status. */
export function withCondition(
  conditions: readonly StandardCondition[],
  { message: whole, ...next }: NewStandardCondition,
  now: number,
): readonly StandardCondition[] {
  const message = cutText(whole, maxMessageLength);
  const index = conditions.findIndex(({ type }) => type === next.type);
  const previous = conditions[index];
  if (previous === undefined) return [...conditions, { ...next, message, lastTransitionTime: timestamp(now) }];
  const isSameStatus = previous.status === next.status;
  const same =
    isSameStatus &&
    previous.reason === next.reason &&
    previous.message === message &&
    previous.observedGeneration === next.observedGeneration;
  const lastTransitionTime = isSameStatus ? previous.lastTransitionTime : timestamp(now);
  return same ? conditions : conditions.with(index, { ...next, message, lastTransitionTime });
}
