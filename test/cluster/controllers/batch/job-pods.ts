/** Creation and deletion of a Job's pods. */

import { ownerReferenceTo } from '../../../../sdk/api/object.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { type NewObject, shortest, type Write } from '../engine/reconciler.ts';
import { podFrom } from '../pods/from-template.ts';
import { type Pod, phaseOf } from '../pods/pod.ts';
import { podCreation, podDeletion } from '../workloads/replica-set.ts';
import {
  finishTime,
  hasSucceeded,
  indexAnnotation,
  indexOf,
  isIndexed,
  type Job,
  type JobPods,
  trackingFinalizer,
} from './job.ts';
import { backOffAfter, hasLimitPerIndex, successorAnnotations, successorDelay } from './job-indexes.ts';
import { successesIn, type Tally } from './job-tally.ts';

/** Returns the back-off left since the last failures without a success, in ms. */
export function backOffLeft({ all }: JobPods, now: number): number {
  const lastSuccess = Math.max(0, ...all.filter(hasSucceeded).map(finishTime));
  const failures = all
    .filter((pod) => phaseOf(pod) === 'Failed')
    .map(finishTime)
    .filter((time) => time >= lastSuccess);
  return failures.length === 0 ? 0 : Math.max(0, Math.max(...failures) + backOffAfter(failures.length) - now);
}

/** Returns the number of pods that should be active. */
export function wantedActive({ spec }: Job, { active }: JobPods, tally: Tally): number {
  const { completions, parallelism = 1 } = spec;
  if (completions === undefined) return successesIn(tally) > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - successesIn(tally), parallelism));
}

const withIndex = (containers: unknown): unknown =>
  Array.isArray(containers)
    ? containers.map((container: Fields) => {
        const env = (container.env as Fields[] | undefined) ?? [];
        if (env.some(({ name }) => name === 'JOB_COMPLETION_INDEX')) return container;
        const fieldRef = { fieldPath: `metadata.labels['${indexAnnotation}']` };
        return { ...container, env: [...env, { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }] };
      })
    : containers;

function jobPod(job: Job, index: number | undefined, { predecessors }: Tally): NewObject {
  const template = job.spec.template;
  const pod = podFrom(job, template);
  const metadata = {
    ...pod.metadata,
    finalizers: [...(template.metadata?.finalizers ?? []), trackingFinalizer],
    ownerReferences: [ownerReferenceTo(job)],
  };
  if (index === undefined) return { ...pod, metadata };
  const own = { [indexAnnotation]: String(index) };
  const { containers, initContainers, hostname, ...spec } = template.spec as Fields;
  return {
    ...pod,
    metadata: {
      ...metadata,
      generateName: `${job.metadata.name}-${index}-`,
      annotations: {
        ...template.metadata?.annotations,
        ...own,
        ...(hasLimitPerIndex(job) && successorAnnotations(job, predecessors.get(index))),
      },
      labels: { ...template.metadata?.labels, ...own },
    },
    spec: {
      ...spec,
      hostname: hostname ?? `${job.metadata.name}-${index}`,
      containers: withIndex(containers),
      ...(initContainers !== undefined && { initContainers: withIndex(initContainers) }),
    },
  };
}

/** Number of pods to create, with the counts so far and the time. */
interface WantedPods {
  readonly tally: Tally;
  readonly count: number;
  readonly now: number;
}

/** Returns the lowest indexes that are neither finished nor active. */
function freeIndexes(job: Job, { active, terminating }: JobPods, { tally, count }: WantedPods): number[] {
  const { completed, failedIndexes } = tally;
  const busy = job.spec.podReplacementPolicy === 'Failed' ? [...active, ...terminating] : active;
  const taken = new Set(busy.map((pod) => indexOf(pod, job)));
  const free: number[] = [];
  for (let index = 0; index < (job.spec.completions ?? 0) && free.length < count; index += 1) {
    const finished = completed.endOfRange(index) ?? failedIndexes?.endOfRange(index);
    if (finished !== undefined) index = finished;
    else if (!taken.has(index)) free.push(index);
  }
  return free;
}

/** Pods to create, or the time to wait. */
export interface Creations {
  readonly writes: readonly Write[];
  /** Time until more pods may be created, in ms; 0 without a wait. */
  readonly wait: number;
}

/** Returns the indexes that may have a pod now, and the shortest wait of the others. */
function timely(indexes: readonly number[], { tally, now }: WantedPods): { indexes: readonly number[]; wait: number } {
  const delayOf = (index: number): number => {
    const predecessor = tally.predecessors.get(index);
    return predecessor === undefined ? 0 : successorDelay(predecessor, now);
  };
  const ready = indexes.filter((index) => delayOf(index) === 0);
  const waits = indexes.map(delayOf).filter((wait) => wait > 0);
  return { indexes: ready, wait: shortest(waits) ?? 0 };
}

/** Returns the creations of pods that are due. */
export function creations(job: Job, jobPods: JobPods, wanted: WantedPods): Creations {
  const { tally, count, now } = wanted;
  const creation = (index: number | undefined): Write => ({
    ...podCreation(job, job.spec.template),
    do: 'create',
    object: jobPod(job, index, tally),
  });
  if (count <= 0) return { writes: [], wait: 0 };
  if (hasLimitPerIndex(job)) {
    const { indexes, wait } = timely(freeIndexes(job, jobPods, wanted), wanted);
    return { writes: indexes.map(creation), wait };
  }
  const wait = backOffLeft(jobPods, now);
  if (wait > 0) return { writes: [], wait };
  if (isIndexed(job)) return { writes: freeIndexes(job, jobPods, wanted).map(creation), wait };
  return { writes: Array.from({ length: count }, () => creation(undefined)), wait };
}

/** Returns the deletions of pods. */
export const deletions = (job: Job, pods: readonly Pod[]): readonly Write[] => pods.map((pod) => podDeletion(job, pod));
