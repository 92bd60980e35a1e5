/** Rolling updates of DaemonSets, with maxUnavailable or maxSurge. */

import type { Write } from '../engine/reconciler.ts';
import { amountOf } from '../int-or-percent.ts';
import type { Node } from '../node-lifecycle/nodes.ts';
import { isAvailable, isReady, isTerminating, type Pod } from '../pods/pod.ts';
import type { Revision } from '../revisions.ts';
import { type DaemonSet, daemonFor, isOfRevision } from './daemon-set.ts';
import { podCreation, podDeletion } from './replica-set.ts';

/** Daemon pods of a DaemonSet on one node, and whether they belong there. */
export interface DaemonNode {
  readonly node: Node;
  readonly runs: boolean;
  readonly stays: boolean;
  /** Pods on the node, oldest first. */
  readonly pods: readonly Pod[];
}

/** Target revision, and the time in ms since the epoch. */
export interface RolloutFacts {
  readonly revision: Revision;
  readonly now: number;
}

/** New and old daemon pod of a node, if any. */
interface NodeUpdate {
  readonly daemonNode: DaemonNode;
  readonly fresh: Pod | undefined;
  readonly old: Pod | undefined;
}

const isUp = ({ spec }: DaemonSet, pod: Pod | undefined, now: number): boolean =>
  pod !== undefined && !isTerminating(pod) && isAvailable(pod, spec.minReadySeconds ?? 0, now);

/** Reports whether a new pod is started before the old one on its node is stopped (maxSurge). */
export function allowsSurge({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  return type === 'RollingUpdate' && amountOf(rollingUpdate?.maxSurge ?? 0, 100, 'up') > 0;
}

/** Returns the creation of a daemon pod for a node. */
export const daemonCreation = (set: DaemonSet, { node }: DaemonNode, revision: Revision): Write => ({
  ...podCreation(set, set.spec.template),
  do: 'create',
  object: daemonFor(set, node.metadata.name, revision),
});

/** Returns the surplus pods of a node: one old and one new pod may coexist until the new one is available or the old one is no longer ready. */
export function surplusPods(set: DaemonSet, present: readonly Pod[], { revision, now }: RolloutFacts): readonly Pod[] {
  if (present.length < 2) return [];
  const fresh = present.find((pod) => isOfRevision(pod, revision));
  const old = present.find((pod) => !isOfRevision(pod, revision));
  const extra = present.filter((pod) => pod !== fresh && pod !== old);
  const isOver = fresh !== undefined && old !== undefined && (!isReady(old) || isUp(set, fresh, now));
  return isOver ? [...extra, old] : extra;
}

/** Deletes old pods: all unavailable ones, and available ones within maxUnavailable. */
function replaceOldPods(
  set: DaemonSet,
  wanted: readonly DaemonNode[],
  { revision, now }: RolloutFacts,
): readonly Write[] {
  const { rollingUpdate } = set.spec.updateStrategy ?? {};
  const most = Math.max(1, amountOf(rollingUpdate?.maxUnavailable ?? 1, wanted.length, 'up'));
  const missing = wanted.filter((daemonNode) => !daemonNode.pods.some((pod) => isUp(set, pod, now))).length;
  const old = wanted.flatMap((daemonNode) =>
    daemonNode.pods.filter((pod) => !isTerminating(pod) && !isOfRevision(pod, revision)),
  );
  const down = old.filter((pod) => !isUp(set, pod, now));
  const spare = old.filter((pod) => isUp(set, pod, now)).slice(0, Math.max(0, most - missing));
  return [...down, ...spare].map((pod) => podDeletion(set, pod));
}

function nodeUpdateOf(daemonNode: DaemonNode, { revision }: RolloutFacts): NodeUpdate {
  const present = daemonNode.pods.filter((pod) => !isTerminating(pod));
  return {
    daemonNode,
    fresh: present.find((pod) => isOfRevision(pod, revision)),
    old: present.find((pod) => !isOfRevision(pod, revision)),
  };
}

/** Creates new pods beside unavailable old ones, and within maxSurge beside others; deletes old pods whose successor is available. */
function surgeNewPods(set: DaemonSet, wanted: readonly DaemonNode[], facts: RolloutFacts): readonly Write[] {
  const { revision, now } = facts;
  const most = amountOf(set.spec.updateStrategy?.rollingUpdate?.maxSurge ?? 0, wanted.length, 'up');
  const updates = wanted.map((daemonNode) => nodeUpdateOf(daemonNode, facts)).filter(({ old }) => old !== undefined);
  const isDone = ({ fresh }: NodeUpdate): boolean => isUp(set, fresh, now);
  const surging = updates.filter((update) => update.fresh !== undefined && !isDone(update)).length;
  const waiting = updates.filter(({ fresh }) => fresh === undefined);
  const down = waiting.filter(({ old }) => !isUp(set, old, now));
  const next = waiting.filter(({ old }) => isUp(set, old, now)).slice(0, Math.max(0, most - surging));
  return [
    ...updates.filter(isDone).map(({ old }) => podDeletion(set, old!)),
    ...[...down, ...next].map(({ daemonNode }) => daemonCreation(set, daemonNode, revision)),
  ];
}

/** Returns the next writes of a rollout; none for OnDelete. */
export function rollout(set: DaemonSet, daemonNodes: readonly DaemonNode[], facts: RolloutFacts): readonly Write[] {
  if (set.spec.updateStrategy?.type === 'OnDelete') return [];
  const wanted = daemonNodes.filter(({ runs }) => runs);
  return allowsSurge(set) ? surgeNewPods(set, wanted, facts) : replaceOldPods(set, wanted, facts);
}
