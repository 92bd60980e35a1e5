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

function byAge(a: Pod, b: Pod, [ageOfA, ageOfB]: readonly [number, number]): number {
  return ageOfA - ageOfB || byUid(a, b);
}

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
  const rankOf = ({ spec }: Pod): number => perNode.get(spec.nodeName ?? '') ?? 0;
  const readySince = (pod: Pod): string | undefined => podCondition(pod, 'Ready')?.lastTransitionTime;
  const compare = (a: Pod, b: Pod): number => {
    const first =
      Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName)) ||
      (phases[phaseOf(a)] ?? 2) - (phases[phaseOf(b)] ?? 2) ||
      Number(isReady(a)) - Number(isReady(b)) ||
      costOf(a) - costOf(b) ||
      rankOf(b) - rankOf(a);
    if (first !== 0) return first;
    if (isReady(a) && readySince(a) !== readySince(b)) {
      return byAge(a, b, [ageRank(readySince(a), now), ageRank(readySince(b), now)]);
    }
    const restarts = restartsOf(b) - restartsOf(a);
    const [madeA, madeB] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
    return restarts || (madeA === madeB ? 0 : byAge(a, b, [ageRank(madeA, now), ageRank(madeB, now)]));
  };
  return [...candidates].sort(compare);
}
