/** StatefulSet controller. */

import { type Decision, type Reconciler, rest, type View } from '../engine/reconciler.ts';
import { compactStatus, statusWrites } from '../engine/status-write.ts';
import { claim, ownersConcerned } from '../ownership.ts';
import { isAvailable, isReady, isTerminating, nextAvailable, type Pod, phaseOf, pods } from '../pods/pod.ts';
import { historyOf, revisionHashLabel, revisions, truncateHistory } from '../revisions.ts';
import { isMember, revisionOfPod, type StatefulSet, type StatefulSetStatus, statefulSets } from './stateful-set.ts';
import { claimUpdates } from './stateful-set-claims.ts';
import { type Members, nextOfMembers } from './stateful-set-pods.ts';

const isRunningAndReady = (pod: Pod): boolean => phaseOf(pod) === 'Running' && isReady(pod);

function statusOf({ set, pods: members, current, update }: Members, now: number): StatefulSetStatus {
  const { minReadySeconds = 0, replicas } = set.spec;
  const ready = members.filter(isRunningAndReady);
  const isOf = (revision: string) => (pod: Pod) => !isTerminating(pod) && revisionOfPod(pod) === revision;
  const counts = {
    replicas: members.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
    currentReplicas: members.filter(isOf(current.metadata.name)).length,
    updatedReplicas: members.filter(isOf(update.metadata.name)).length,
  };
  const isRolled =
    set.spec.updateStrategy?.type === 'RollingUpdate' &&
    counts.updatedReplicas === replicas &&
    counts.readyReplicas === replicas &&
    counts.replicas === replicas;
  return compactStatus(
    {
      observedGeneration: set.metadata.generation,
      ...counts,
      currentReplicas: isRolled ? counts.updatedReplicas : counts.currentReplicas,
      currentRevision: (isRolled ? update : current).metadata.name,
      updateRevision: update.metadata.name,
      collisionCount: set.status?.collisionCount ?? 0,
    },
    ['replicas', 'availableReplicas', 'collisionCount'],
  );
}

function decide(set: StatefulSet, view: View): Decision {
  const candidates = view.list<Pod>(pods, set.metadata.namespace).filter((pod) => isMember(pod, set));
  const { owned, writes } = claim(set, candidates);
  if (writes.length > 0) return { writes };
  const history = historyOf(set, view, revisionHashLabel);
  if (history.writes.length > 0 || history.current === undefined) return { writes: history.writes };
  const update = history.current;
  const current = history.all.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  const members: Members = { set, pods: owned, current, update };
  const isLeaving = set.metadata.deletionTimestamp !== undefined;
  const next = isLeaving || view.refusal !== undefined ? rest : nextOfMembers(members, view);
  const claims = isLeaving ? [] : owned.flatMap((pod) => claimUpdates(set, pod, view));
  if (next.writes.length > 0) return { ...next, writes: [...claims, ...next.writes] };
  const { revisionHistoryLimit = 10, minReadySeconds = 0 } = set.spec;
  const live = new Set([current.metadata.name, update.metadata.name, ...owned.map(revisionOfPod)]);
  const status = statusWrites(set, { ...statusOf(members, view.now) });
  return {
    writes: [...claims, ...status, ...truncateHistory(history, live, revisionHistoryLimit)],
    after: next.after ?? nextAvailable(owned, minReadySeconds, view.now),
  };
}

/** Keeps the pods of StatefulSets, each with a stable name and its own volumes. */
export const statefulSetReconciler: Reconciler = {
  collection: statefulSets,
  component: 'statefulset-controller',
  concerns: (change, view) =>
    [pods, revisions].includes(change.collection)
      ? ownersConcerned({ kind: 'StatefulSet', collection: statefulSets }, change, view)
      : [],
  decide: (object, view) => decide(object as StatefulSet, view),
};
