import { isActive, type Pod } from '../pods/pod.ts';
import { finishTime, hasFailed, indexesFrom, indexOf, isTracked, type Job } from './job.ts';
import { failureMatch, isCounted } from './job-policies.ts';

const countAnnotation = 'batch.kubernetes.io/job-index-failure-count';
const ignoredAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** Whether each index has a limit of its own. */
export const hasLimitPerIndex = ({ spec }: Job): boolean =>
  spec.completionMode === 'Indexed' && spec.backoffLimitPerIndex !== undefined;

const annotated = ({ metadata }: Pod, name: string): number => Number(metadata.annotations?.[name] ?? 0) || 0;

/** How often the index of a pod had failed before, ignored failures and all. */
const failuresBefore = (pod: Pod): number => annotated(pod, countAnnotation) + annotated(pod, ignoredAnnotation);

/** Whether a pod is the last that its index may have. */
function isLast(job: Job, pod: Pod): boolean {
  if (!hasFailed(pod, job)) return false;
  if (failureMatch(job, pod)?.action === 'FailIndex') return true;
  return isCounted(job, pod) && annotated(pod, countAnnotation) >= (job.spec.backoffLimitPerIndex ?? 0);
}

/** The indexes that have failed for good. */
export function failedIndexesOf(job: Job, pods: readonly Pod[]): ReadonlySet<number> {
  const failed = indexesFrom(job.status?.failedIndexes);
  for (const pod of pods) {
    const index = indexOf(pod, job);
    if (index !== undefined && isTracked(pod) && isLast(job, pod)) failed.add(index);
  }
  return failed;
}

/** The last failed pod of each index that is still to be done: it is held until its successor, which counts on from it, is there. */
export function predecessorsOf(
  job: Job,
  pods: readonly Pod[],
  { completed, failed }: { readonly completed: ReadonlySet<number>; readonly failed: ReadonlySet<number> },
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

/** What the successor of a pod is annotated with. */
export function successorAnnotations(job: Job, predecessor: Pod | undefined): Readonly<Record<string, string>> {
  if (predecessor === undefined) return { [countAnnotation]: '0' };
  const counts = isCounted(job, predecessor);
  const count = annotated(predecessor, countAnnotation) + (counts ? 1 : 0);
  const ignored = annotated(predecessor, ignoredAnnotation) + (counts ? 0 : 1);
  return { [countAnnotation]: String(count), ...(ignored > 0 && { [ignoredAnnotation]: String(ignored) }) };
}

/** ms until an index may have a successor of this pod. */
export const successorDelay = (predecessor: Pod, now: number): number =>
  Math.max(0, finishTime(predecessor) + backOffAfter(failuresBefore(predecessor) + 1) - now);

const firstBackOff = 10_000;
const longestBackOff = 600_000;

/** ms after so many failures in a row. */
export const backOffAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(firstBackOff * 2 ** Math.min(failures - 1, 20), longestBackOff);
