/** Jobs: types, and state of their pods. */

import type { ApiObject } from '../../apimachinery/object.ts';
import { conditionOf } from '../conditions.ts';
import type { PodTemplate } from '../pods/from-template.ts';
import { type Condition, isReady, isTerminating, type Pod, phaseOf } from '../pods/pod.ts';

/** Action of a pod failure policy rule. */
export type FailureAction = 'Count' | 'FailIndex' | 'FailJob' | 'Ignore';

/** Rule of a `podFailurePolicy`. */
export interface FailureRule {
  readonly action: FailureAction;
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: string;
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
}

/** Rule of a `successPolicy`. */
export interface SuccessRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

/** Job object. */
export interface Job extends ApiObject {
  readonly spec: {
    readonly parallelism?: number;
    readonly completions?: number;
    readonly completionMode?: string;
    readonly backoffLimit?: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly suspend?: boolean;
    readonly managedBy?: string;
    readonly backoffLimitPerIndex?: number;
    readonly maxFailedIndexes?: number;
    readonly podFailurePolicy?: { readonly rules?: readonly FailureRule[] };
    readonly successPolicy?: { readonly rules?: readonly SuccessRule[] };
    readonly podReplacementPolicy?: string;
    readonly selector?: unknown;
    readonly template: PodTemplate & { readonly spec: { readonly restartPolicy?: string } };
  };
  readonly status?: JobStatus;
}

/** UIDs of finished pods that are not counted yet. */
interface Uncounted {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}

/** Status of a Job. */
export interface JobStatus {
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: Uncounted;
  readonly conditions?: readonly Condition[];
}

/** Collection of Jobs. */
export const jobs = 'batch/jobs';
/** Finalizer that keeps pods of Jobs until they are counted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
/** Annotation and label with the index of a pod of an indexed Job. */
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** Reports whether a condition of a Job is True. */
export const holds = ({ status }: Job, type: string): boolean =>
  conditionOf(status?.conditions, type)?.status === 'True';

/** Returns the final condition of a Job; undefined while it runs. */
export const endOf = (job: Job): Condition | undefined =>
  ['Complete', 'Failed'].filter((type) => holds(job, type)).map((type) => conditionOf(job.status?.conditions, type))[0];

/** Reports whether a Job is indexed. */
export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

/** Reports whether a pod has the tracking finalizer. */
export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) ?? false;

/** Reports whether a pod has succeeded. */
export const hasSucceeded = (pod: Pod): boolean => phaseOf(pod) === 'Succeeded';

/** Reports whether a pod counts as failed, as terminating pods do unless podReplacementPolicy is Failed. */
export const hasFailed = (pod: Pod, { spec }: Job): boolean =>
  phaseOf(pod) === 'Failed' ||
  (spec.podReplacementPolicy !== 'Failed' && isTerminating(pod) && phaseOf(pod) !== 'Succeeded');

/** Returns the index of a pod of an indexed Job; undefined for a missing or surplus one. */
export function indexOf({ metadata }: Pod, { spec }: Job): number | undefined {
  const text = metadata.annotations?.[indexAnnotation] ?? '';
  const index = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return index < (spec.completions ?? 0) ? index : undefined;
}

/** Returns the time a pod finished, in ms since the epoch: its last container's, or the closest known time. */
export function finishTime({ status, metadata }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state.terminated?.finishedAt ?? ''));
  if (ends.length > 0 && !ends.some(Number.isNaN)) return Math.max(...ends);
  const unready = status?.conditions?.find(({ type }) => type === 'Ready');
  const since = unready?.status === 'False' ? unready.lastTransitionTime : undefined;
  if (since !== undefined) return Date.parse(since);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = metadata;
  if (deletionTimestamp === undefined) return Date.parse(creationTimestamp);
  return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

/** Pods of a Job by state. */
export interface JobPods {
  readonly all: readonly Pod[];
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  readonly ready: number;
}

/** Sorts a Job's pods by state. */
export function jobPodsOf(all: readonly Pod[]): JobPods {
  const unfinished = all.filter((pod) => phaseOf(pod) !== 'Succeeded' && phaseOf(pod) !== 'Failed');
  const active = unfinished.filter((pod) => !isTerminating(pod));
  return { all, active, terminating: unfinished.filter(isTerminating), ready: active.filter(isReady).length };
}
