/** Order in which a ReplicaSet deletes its pods. */

import { isReady, type Pod, phaseOf, podCondition } from './pod.ts';

const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

const costOf = ({ metadata }: Pod): number => {
  const cost = Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
  return Number.isSafeInteger(cost) ? cost : 0;
};

const restartsOf = ({ status }: Pod): number =>
  Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));

/** Returns log2 of an age in ns; pods of similar age rank equally. */
const ageRank = (since: string | undefined, now: number): number => {
  const age = (now - Date.parse(since ?? '')) * 1e6;
  return age > 0 ? Math.trunc(Math.log2(age)) : -1;
};

const byUid = (a: Pod, b: Pod): number => ((a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1);

/** Order of two pods: negative when the first is deleted first, 0 when undecided. */
type Comparison = (a: Pod, b: Pod) => number;

const lowest =
  (rankOf: (pod: Pod) => number): Comparison =>
  (a, b) =>
    rankOf(a) - rankOf(b);

/** Compares pods by ages of similar magnitude, then by uid; undecided for pods since the same time. */
const youngest =
  (sinceOf: (pod: Pod) => string | undefined, now: number): Comparison =>
  (a, b) => {
    const [sinceA, sinceB] = [sinceOf(a), sinceOf(b)];
    return sinceA === sinceB ? 0 : ageRank(sinceA, now) - ageRank(sinceB, now) || byUid(a, b);
  };

/** Returns the time since when a pod is ready; undefined for an unready pod. */
const readySince = (pod: Pod): string | undefined =>
  isReady(pod) ? podCondition(pod, 'Ready')?.lastTransitionTime : undefined;

/**
 * Orders pods as a ReplicaSet deletes them: unscheduled, pending, unready, lowest deletion cost, most `related` pods
 * on the node, youngest.
 * Ages are compared by magnitude; ties are broken by uid.
 */
export function inDeletionOrder(candidates: readonly Pod[], related: readonly Pod[], now: number): Pod[] {
  const perNode = new Map<string, number>();
  for (const { spec } of related.filter(isReady)) {
    if (spec.nodeName) perNode.set(spec.nodeName, (perNode.get(spec.nodeName) ?? 0) + 1);
  }
  const comparisons: readonly Comparison[] = [
    lowest(({ spec }) => Number(Boolean(spec.nodeName))),
    lowest((pod) => phases[phaseOf(pod)] ?? 2),
    lowest((pod) => Number(isReady(pod))),
    lowest(costOf),
    lowest(({ spec }) => -(perNode.get(spec.nodeName ?? '') ?? 0)),
    youngest(readySince, now),
    lowest((pod) => -restartsOf(pod)),
    youngest(({ metadata }) => metadata.creationTimestamp, now),
  ];
  return [...candidates].sort((a, b) => comparisons.reduce((order, compare) => order || compare(a, b), 0));
}
