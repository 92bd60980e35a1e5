/** Ordered creation, deletion and update of a StatefulSet's pods. */

import type { Decision, NewObject, View, Write } from '../engine/reconciler.ts';
import { isAvailable, isFinished, isReady, isTerminating, nextAvailable, type Pod } from '../pods/pod.ts';
import { type Revision, templateOf } from '../revisions.ts';
import { claimsOf, memberOf, ordinalOf, ordinalsOf, revisionOfPod, type StatefulSet } from './stateful-set.ts';
import { hasStaleClaim } from './stateful-set-claims.ts';

/** StatefulSet with its pods, and its current and update revision. */
export interface Members {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  readonly current: Revision;
  readonly update: Revision;
}

const eventAbout = (set: StatefulSet, verb: 'Create' | 'Delete', message: string) =>
  ({ about: set, type: 'Normal', reason: `Successful${verb}`, message }) as const;

const failedPods = (set: StatefulSet, verb: 'Create' | 'Delete', message: string) =>
  ({ about: set, type: 'Warning', reason: `Failed${verb}`, message }) as const;

function claimCreation(set: StatefulSet, claim: NewObject, podName: string): Write {
  const what = `create Claim ${String(claim.metadata.name)} Pod ${podName} in StatefulSet ${set.metadata.name}`;
  return {
    do: 'create',
    object: claim,
    report: () => eventAbout(set, 'Create', `${what} success`),
    reportRefusal: (why) => failedPods(set, 'Create', `${what} failed error: ${why}`),
  };
}

/** Reports whether the pod of an ordinal should still have the current revision. */
function isBehind({ set }: Members, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const [start] = ordinalsOf(set);
  if (type !== 'RollingUpdate') return false;
  if (rollingUpdate?.partition === undefined) return ordinal < start + (set.status?.currentReplicas ?? 0);
  return ordinal < start + rollingUpdate.partition;
}

function creation(members: Members, ordinal: number, view: View): readonly Write[] {
  const { set, current, update } = members;
  const revision = isBehind(members, ordinal) ? current : update;
  const object = memberOf(set, { ordinal, template: templateOf(revision), revision: revision.metadata.name });
  const name = String(object.metadata.name);
  const what = `create Pod ${name} in StatefulSet ${set.metadata.name}`;
  const missing = claimsOf(set, ordinal).filter(
    ({ metadata }) => view.get('/persistentvolumeclaims', `${metadata.namespace}/${metadata.name}`) === undefined,
  );
  return [
    ...missing.map((claim) => claimCreation(set, claim, name)),
    {
      do: 'create',
      object,
      report: () => eventAbout(set, 'Create', `${what} successful`),
      reportRefusal: (why) => failedPods(set, 'Create', `${what} failed error: ${why}`),
    },
  ];
}

function deletion({ set }: Members, pod: Pod): Write {
  const what = `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  return {
    do: 'delete',
    object: pod,
    report: () => eventAbout(set, 'Delete', `${what} successful`),
    reportRefusal: (why) => failedPods(set, 'Delete', `${what} failed error: ${why}`),
  };
}

function recreation(members: Members, pod: Pod): readonly Write[] {
  const { namespace, name } = members.set.metadata;
  const message = `StatefulSet ${namespace}/${name} is recreating ${isFinished(pod) && pod.status?.phase === 'Failed' ? 'failed' : 'terminated'} Pod ${pod.metadata.name}`;
  const reason = pod.status?.phase === 'Failed' ? 'RecreatingFailedPod' : 'RecreatingTerminatedPod';
  return [{ do: 'event', event: { about: members.set, type: 'Warning', reason, message } }, deletion(members, pod)];
}

/** Interval at which a claim being deleted is checked again, in ms. */
const staleDelay = 1000;

/** Maximum of pods created per sync. */
const burst = 500;

const isOrdered = ({ spec }: StatefulSet): boolean => spec.podManagementPolicy !== 'Parallel';

/** Reports whether a finished pod is to be recreated. */
const isOver = (pod: Pod): boolean => isFinished(pod) && !isTerminating(pod);

/** Creates missing pods, at most {@link burst}, and recreates finished ones; undefined once all exist and, if ordered, are available. */
function createMissing(members: Members, view: View): Decision | undefined {
  const { set, pods } = members;
  const ordered = isOrdered(set);
  const { minReadySeconds = 0 } = set.spec;
  const isAwaited = (pod: Pod): boolean =>
    ordered && (isTerminating(pod) || !isAvailable(pod, minReadySeconds, view.now));
  const writes: Write[] = [];
  const [start, end] = ordinalsOf(set);
  const most = ordered ? 1 : burst;
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod, set), pod]));
  for (let ordinal = start; ordinal < end && writes.length < most; ordinal += 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined && hasStaleClaim(set, ordinal, view)) return { writes, after: staleDelay };
    if (pod === undefined) writes.push(...creation(members, ordinal, view));
    else if (isOver(pod)) writes.push(...recreation(members, pod));
    else if (isAwaited(pod)) return { writes, after: nextAvailable([pod], minReadySeconds, view.now) };
  }
  return writes.length > 0 ? { writes } : undefined;
}

/** Deletes pods beyond the last ordinal, the highest first. */
function deleteCondemned(members: Members): Decision | undefined {
  const { set, pods } = members;
  const [start, end] = ordinalsOf(set);
  const isSurplus = (pod: Pod): boolean => ordinalOf(pod, set) < start || ordinalOf(pod, set) >= end;
  const surplus = pods.filter(isSurplus).toSorted((a, b) => ordinalOf(b, set) - ordinalOf(a, set));
  if (surplus.length === 0) return undefined;
  const condemned = surplus.filter((pod) => !isTerminating(pod));
  if (!isOrdered(set)) return { writes: condemned.map((pod) => deletion(members, pod)) };
  const waits = surplus.some(isTerminating);
  return { writes: waits ? [] : condemned.slice(0, 1).map((pod) => deletion(members, pod)) };
}

/** Deletes pods of other revisions one by one, the highest ordinal first. */
function deleteOutdated(members: Members, { now }: View): Decision {
  const { set, pods, update } = members;
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type === 'OnDelete') return { writes: [] };
  const [start] = ordinalsOf(set);
  const least = start + (rollingUpdate?.partition ?? 0);
  const { minReadySeconds = 0 } = set.spec;
  const concerned = pods.filter((pod) => ordinalOf(pod, set) >= least);
  for (const pod of concerned.toSorted((a, b) => ordinalOf(b, set) - ordinalOf(a, set))) {
    const isOld = revisionOfPod(pod) !== update.metadata.name;
    if (isOld && !isTerminating(pod)) return { writes: [deletion(members, pod)] };
    const isHealthy = isReady(pod) && !isTerminating(pod) && isAvailable(pod, minReadySeconds, now);
    if (!isHealthy) return { writes: [], after: nextAvailable([pod], minReadySeconds, now) };
  }
  return { writes: [] };
}

/** Returns the next decision about the pods: scale up in order, scale down in reverse, then update. */
export const nextOfMembers = (members: Members, view: View): Decision =>
  createMissing(members, view) ?? deleteCondemned(members) ?? deleteOutdated(members, view);
