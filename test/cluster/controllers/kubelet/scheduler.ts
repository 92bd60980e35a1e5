import { timestampOf } from '../../machinery.ts';
import { isFinished, isTerminating, type Pod, podCondition, pods } from '../pods/pod.ts';
import { type Decision, type Reconciler, rest, type View } from '../reconciler.ts';
import { misfit } from './fit.ts';
import type { Kubelet } from './kubelet.ts';
import { type Node, nodes } from './nodes.ts';

const defaultNode = 'in-memory-node';

/** The node with the fewest pods, the first by name among equals. */
function emptiest(candidates: readonly Node[], view: View): string {
  const counts = new Map<string, number>();
  for (const pod of view.list<Pod>(pods)) {
    if (pod.spec.nodeName && !isFinished(pod)) counts.set(pod.spec.nodeName, (counts.get(pod.spec.nodeName) ?? 0) + 1);
  }
  const countOf = ({ metadata }: Node): number => counts.get(metadata.name) ?? 0;
  return candidates.toSorted((a, b) => countOf(a) - countOf(b))[0]!.metadata.name;
}

function unschedulable(pod: Pod, reasons: readonly string[], now: number): Decision {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  const total = reasons.length;
  const message = `0/${total} nodes are available: ${parts.join(', ')}. preemption: 0/${total} nodes are available: ${total} Preemption is not helpful for scheduling.`;
  return waiting(pod, { reason: 'Unschedulable', message }, now);
}

function waiting(pod: Pod, said: { readonly reason: string; readonly message: string }, now: number): Decision {
  const before = podCondition(pod, 'PodScheduled');
  if (before?.status === 'False' && before.reason === said.reason && before.message === said.message) return rest;
  const condition = { type: 'PodScheduled', status: 'False', ...said };
  const lastTransitionTime = before?.status === 'False' ? before.lastTransitionTime : timestampOf(now);
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const conditions = [...others, { ...condition, lastProbeTime: null, lastTransitionTime }];
  const object = { ...pod, status: { ...pod.status, conditions } };
  const isGated = said.reason === 'SchedulingGated';
  return {
    writes: [
      {
        do: 'update',
        object,
        subresource: 'status',
        ...(!isGated && {
          tell: () => ({ about: pod, type: 'Warning', reason: 'FailedScheduling', message: said.message }),
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
      { do: 'bind', object: pod, nodeName, tell: () => ({ about: pod, type: 'Normal', reason: 'Scheduled', message }) },
    ],
  };
}

function decide({ options }: Kubelet, pod: Pod, view: View): Decision {
  if (pod.spec.nodeName || isTerminating(pod) || isFinished(pod)) return rest;
  if ((pod.spec.schedulerName ?? 'default-scheduler') !== 'default-scheduler') return rest;
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    const message = 'Scheduling is blocked due to non-empty scheduling gates';
    return waiting(pod, { reason: 'SchedulingGated', message }, view.now);
  }
  const all = view.list<Node>(nodes);
  if (all.length === 0) return bind(pod, options.nodeName ?? defaultNode);
  const misfits = all.map((node) => misfit(pod, node));
  const fitting = all.filter((_node, index) => misfits[index] === undefined);
  if (fitting.length > 0) return bind(pod, emptiest(fitting, view));
  return unschedulable(
    pod,
    misfits.filter((reason) => reason !== undefined),
    view.now,
  );
}

function decideInTime(kubelet: Kubelet, pod: Pod, view: View): Decision {
  const { pendingDelay = 0 } = kubelet.options;
  const left = kubelet.since(pod, 'created', view.now) + pendingDelay - view.now;
  return left > 0 && !pod.spec.nodeName ? { writes: [], after: left } : decide(kubelet, pod, view);
}

/** Binds pods to nodes that they fit on; while there are no Node objects, to one that is only a name. */
export const schedulerReconciler = (kubelet: Kubelet): Reconciler => ({
  collection: pods,
  component: 'default-scheduler',
  manager: 'kube-scheduler',
  concerns({ collection }, view) {
    if (collection !== nodes) return [];
    const unbound = view.list<Pod>(pods).filter(({ spec }) => !spec.nodeName);
    return unbound.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
  },
  decide: (object, view) => decideInTime(kubelet, object as Pod, view),
});
