import { ownerReferenceTo } from '../../../../sdk/api/object.ts';
import type { Fields } from '../../objects/object.ts';
import { podFrom } from '../pods/from-template.ts';
import { type Pod, phaseOf } from '../pods/pod.ts';
import type { NewObject, Write } from '../reconciler.ts';
import { podCreation, podDeletion } from '../workloads/replica-set.ts';
import { type Crew, indexAnnotation, indexOf, isIndexed, type Job, trackingFinalizer } from './job.ts';
import { successesIn, type Tally } from './job-tally.ts';

const firstBackOff = 10_000;
const longestBackOff = 600_000;

const finishTime = ({ status, metadata }: Pod): number => {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state.terminated?.finishedAt ?? ''));
  const known = ends.filter((time) => !Number.isNaN(time));
  return known.length > 0
    ? Math.max(...known)
    : Date.parse(metadata.deletionTimestamp ?? metadata.creationTimestamp ?? '');
};

/** ms until pods are made again after those that failed since the last success; 0 when they may be now. */
export function backOffLeft({ all }: Crew, now: number): number {
  const lastSuccess = Math.max(0, ...all.filter((pod) => phaseOf(pod) === 'Succeeded').map(finishTime));
  const failures = all
    .filter((pod) => phaseOf(pod) === 'Failed')
    .map(finishTime)
    .filter((time) => time >= lastSuccess);
  if (failures.length === 0) return 0;
  const delay = Math.min(firstBackOff * 2 ** Math.min(failures.length - 1, 20), longestBackOff);
  return Math.max(0, Math.max(...failures) + delay - now);
}

/** How many pods a Job should have at work. */
export function wantedActive({ spec }: Job, { active }: Crew, tally: Tally): number {
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

function jobPod(job: Job, index: number | undefined): NewObject {
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
      annotations: { ...template.metadata?.annotations, ...own },
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

/** How many pods are wanted, and what has been done already. */
interface Wanted {
  readonly tally: Tally;
  readonly count: number;
}

/** The lowest indexes that are neither done nor at work. */
function freeIndexes(job: Job, { active }: Crew, { tally, count }: Wanted): number[] {
  const taken = new Set([...tally.completed, ...active.map((pod) => indexOf(pod, job) ?? -1)]);
  const free: number[] = [];
  for (let index = 0; index < (job.spec.completions ?? 0) && free.length < count; index += 1) {
    if (!taken.has(index)) free.push(index);
  }
  return free;
}

/** New pods of a Job. */
export function creations(job: Job, crew: Crew, wanted: Wanted): readonly Write[] {
  const indexes: readonly (number | undefined)[] = isIndexed(job)
    ? freeIndexes(job, crew, wanted)
    : Array.from({ length: wanted.count }, () => undefined);
  return indexes.map((index) => ({ ...podCreation(job, job.spec.template), do: 'create', object: jobPod(job, index) }));
}

/** Deletions of pods of a Job. */
export const deletions = (job: Job, pods: readonly Pod[]): readonly Write[] => pods.map((pod) => podDeletion(job, pod));
