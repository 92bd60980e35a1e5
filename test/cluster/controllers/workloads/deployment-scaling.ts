/** Sizes of a Deployment's ReplicaSets during rollouts and after scaling. */

import type { Write } from '../engine/reconciler.ts';
import {
  allOf,
  countedIn,
  type Deployment,
  desiredAnnotation,
  fencepostsOf,
  maxAnnotation,
  numberIn,
  type Rollout,
  resize,
  scaleTo,
  wantedBy,
} from './deployment.ts';
import { sizeOfCurrent } from './deployment-revision.ts';
import type { ReplicaSet } from './replica-set.ts';

const isActive = ({ spec }: ReplicaSet): boolean => spec.replicas > 0;

/** Reports whether the Deployment was scaled since its ReplicaSets were sized. */
export function isScaled(rollout: Rollout): boolean {
  const { replicas } = rollout.deployment.spec;
  return allOf(rollout)
    .filter(isActive)
    .some((set) => (numberIn(set, desiredAnnotation) ?? replicas) !== replicas);
}

/** Scales the new ReplicaSet up, then the old ones down, within maxSurge and maxUnavailable. */
export function rollingWrites(rollout: Rollout, current: ReplicaSet): readonly Write[] {
  const { deployment } = rollout;
  const { replicas } = deployment.spec;
  const size = current.spec.replicas > replicas ? replicas : sizeOfCurrent(rollout);
  const grown = scaleTo(deployment, current, size);
  return grown.length > 0 ? grown : shrinkOld(rollout, current);
}

function shrinkOld(rollout: Rollout, current: ReplicaSet): readonly Write[] {
  const { deployment, old } = rollout;
  const active = old.filter(isActive);
  const least = deployment.spec.replicas - fencepostsOf(deployment).unavailable;
  const stillComing = current.spec.replicas - (current.status?.availableReplicas ?? 0);
  const maxScaledDown = wantedBy(allOf(rollout)) - least - stillComing;
  if (active.length === 0 || maxScaledDown <= 0) return [];
  const sizes = new Map(active.map((set) => [set, set.spec.replicas]));
  let unhealthy = maxScaledDown;
  for (const set of active) {
    const lost = Math.min(unhealthy, Math.max(0, set.spec.replicas - (set.status?.availableReplicas ?? 0)));
    sizes.set(set, set.spec.replicas - lost);
    unhealthy -= lost;
  }
  let spare = countedIn(allOf(rollout), 'availableReplicas') - least;
  for (const set of active) {
    const lost = Math.max(0, Math.min(spare, sizes.get(set)!));
    sizes.set(set, sizes.get(set)! - lost);
    spare -= lost;
  }
  return active.flatMap((set) => scaleTo(deployment, set, sizes.get(set)!));
}

/** Returns the only ReplicaSet with replicas, or the one to get them; undefined while several have some. */
function onlyActive({ current, old }: Rollout): ReplicaSet | undefined {
  const active = [...old, ...(current === undefined ? [] : [current])].filter(isActive);
  return active.length > 1 ? undefined : (active[0] ?? current ?? old[old.length - 1]);
}

function isSaturated({ spec }: Deployment, set: ReplicaSet | undefined): boolean {
  return (
    set !== undefined &&
    set.spec.replicas === spec.replicas &&
    numberIn(set, desiredAnnotation) === spec.replicas &&
    (set.status?.availableReplicas ?? 0) === spec.replicas
  );
}

/** Returns a ReplicaSet's proportional share of a change of size. */
function shareOf(deployment: Deployment, { spec, ...set }: ReplicaSet): number {
  const { replicas } = deployment.spec;
  if (replicas === 0) return -spec.replicas;
  const most = replicas + fencepostsOf(deployment).surge;
  const mostBefore = numberIn({ spec, ...set }, maxAnnotation) || (deployment.status?.replicas ?? 0);
  if (mostBefore === 0) return 0;
  return Math.round((spec.replicas * most) / mostBefore) - spec.replicas;
}

function inProportion(rollout: Rollout): readonly Write[] {
  const { deployment } = rollout;
  const { replicas } = deployment.spec;
  const active = allOf(rollout).filter(isActive);
  const allowed = replicas > 0 ? replicas + fencepostsOf(deployment).surge : 0;
  const toAdd = allowed - wantedBy(active);
  const newestFirst = toAdd > 0 ? [...active].reverse() : active;
  const sorted = newestFirst.toSorted((a, b) => b.spec.replicas - a.spec.replicas);
  let added = 0;
  const sizes = sorted.map((set) => {
    const rest = toAdd - added;
    const share = rest === 0 ? 0 : Math[toAdd > 0 ? 'min' : 'max'](shareOf(deployment, set), rest);
    added += share;
    return set.spec.replicas + share;
  });
  return sorted.flatMap((set, index) => {
    const leftover = index === 0 ? toAdd - added : 0;
    return resize(deployment, set, Math.max(0, sizes[index]! + leftover));
  });
}

/** Scales ReplicaSets to the Deployment's size without a rollout, when it is paused or was scaled. */
export function scalingWrites(rollout: Rollout): readonly Write[] {
  const { deployment, current, old } = rollout;
  const only = onlyActive(rollout);
  if (only !== undefined) return scaleTo(deployment, only, deployment.spec.replicas);
  if (isSaturated(deployment, current)) return old.filter(isActive).flatMap((set) => scaleTo(deployment, set, 0));
  return deployment.spec.strategy.type === 'RollingUpdate' ? inProportion(rollout) : [];
}
