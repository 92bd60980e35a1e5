/** Scheduler of pods: filter, score, bind and preempt, as kube-scheduler does. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { equal } from '../../apimachinery/object.ts';
import type { Change } from '../../storage/store.ts';
import { transitionTime } from '../conditions.ts';
import { type Decision, type EventReport, type Reconciler, rest, type View, type Write } from '../engine/reconciler.ts';
import type { Kubelet } from '../kubelet/kubelet.ts';
import { type Node, nodes } from '../node-lifecycle/nodes.ts';
import { isFinished, isTerminating, type Pod, podCondition, pods } from '../pods/pod.ts';
import { createFilter, type Filter } from './filter.ts';
import { type FilterFailure, PodRequests } from './node-resources.ts';
import { type Candidate, histogram, type PreemptionContext, preempt, preemptedStatus } from './preemption.ts';
import { scoreNodes } from './score.ts';
import { priorityOf, type SchedulingSnapshot, snapshotFor } from './snapshot.ts';

const defaultNode = 'in-memory-node';

/** Returns the node with the highest score; ties go to the node with the fewest pods, then the first by name. */
function selectHost(candidates: readonly Node[], snapshot: SchedulingSnapshot): string {
  const score = scoreNodes(snapshot, candidates);
  const countOf = ({ metadata }: Node): number => snapshot.podsByNode.get(metadata.name)?.length ?? 0;
  return candidates.toSorted((a, b) => score(b) - score(a) || countOf(a) - countOf(b))[0]!.metadata.name;
}

/** Evicts the victims of a preemption. */
function preemptVictims(pod: Pod, { node, victims }: Candidate, view: View): readonly Write[] {
  const { name } = node.metadata;
  const preemptionEvent = (about: Pod) => (): EventReport => ({
    about,
    type: 'Normal',
    reason: 'Preempted',
    message: `Preempted by pod ${pod.metadata.uid} on node ${name}`,
  });
  return victims
    .filter((victim) => !isTerminating(victim))
    .flatMap((victim): Write[] => [
      {
        do: 'update',
        object: { ...victim, status: preemptedStatus(victim, timestampOf(view.now)) },
        subresource: 'status',
      },
      { do: 'delete', object: victim, report: preemptionEvent(victim) },
    ]);
}

function unschedulable(
  snapshot: SchedulingSnapshot,
  failures: readonly FilterFailure[],
  context: PreemptionContext,
): Decision {
  const { pod } = snapshot;
  const { view } = context;
  const none = `0/${failures.length} nodes are available: ${histogram(failures.flatMap(({ reasons }) => reasons))}.`;
  const preemption = preempt(snapshot, failures, context);
  if ('message' in preemption) {
    const message = `${none} preemption: ${preemption.message}`;
    const isLeaving = preemption.message.includes('terminating pod');
    const nominatedNodeName = isLeaving ? pod.status?.nominatedNodeName : undefined;
    return waiting(pod, { reason: 'Unschedulable', message, nominatedNodeName }, view.now);
  }
  const { candidate } = preemption;
  const said = { reason: 'Unschedulable', message: none, nominatedNodeName: candidate.node.metadata.name };
  const { writes } = waiting(pod, said, view.now);
  return { writes: [...writes, ...preemptVictims(pod, candidate, view)] };
}

interface Said {
  readonly reason: string;
  readonly message: string;
  /** Node that is being cleared for the pod. */
  readonly nominatedNodeName?: string | undefined;
}

function waiting(pod: Pod, { nominatedNodeName, ...said }: Said, now: number): Decision {
  const before = podCondition(pod, 'PodScheduled');
  const isNominated = pod.status?.nominatedNodeName === nominatedNodeName;
  const isSaid = before?.status === 'False' && before.reason === said.reason && before.message === said.message;
  if (isNominated && isSaid) return rest;
  const condition = { type: 'PodScheduled', status: 'False', ...said };
  const lastTransitionTime = transitionTime(before, condition.status, now);
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const conditions = [...others, { ...condition, lastProbeTime: null, lastTransitionTime }];
  const { nominatedNodeName: _former, ...status } = pod.status ?? {};
  const nomination = nominatedNodeName !== undefined && { nominatedNodeName };
  const object = { ...pod, status: { ...status, conditions, ...nomination } };
  const isGated = said.reason === 'SchedulingGated';
  return {
    writes: [
      {
        do: 'update',
        object,
        subresource: 'status',
        ...(!isGated && {
          report: () => ({ about: pod, type: 'Warning', reason: 'FailedScheduling', message: said.message }),
        }),
      },
    ],
  };
}

function bind(pod: Pod, nodeName: string): Decision {
  const { namespace, name } = pod.metadata;
  const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
  return {
    writes: [
      {
        do: 'bind',
        object: pod,
        nodeName,
        report: () => ({ about: pod, type: 'Normal', reason: 'Scheduled', message }),
      },
    ],
  };
}

/** Dependencies of the scheduler. */
interface SchedulerContext {
  readonly kubelet: Kubelet;
  readonly filter: Filter;
}

function schedule({ kubelet, filter }: SchedulerContext, pod: Pod, view: View): Decision {
  const snapshot = snapshotFor(pod, view);
  const { nodes: all } = snapshot;
  if (all.length === 0) return bind(pod, kubelet.options.nodeName ?? defaultNode);
  const failures = all.map(filter(snapshot));
  const feasible = all.filter((_node, index) => failures[index] === undefined);
  if (feasible.length > 0) return bind(pod, selectHost(feasible, snapshot));
  const reasons = failures.filter((reason) => reason !== undefined);
  return unschedulable(snapshot, reasons, { filter, view });
}

function decide(context: SchedulerContext, pod: Pod, view: View): Decision {
  if (pod.spec.nodeName || isTerminating(pod) || isFinished(pod)) return rest;
  if ((pod.spec.schedulerName ?? 'default-scheduler') !== 'default-scheduler') return rest;
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    const message = 'Scheduling is blocked due to non-empty scheduling gates';
    return waiting(pod, { reason: 'SchedulingGated', message }, view.now);
  }
  return schedule(context, pod, view);
}

function decideInTime(context: SchedulerContext, pod: Pod, view: View): Decision {
  const { kubelet } = context;
  const { pendingDelay = 0 } = kubelet.options;
  const left = kubelet.since(pod, 'created', view.now) + pendingDelay - view.now;
  return left > 0 && !pod.spec.nodeName ? { writes: [], after: left } : decide(context, pod, view);
}

/** Reports whether a change may let a pending pod fit: any change of a node, or a pod that has left one. */
const mayUnblock = ({ collection, object, type }: Change): boolean => {
  if (collection === nodes) return true;
  if (collection !== pods) return false;
  const pod = object as Pod;
  return Boolean(pod.spec.nodeName) && (type === 'DELETED' || isFinished(pod));
};

/** Reports whether a change of a pending pod matters: one of its spec or labels, not of its status. */
function isTold({ type, object, previous }: Change): boolean {
  const { spec, metadata } = object as Pod;
  if (spec.nodeName) return false;
  return type !== 'MODIFIED' || !equal(spec, previous?.spec) || !equal(metadata.labels, previous?.metadata.labels);
}

/**
 * Creates kube-scheduler's reconciler: filters, scores and binds, and preempts pods of lower priority. Without Node
 * objects, pods are bound to a node name.
 */
export const schedulerReconciler = (kubelet: Kubelet): Reconciler => {
  const context: SchedulerContext = { kubelet, filter: createFilter(new PodRequests()) };
  return {
    collection: pods,
    component: 'default-scheduler',
    manager: 'kube-scheduler',
    predicate: isTold,
    concerns(change, view) {
      if (!mayUnblock(change)) return [];
      const unbound = view.list<Pod>(pods).filter((pod) => !pod.spec.nodeName && !isFinished(pod));
      const ordered = unbound.toSorted((a, b) => priorityOf(b) - priorityOf(a));
      return ordered.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
    },
    decide: (object, view) => decideInTime(context, object as Pod, view),
  };
};
