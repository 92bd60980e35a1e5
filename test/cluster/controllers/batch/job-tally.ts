/** Counts finished pods of a Job exactly once, by uid and finalizer. */

import type { Write } from '../engine/reconciler.ts';
import type { Pod } from '../pods/pod.ts';
import { IndexRanges } from './index-ranges.ts';
import { hasFailed, hasSucceeded, indexOf, isIndexed, isTracked, type Job, trackingFinalizer } from './job.ts';
import { failedIndexesOf, hasLimitPerIndex, predecessorsOf } from './job-indexes.ts';
import { isCounted } from './job-policies.ts';

/** Counts of a Job's pods, each counted once. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly completed: IndexRanges;
  /** Failed indexes; undefined without a limit per index. */
  readonly failedIndexes: IndexRanges | undefined;
  /** Failed pods kept until their index has a successor, by index. */
  readonly predecessors: ReadonlyMap<number, Pod>;
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
}

/** Returns the update that removes the tracking finalizer of a pod. */
export const removeTrackingFinalizer = (pod: Pod): Write => ({
  do: 'update',
  object: {
    ...pod,
    metadata: {
      ...pod.metadata,
      finalizers: (pod.metadata.finalizers ?? []).filter((finalizer) => finalizer !== trackingFinalizer),
    },
  },
});

const uidOf = ({ metadata }: Pod): string => metadata.uid ?? '';

/** Reports whether a pod has a valid index, or needs none. */
const hasPlace = (pod: Pod, job: Job): boolean => !isIndexed(job) || indexOf(pod, job) !== undefined;

/** Reports whether the failure of a pod counts. */
const isCountedFailure = (pod: Pod, job: Job): boolean => hasPlace(pod, job) && isCounted(job, pod);

/** Returns the pods whose end is recorded in the status, or need not be, so that their finalizer can be removed. */
export function countable(job: Job, pods: readonly Pod[], { predecessors, failedIndexes }: Tally): readonly Pod[] {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const recorded = new Set([...succeeded, ...failed]);
  const completed = IndexRanges.parse(job.status?.completedIndexes);
  const held = new Set([...predecessors.values()].map(uidOf));
  const isWritten = failedIndexes === undefined || job.status?.failedIndexes === String(failedIndexes);
  const isDone = (pod: Pod): boolean => {
    if (recorded.has(uidOf(pod))) return true;
    if (hasSucceeded(pod)) return isIndexed(job) && (!hasPlace(pod, job) || completed.has(indexOf(pod, job) ?? -1));
    return isWritten && hasFailed(pod, job) && !held.has(uidOf(pod)) && !isCountedFailure(pod, job);
  };
  return pods.filter((pod) => isTracked(pod) && isDone(pod));
}

/** Returns the completed indexes, including those of newly succeeded pods. */
function completedOf(job: Job, fresh: readonly Pod[]): IndexRanges {
  const more = fresh.filter(hasSucceeded).map((pod) => indexOf(pod, job));
  return IndexRanges.parse(job.status?.completedIndexes)
    .below(job.spec.completions ?? 0)
    .with(more.filter((index) => index !== undefined));
}

/** Returns failed indexes and predecessors, for Jobs with a limit per index. */
function indexesOf(job: Job, pods: readonly Pod[], completed: IndexRanges) {
  if (!hasLimitPerIndex(job)) return { failedIndexes: undefined, predecessors: new Map<number, Pod>() };
  const failed = failedIndexesOf(job, pods);
  return { failedIndexes: failed, predecessors: predecessorsOf(job, pods, { completed, failed }) };
}

/**
 * Counts finished pods in three steps: uid recorded in the status, finalizer removed, count raised.
 * `end` says how the Job ends: predecessors are then counted too, and if it fails, all pods that have not succeeded
 * count as failed.
 */
export function tallyOf(job: Job, pods: readonly Pod[], end?: 'well' | 'badly'): Tally {
  const { status = {} } = job;
  const before = status.uncountedTerminatedPods ?? {};
  const held = new Set(pods.filter(isTracked).map(uidOf));
  const known = new Set([...(before.succeeded ?? []), ...(before.failed ?? [])]);
  const fresh = pods.filter((pod) => isTracked(pod) && !known.has(uidOf(pod)));
  const stillHeld = (uids: readonly string[] = []): string[] => uids.filter((uid) => held.has(uid));
  const counted = (uids: readonly string[] = []): number => uids.length - stillHeld(uids).length;
  const completed = isIndexed(job) ? completedOf(job, fresh) : new IndexRanges();
  const indexes = indexesOf(job, pods, completed);
  const waiting = new Set(end === undefined ? [...indexes.predecessors.values()].map(uidOf) : []);
  const failures = fresh
    .filter((pod) => !hasSucceeded(pod) && (end === 'badly' || hasFailed(pod, job)))
    .filter((pod) => isCountedFailure(pod, job) && !waiting.has(uidOf(pod)));
  const uncounted = {
    succeeded: isIndexed(job) ? [] : [...stillHeld(before.succeeded), ...fresh.filter(hasSucceeded).map(uidOf)],
    failed: [...stillHeld(before.failed), ...failures.map(uidOf)],
  };
  return {
    succeeded: isIndexed(job) ? completed.size : (status.succeeded ?? 0) + counted(before.succeeded),
    failed: (status.failed ?? 0) + counted(before.failed),
    completed,
    ...indexes,
    uncounted,
  };
}

/** Returns the number of successes, including those not counted yet. */
export const successesIn = ({ succeeded, uncounted }: Tally): number => succeeded + uncounted.succeeded.length;

/** Returns the number of failures, including those not counted yet. */
export const failuresIn = ({ failed, uncounted, predecessors }: Tally): number =>
  failed + uncounted.failed.length + predecessors.size;

/** Returns the status fields of a tally. */
export const talliedStatus = (tally: Tally): Record<string, unknown> => {
  const { succeeded, failed, completed, failedIndexes, uncounted } = tally;
  return {
    succeeded,
    failed,
    completedIndexes: String(completed),
    failedIndexes: failedIndexes && String(failedIndexes),
    uncountedTerminatedPods: {
      ...(uncounted.succeeded.length > 0 && { succeeded: uncounted.succeeded }),
      ...(uncounted.failed.length > 0 && { failed: uncounted.failed }),
    },
  };
};
