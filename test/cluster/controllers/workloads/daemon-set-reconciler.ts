/** Controller of DaemonSets. */

import type { Decision, EventReport, Reconciler, View, Write } from '../engine/reconciler.ts';
import { compactStatus, statusWrites } from '../engine/status-write.ts';
import { type Node, nodes } from '../node-lifecycle/nodes.ts';
import { claim, ownersConcerned } from '../ownership.ts';
import {
  isAvailable,
  isFinished,
  isReady,
  isTerminating,
  nextAvailable,
  type Pod,
  phaseOf,
  pods,
} from '../pods/pod.ts';
import { historyOf, podRevisionLabel, revisions, truncateHistory } from '../revisions.ts';
import { type DaemonSet, daemonSets, isOfRevision, nodeOf, placeOf } from './daemon-set.ts';
import {
  allowsSurge,
  type DaemonNode,
  daemonCreation,
  type RolloutFacts,
  rollout,
  surplusPods,
} from './daemon-set-rollout.ts';
import { podDeletion } from './replica-set.ts';

const byAge = (a: Pod, b: Pod): number =>
  (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1;

function daemonNodesOf(set: DaemonSet, daemons: readonly Pod[], view: View): readonly DaemonNode[] {
  const byNode = Map.groupBy(daemons.toSorted(byAge), nodeOf);
  return view.list<Node>(nodes).map((node) => ({
    node,
    ...placeOf(set, node),
    pods: byNode.get(node.metadata.name) ?? [],
  }));
}

/** Deletes finished daemon pods of a node, to be replaced. */
function deleteFinishedPods(set: DaemonSet, { node, pods: there }: DaemonNode): readonly Write[] {
  const ended = there.filter((pod) => isFinished(pod) && !isTerminating(pod));
  return ended.flatMap((pod) => {
    const { namespace, name } = pod.metadata;
    const where = `daemon pod ${namespace}/${name} on node ${node.metadata.name}`;
    const event: EventReport =
      phaseOf(pod) === 'Failed'
        ? {
            about: set,
            type: 'Warning',
            reason: 'FailedDaemonPod',
            message: `Found failed ${where}, will try to kill it`,
          }
        : {
            about: set,
            type: 'Normal',
            reason: 'SucceededDaemonPod',
            message: `Found succeeded ${where}, will try to delete it`,
          };
    return [{ do: 'event', event }, podDeletion(set, pod)] satisfies Write[];
  });
}

function changesOnNode(set: DaemonSet, daemonNode: DaemonNode, facts: RolloutFacts): readonly Write[] {
  const { revision } = facts;
  const present = daemonNode.pods.filter((pod) => !isTerminating(pod));
  if (!daemonNode.stays) return present.map((pod) => podDeletion(set, pod));
  const ended = deleteFinishedPods(set, daemonNode);
  if (ended.length > 0) return ended;
  if (daemonNode.runs && daemonNode.pods.length === 0) {
    return [daemonCreation(set, daemonNode, revision)];
  }
  if (!allowsSurge(set)) return present.slice(1).map((pod) => podDeletion(set, pod));
  if (present.length === 0 && daemonNode.runs) return [daemonCreation(set, daemonNode, revision)];
  return surplusPods(set, present, facts).map((pod) => podDeletion(set, pod));
}

/** Creates and deletes daemon pods until each node has those that it should; then rolls out the revision. */
function podChanges(
  set: DaemonSet,
  owned: readonly Pod[],
  { daemonNodes, facts }: { daemonNodes: readonly DaemonNode[]; facts: RolloutFacts },
) {
  const known = new Set(daemonNodes.map(({ node }) => node.metadata.name));
  const stranded = owned.filter((pod) => !isTerminating(pod) && !known.has(nodeOf(pod)));
  const changes = [
    ...stranded.map((pod) => podDeletion(set, pod)),
    ...daemonNodes.flatMap((daemonNode) => changesOnNode(set, daemonNode, facts)),
  ];
  return changes.length > 0 ? changes : rollout(set, daemonNodes, facts);
}

function statusOf(set: DaemonSet, daemonNodes: readonly DaemonNode[], { revision, now }: RolloutFacts) {
  const wanted = daemonNodes.filter(({ runs }) => runs);
  const scheduled = wanted.filter((daemonNode) => daemonNode.pods.length > 0);
  const count = (is: (pod: Pod) => boolean): number => scheduled.filter((daemonNode) => is(daemonNode.pods[0]!)).length;
  const available = count((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now));
  return compactStatus(
    {
      currentNumberScheduled: scheduled.length,
      numberMisscheduled: daemonNodes.filter(({ runs, pods: there }) => !runs && there.length > 0).length,
      desiredNumberScheduled: wanted.length,
      numberReady: count(isReady),
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: count((pod) => isOfRevision(pod, revision)),
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
      collisionCount: set.status?.collisionCount,
    },
    ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
  );
}

function decide(set: DaemonSet, view: View): Decision {
  const { owned, writes } = claim(set, view.list<Pod>(pods, set.metadata.namespace));
  if (writes.length > 0) return { writes };
  const history = historyOf(set, view, podRevisionLabel);
  const revision = history.current;
  if (history.writes.length > 0 || revision === undefined) return { writes: history.writes };
  const facts = { revision, now: view.now };
  const daemonNodes = daemonNodesOf(set, owned, view);
  const isLeaving = set.metadata.deletionTimestamp !== undefined || view.refusal !== undefined;
  const changes = isLeaving ? [] : podChanges(set, owned, { daemonNodes, facts });
  if (changes.length > 0) return { writes: changes };
  const { revisionHistoryLimit = 10, minReadySeconds = 0 } = set.spec;
  const live = new Set([revision.metadata.name]);
  const isRolledOut = owned.every((pod) => isOfRevision(pod, revision));
  const old = isRolledOut ? truncateHistory(history, live, revisionHistoryLimit) : [];
  return {
    writes: [...statusWrites(set, statusOf(set, daemonNodes, facts)), ...old],
    after: nextAvailable(owned, minReadySeconds, view.now),
  };
}

/** Runs one daemon pod on every node that a DaemonSet selects. */
export const daemonSetReconciler: Reconciler = {
  collection: daemonSets,
  component: 'daemonset-controller',
  concerns(change, view) {
    if ([pods, revisions].includes(change.collection)) {
      return ownersConcerned({ kind: 'DaemonSet', collection: daemonSets }, change, view);
    }
    if (change.collection !== nodes) return [];
    return view.list(daemonSets).map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  },
  decide: (object, view) => decide(object as DaemonSet, view),
};
