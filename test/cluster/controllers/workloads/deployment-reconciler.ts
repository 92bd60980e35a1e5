/** Controller of Deployments. */

import type { Change } from '../../storage/store.ts';
import type { Decision, Reconciler, View, Write } from '../engine/reconciler.ts';
import { statusWrites } from '../engine/status-write.ts';
import { claim, controllerOf, ownersConcerned } from '../ownership.ts';
import { isFinished, type Pod, pods } from '../pods/pod.ts';
import { countedIn, type Deployment, deployments, historyLimitOf, type Rollout, scaleTo } from './deployment.ts';
import { createCurrent, hasTemplateOf, revise, revisionOf } from './deployment-revision.ts';
import { isScaled, rollingWrites, scalingWrites } from './deployment-scaling.ts';
import { countedStatus, isComplete, pauseConditions, progressCheckIn, rolloutStatus } from './deployment-status.ts';
import { type ReplicaSet, replicaSets } from './replica-set.ts';

const owner = { kind: 'Deployment', collection: deployments };

const byAge = (a: ReplicaSet, b: ReplicaSet): number => {
  const [older, newer] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return older === newer ? (a.metadata.name < b.metadata.name ? -1 : 1) : older < newer ? -1 : 1;
};

function rolloutOf(deployment: Deployment, sets: readonly ReplicaSet[]): Rollout {
  const sorted = sets.toSorted(byAge);
  const current = sorted.find((set) => hasTemplateOf(set, deployment));
  return { deployment, current, old: sorted.filter((set) => set !== current) };
}

/** Deletes old ReplicaSets beyond the revision history limit. */
function cleanup({ deployment, old }: Rollout): readonly Write[] {
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const excess = alive.length - historyLimitOf(deployment);
  if (excess <= 0) return [];
  return alive
    .toSorted((a, b) => revisionOf(a) - revisionOf(b) || byAge(a, b))
    .slice(0, excess)
    .filter(
      ({ spec, status, metadata }) =>
        spec.replicas === 0 &&
        (status?.replicas ?? 0) === 0 &&
        (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    )
    .map((object) => ({ do: 'delete', object }));
}

/** Reports whether pods of old ReplicaSets remain. */
function oldPodsRun({ deployment, old }: Rollout, view: View): boolean {
  if (countedIn(old, 'replicas') > 0) return true;
  const sets = new Set(old.map(({ metadata }) => metadata.uid));
  const all = view.list<Pod>(pods, deployment.metadata.namespace);
  return all.some((pod) => !isFinished(pod) && sets.has(controllerOf(pod)?.uid ?? ''));
}

function completeRollout(rollout: Rollout, view: View): Decision {
  const { deployment } = rollout;
  const status = rolloutStatus(rollout, view.now);
  const spare = isComplete(deployment, deployment.status) ? cleanup(rollout) : [];
  return {
    writes: [...spare, ...statusWrites(deployment, { ...status })],
    after: progressCheckIn(deployment, status, view.now),
  };
}

/** Rolls out by Recreate: all old pods stop before new ones start. */
function recreate(rollout: Rollout, view: View): Decision {
  const { deployment, current, old } = rollout;
  const stopped = old.flatMap((set) => scaleTo(deployment, set, 0));
  if (stopped.length > 0) return { writes: stopped };
  if (oldPodsRun(rollout, view)) return completeRollout(rollout, view);
  if (current === undefined) return createCurrent(rollout, view);
  const started = scaleTo(deployment, current, deployment.spec.replicas);
  return started.length > 0 ? { writes: started } : completeRollout(rollout, view);
}

function rolling(rollout: Rollout, view: View): Decision {
  if (rollout.current === undefined) return createCurrent(rollout, view);
  const writes = rollingWrites(rollout, rollout.current);
  return writes.length > 0 ? { writes } : completeRollout(rollout, view);
}

/** Scales the ReplicaSets of a paused or rescaled Deployment, without rolling out. */
function scaleReplicaSets(rollout: Rollout, view: View): Decision {
  const { deployment } = rollout;
  const writes = scalingWrites(rollout);
  if (writes.length > 0) return { writes };
  const spare = deployment.spec.paused ? cleanup(rollout) : [];
  return { writes: [...spare, ...statusWrites(deployment, { ...countedStatus(rollout, view.now) })] };
}

function decide(deployment: Deployment, view: View): Decision {
  const { owned, writes } = claim(deployment, view.list<ReplicaSet>(replicaSets, deployment.metadata.namespace));
  if (writes.length > 0) return { writes };
  const rollout = rolloutOf(deployment, owned);
  if (deployment.metadata.deletionTimestamp !== undefined) {
    return { writes: statusWrites(deployment, { ...countedStatus(rollout, view.now) }) };
  }
  const conditions = pauseConditions(deployment, view.now);
  if (conditions !== undefined) return { writes: statusWrites(deployment, { ...deployment.status, conditions }) };
  const revised = rollout.current === undefined ? [] : revise(rollout, rollout.current, view.now);
  if (revised.length > 0) return { writes: revised };
  if (deployment.spec.paused || isScaled(rollout)) return scaleReplicaSets(rollout, view);
  return deployment.spec.strategy.type === 'Recreate' ? recreate(rollout, view) : rolling(rollout, view);
}

/** Returns the Deployment of a deleted pod, which a Recreate may be waiting for. */
function concernedByPod({ type, object }: Change, view: View): string[] {
  const set = controllerOf(object);
  if (type !== 'DELETED' || set?.kind !== 'ReplicaSet') return [];
  const { namespace } = object.metadata;
  const found = view.get<ReplicaSet>(replicaSets, `${namespace}/${set.name}`);
  const deployment = found && controllerOf(found);
  return deployment?.kind === 'Deployment' ? [`${namespace}/${deployment.name}`] : [];
}

/** Rolls out Deployments over ReplicaSets. */
export const deploymentReconciler: Reconciler = {
  collection: deployments,
  component: 'deployment-controller',
  concerns(change, view) {
    if (change.collection === replicaSets) return ownersConcerned(owner, change, view);
    return change.collection === pods ? concernedByPod(change, view) : [];
  },
  decide: (object, view) => decide(object as Deployment, view),
};
