import { type Pod, phaseOf } from '../pods/pod.ts';
import type { Write } from '../reconciler.ts';
import {
  hasFailed,
  indexesFrom,
  indexesText,
  indexOf,
  isIndexed,
  isTracked,
  type Job,
  trackingFinalizer,
} from './job.ts';

/** What a Job's pods have come to, each counted once. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly completed: ReadonlySet<number>;
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
}

/** Lets pods go that were held until they were counted. */
export const untracked = (pod: Pod): Write => ({
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

/** The pods that are written down as ended, and so may go. */
export function countable(job: Job, pods: readonly Pod[]): readonly Pod[] {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const completed = indexesFrom(job.status?.completedIndexes);
  const isDone = (pod: Pod): boolean =>
    succeeded.includes(uidOf(pod)) ||
    failed.includes(uidOf(pod)) ||
    (isIndexed(job) && phaseOf(pod) === 'Succeeded' && completed.has(indexOf(pod, job) ?? -1));
  return pods.filter((pod) => isTracked(pod) && isDone(pod));
}

/** Counts what has ended: first it is written down by uid, then its finalizer goes, then it is only a number. */
export function tallyOf(job: Job, pods: readonly Pod[]): Tally {
  const { status = {} } = job;
  const before = status.uncountedTerminatedPods ?? {};
  const held = new Set(pods.filter(isTracked).map(uidOf));
  const known = new Set([...(before.succeeded ?? []), ...(before.failed ?? [])]);
  const fresh = pods.filter((pod) => isTracked(pod) && !known.has(uidOf(pod)));
  const isDone = (pod: Pod): boolean => phaseOf(pod) === 'Succeeded';
  const stillHeld = (uids: readonly string[] = []): string[] => uids.filter((uid) => held.has(uid));
  const counted = (uids: readonly string[] = []): number => uids.length - stillHeld(uids).length;
  const failures = fresh.filter((pod) => !isDone(pod) && hasFailed(pod, job)).map(uidOf);
  const failed = (status.failed ?? 0) + counted(before.failed);
  if (isIndexed(job)) {
    const completed = indexesFrom(status.completedIndexes);
    for (const pod of fresh.filter(isDone)) {
      const index = indexOf(pod, job);
      if (index !== undefined) completed.add(index);
    }
    const uncounted = { succeeded: [], failed: [...stillHeld(before.failed), ...failures] };
    return { succeeded: completed.size, failed, completed, uncounted };
  }
  return {
    succeeded: (status.succeeded ?? 0) + counted(before.succeeded),
    failed,
    completed: new Set(),
    uncounted: {
      succeeded: [...stillHeld(before.succeeded), ...fresh.filter(isDone).map(uidOf)],
      failed: [...stillHeld(before.failed), ...failures],
    },
  };
}

/** How many succeeded, with those that are yet to be counted. */
export const successesIn = ({ succeeded, uncounted }: Tally): number => succeeded + uncounted.succeeded.length;

/** How many failed, with those that are yet to be counted. */
export const failuresIn = ({ failed, uncounted }: Tally): number => failed + uncounted.failed.length;

/** The status fields of a tally. */
export const talliedStatus = ({ succeeded, failed, completed, uncounted }: Tally): Record<string, unknown> => ({
  succeeded,
  failed,
  completedIndexes: indexesText(completed),
  uncountedTerminatedPods: {
    ...(uncounted.succeeded.length > 0 && { succeeded: uncounted.succeeded }),
    ...(uncounted.failed.length > 0 && { failed: uncounted.failed }),
  },
});
