/** Failures per index of indexed Jobs (backoffLimitPerIndex). */

import { isActive, type Pod } from '../pods/pod.ts';
import { IndexRanges } from './index-ranges.ts';
import { finishTime, hasFailed, indexOf, isTracked, type Job } from './job.ts';
import { failureMatch, isCounted } from './job-policies.ts';

const countAnnotation = 'batch.kubernetes.io/job-index-failure-count';
const ignoredAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** Reports whether a Job has a backoff limit per index. */
export const hasLimitPerIndex = ({ spec }: Job): boolean =>
  spec.completionMode === 'Indexed' && spec.backoffLimitPerIndex !== undefined;

const countInAnnotation = ({ metadata }: Pod, name: string): number => Number(metadata.annotations?.[name] ?? 0) || 0;

/** Returns the number of earlier failures of a pod's index, ignored ones included. */
const failuresBefore = (pod: Pod): number =>
  countInAnnotation(pod, countAnnotation) + countInAnnotation(pod, ignoredAnnotation);

/** Reports whether a failed pod is the last attempt of its index. */
function isLast(job: Job, pod: Pod): boolean {
  if (!hasFailed(pod, job)) return false;
  if (failureMatch(job, pod)?.action === 'FailIndex') return true;
  return isCounted(job, pod) && countInAnnotation(pod, countAnnotation) >= (job.spec.backoffLimitPerIndex ?? 0);
}

/** Returns the failed indexes. */
export function failedIndexesOf(job: Job, pods: readonly Pod[]): IndexRanges {
  const fresh = pods.filter((pod) => isTracked(pod) && isLast(job, pod)).map((pod) => indexOf(pod, job));
  return IndexRanges.parse(job.status?.failedIndexes).with(fresh.filter((index) => index !== undefined));
}

/** Returns the last failed pod of each unfinished index, whose finalizer stays until the successor, which takes over its counts, exists. */
export function predecessorsOf(
  job: Job,
  pods: readonly Pod[],
  { completed, failed }: { readonly completed: IndexRanges; readonly failed: IndexRanges },
): ReadonlyMap<number, Pod> {
  const predecessors = new Map<number, Pod>();
  const busy = new Set(pods.filter(isActive).map((pod) => indexOf(pod, job)));
  for (const pod of pods) {
    const index = indexOf(pod, job);
    if (index === undefined || !isTracked(pod) || !hasFailed(pod, job)) continue;
    if (completed.has(index) || failed.has(index) || busy.has(index)) continue;
    const known = predecessors.get(index);
    if (known === undefined || failuresBefore(known) <= failuresBefore(pod)) predecessors.set(index, pod);
  }
  return predecessors;
}

/** Returns the failure count annotations of a pod's successor. */
export function successorAnnotations(job: Job, predecessor: Pod | undefined): Readonly<Record<string, string>> {
  if (predecessor === undefined) return { [countAnnotation]: '0' };
  const counts = isCounted(job, predecessor);
  const count = countInAnnotation(predecessor, countAnnotation) + (counts ? 1 : 0);
  const ignored = countInAnnotation(predecessor, ignoredAnnotation) + (counts ? 0 : 1);
  return { [countAnnotation]: String(count), ...(ignored > 0 && { [ignoredAnnotation]: String(ignored) }) };
}

/** Returns the ms until an index may get a successor of a pod. */
export const successorDelay = (predecessor: Pod, now: number): number =>
  Math.max(0, finishTime(predecessor) + backOffAfter(failuresBefore(predecessor) + 1) - now);

const firstBackOff = 10_000;
const maxBackOff = 600_000;

/** Returns the back-off after consecutive failures, in ms. */
export const backOffAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(firstBackOff * 2 ** Math.min(failures - 1, 20), maxBackOff);
