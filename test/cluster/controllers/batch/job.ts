import type { ApiObject } from '../../objects/object.ts';
import { conditionOf } from '../conditions.ts';
import type { PodTemplate } from '../pods/from-template.ts';
import { type Condition, isReady, isTerminating, type Pod, phaseOf } from '../pods/pod.ts';

/** What becomes of a pod that has failed. */
export type FailureAction = 'Count' | 'FailIndex' | 'FailJob' | 'Ignore';

/** One rule of a `podFailurePolicy`. */
export interface FailureRule {
  readonly action: FailureAction;
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: string;
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
}

/** One rule of a `successPolicy`. */
export interface SuccessRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

/** A Job. */
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

/** Pods that have ended, but are not in the counts yet. */
interface Uncounted {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}

/** How far a Job has come. */
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

/** The collection of Jobs. */
export const jobs = 'batch/jobs';
/** Keeps pods of Jobs until they have been counted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
/** The annotation and label with the index of a pod of an indexed Job. */
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** Whether a condition of a Job holds. */
export const holds = ({ status }: Job, type: string): boolean =>
  conditionOf(status?.conditions, type)?.status === 'True';

/** The condition that ended a Job; undefined while it goes on. */
export const endOf = (job: Job): Condition | undefined =>
  ['Complete', 'Failed'].filter((type) => holds(job, type)).map((type) => conditionOf(job.status?.conditions, type))[0];

/** Whether each of its pods has an index of its own. */
export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

/** Whether a pod waits to be counted. */
export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) ?? false;

/** Whether a pod has ended well. */
export const hasSucceeded = (pod: Pod): boolean => phaseOf(pod) === 'Succeeded';

/** Whether a pod counts as failed; one that is on its way out does, unless only failed ones are replaced. */
export const hasFailed = (pod: Pod, { spec }: Job): boolean =>
  phaseOf(pod) === 'Failed' ||
  (spec.podReplacementPolicy !== 'Failed' && isTerminating(pod) && phaseOf(pod) !== 'Succeeded');

/** The index of a pod of an indexed Job; undefined when it has none that counts. */
export function indexOf({ metadata }: Pod, { spec }: Job): number | undefined {
  const text = metadata.annotations?.[indexAnnotation] ?? '';
  const index = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return index < (spec.completions ?? 0) ? index : undefined;
}

/** When a pod ended, in ms since the epoch: when its last container did, or what is nearest to that. */
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

/** Indexes as a Job's status has them: `0-2,5`. */
export function indexesText(indexes: ReadonlySet<number>): string {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges
    .map(([first, last]) =>
      first === last ? `${first}` : last === first + 1 ? `${first},${last}` : `${first}-${last}`,
    )
    .join(',');
}

/** The inverse of {@link indexesText}. */
export function indexesFrom(text = ''): Set<number> {
  const indexes = new Set<number>();
  for (const part of text.split(',').filter(Boolean)) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last; index += 1) indexes.add(index);
  }
  return indexes;
}

/** A Job's pods by what they do now. */
export interface Crew {
  readonly all: readonly Pod[];
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  readonly ready: number;
}

/** Sorts out a Job's pods. */
export function crewOf(all: readonly Pod[]): Crew {
  const unfinished = all.filter((pod) => phaseOf(pod) !== 'Succeeded' && phaseOf(pod) !== 'Failed');
  const active = unfinished.filter((pod) => !isTerminating(pod));
  return { all, active, terminating: unfinished.filter(isTerminating), ready: active.filter(isReady).length };
}
