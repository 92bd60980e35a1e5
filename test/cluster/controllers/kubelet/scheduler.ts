import { timestampOf } from '../../machinery.ts';
import type { Change } from '../../store.ts';
import { isFinished, isTerminating, type Pod, podCondition, pods } from '../pods/pod.ts';
import { type Decision, type Reconciler, rest, type View } from '../reconciler.ts';
import { misfit } from './fit.ts';
import type { Kubelet } from './kubelet.ts';
import { type Node, nodes } from './nodes.ts';
import { type Load, lackOfRoom, type Misfit, Requests } from './room.ts';

const defaultNode = 'in-memory-node';

/** The node with the fewest pods, the first by name among equals. */
function emptiest(candidates: readonly Node[], loads: ReadonlyMap<string, Load>): string {
  const countOf = ({ metadata }: Node): number => loads.get(metadata.name)?.pods ?? 0;
  return candidates.toSorted((a, b) => countOf(a) - countOf(b))[0]!.metadata.name;
}

/** How often each of some texts is there: `1 Insufficient cpu, 2 node(s) were unschedulable`. */
function histogram(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => `${count} ${text}`)
    .sort()
    .join(', ');
}

const noVictims = 'No preemption victims found for incoming pod';
const noHelp = 'Preemption is not helpful for scheduling';

function unschedulable(pod: Pod, misfits: readonly Misfit[], now: number): Decision {
  const none = `0/${misfits.length} nodes are available`;
  const reasons = histogram(misfits.flatMap((misfit) => misfit.reasons));
  const help = histogram(misfits.map(({ isOthersFault }) => (isOthersFault ? noVictims : noHelp)));
  const message = `${none}: ${reasons}. preemption: ${none}: ${help}.`;
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

/** What decides where pods go. */
interface Scheduling {
  readonly kubelet: Kubelet;
  readonly requests: Requests;
}

function place({ kubelet, requests }: Scheduling, pod: Pod, view: View): Decision {
  const all = view.list<Node>(nodes);
  if (all.length === 0) return bind(pod, kubelet.options.nodeName ?? defaultNode);
  const loads = requests.loads(view.list<Pod>(pods));
  const misfits = all.map((node): Misfit | undefined => {
    const reason = misfit(pod, node);
    if (reason !== undefined) return { reasons: [reason], isOthersFault: false };
    return lackOfRoom(requests.of(pod), node, loads.get(node.metadata.name));
  });
  const fitting = all.filter((_node, index) => misfits[index] === undefined);
  if (fitting.length > 0) return bind(pod, emptiest(fitting, loads));
  return unschedulable(
    pod,
    misfits.filter((reason) => reason !== undefined),
    view.now,
  );
}

function decide(scheduling: Scheduling, pod: Pod, view: View): Decision {
  if (pod.spec.nodeName || isTerminating(pod) || isFinished(pod)) return rest;
  if ((pod.spec.schedulerName ?? 'default-scheduler') !== 'default-scheduler') return rest;
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    const message = 'Scheduling is blocked due to non-empty scheduling gates';
    return waiting(pod, { reason: 'SchedulingGated', message }, view.now);
  }
  return place(scheduling, pod, view);
}

function decideInTime(scheduling: Scheduling, pod: Pod, view: View): Decision {
  const { kubelet } = scheduling;
  const { pendingDelay = 0 } = kubelet.options;
  const left = kubelet.since(pod, 'created', view.now) + pendingDelay - view.now;
  return left > 0 && !pod.spec.nodeName ? { writes: [], after: left } : decide(scheduling, pod, view);
}

/** Whether a change may have made room: a node is there or other than it was, or a pod has left one. */
const makesRoom = ({ collection, object, type }: Change): boolean => {
  if (collection === nodes) return true;
  if (collection !== pods) return false;
  const pod = object as Pod;
  return Boolean(pod.spec.nodeName) && (type === 'DELETED' || isFinished(pod));
};

/** Binds pods to nodes that they fit on, and that have room for them; while there are no Node objects, to one that is only a name. */
export const schedulerReconciler = (kubelet: Kubelet): Reconciler => {
  const scheduling: Scheduling = { kubelet, requests: new Requests() };
  return {
    collection: pods,
    component: 'default-scheduler',
    manager: 'kube-scheduler',
    concerns(change, view) {
      if (!makesRoom(change)) return [];
      const unbound = view.list<Pod>(pods).filter((pod) => !pod.spec.nodeName && !isFinished(pod));
      return unbound.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
    },
    decide: (object, view) => decideInTime(scheduling, object as Pod, view),
  };
};
