/** Controller that evicts pods by the NoExecute taints of nodes. */

import { keyOf } from '../../../../sdk/api/object.ts';
import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import type { Fields } from '../../apimachinery/object.ts';
import { type Decision, type Reconciler, rest, type View, type Write } from '../engine/reconciler.ts';
import { isTerminating, type Pod, pods } from '../pods/pod.ts';
import { tolerates } from '../scheduler/node-affinity.ts';
import { type Node, nodes, noExecute, type Taint } from './nodes.ts';

/** Returns the ms for which a pod tolerates taints; Infinity without a limit. */
function tolerationTime({ spec }: Pod, taints: readonly Taint[]): number {
  const used = taints.map((taint) => (spec.tolerations ?? []).find((one) => tolerates([one], taint)));
  if (used.includes(undefined)) return 0;
  const seconds = used.map((one) => (one as Fields).tolerationSeconds ?? Number.POSITIVE_INFINITY);
  return Math.max(0, Math.min(...seconds.map(Number))) * 1000;
}

/** Reason of a DisruptionTarget condition. */
interface Cause {
  readonly reason: string;
  readonly message: string;
}

const tainted: Cause = { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' };
const orphaned: Cause = { reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' };

const withCause = (pod: Pod, cause: Cause, now: number): Pod => {
  const conditions = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
  const said = { type: 'DisruptionTarget', status: 'True', ...cause };
  const condition = { ...said, lastProbeTime: null, lastTransitionTime: timestampOf(now) };
  return { ...pod, status: { ...pod.status, conditions: [...conditions, condition] } };
};

const statusUpdate = (object: Pod): Write => ({ do: 'update', object, subresource: 'status' });

const eventAbout = (pod: Pod, what: string): Write => {
  const message = `${what} Pod ${keyOf(pod.metadata)}`;
  return { do: 'event', event: { about: pod, type: 'Normal', reason: 'TaintManagerEviction', message } };
};

/** Time after a node's deletion until its pods are deleted, in ms. */
const quarantine = 40_000;

/** Times since which pods tolerate NoExecute taints, by key, and of node deletions, by name. */
interface EvictionState {
  readonly since: Map<string, number>;
  readonly gone: Map<string, number>;
}

const later = (pod: Pod, state: EvictionState, { now, left }: { now: number; left: number }): Decision => {
  const key = keyOf(pod.metadata);
  const since = state.since.get(key) ?? now;
  state.since.set(key, since);
  if (since + left > now) return { writes: [], after: since + left - now };
  return {
    writes: [
      eventAbout(pod, 'Marking for deletion'),
      statusUpdate(withCause(pod, tainted, now)),
      { do: 'delete', object: pod, options: {} },
    ],
  };
};

function decide(pod: Pod, view: View, state: EvictionState): Decision {
  const { nodeName } = pod.spec;
  const { now } = view;
  if (!nodeName) return rest;
  const left = state.gone.get(nodeName);
  if (left !== undefined) {
    if (left + quarantine > now) return { writes: [], after: left + quarantine - now };
    const failed = withCause({ ...pod, status: { ...pod.status, phase: 'Failed' } }, orphaned, now);
    return { writes: [statusUpdate(failed), { do: 'delete', object: pod, options: { gracePeriodSeconds: 0 } }] };
  }
  const node = view.get<Node>(nodes, nodeName);
  if (node === undefined || isTerminating(pod)) return rest;
  const taints = noExecute(node);
  const ms = taints.length === 0 ? Number.POSITIVE_INFINITY : tolerationTime(pod, taints);
  if (ms !== Number.POSITIVE_INFINITY) return later(pod, state, { now, left: ms });
  return state.since.delete(keyOf(pod.metadata)) ? { writes: [eventAbout(pod, 'Cancelling deletion of')] } : rest;
}

/** Evicts pods that do not, or no longer, tolerate the NoExecute taints of their node, and deletes those of deleted nodes. */
export function taintEvictionReconciler(): Reconciler {
  const state: EvictionState = { since: new Map(), gone: new Map() };
  return {
    collection: pods,
    component: 'taint-eviction-controller',
    concerns({ collection, type, object }, view) {
      if (collection !== nodes) return [];
      const { name } = object.metadata;
      if (type === 'DELETED') state.gone.set(name, view.now);
      else state.gone.delete(name);
      return view
        .list<Pod>(pods)
        .filter(({ spec }) => spec.nodeName === name)
        .map(({ metadata }) => keyOf(metadata));
    },
    decide: (object, view) => decide(object as Pod, view, state),
    gone(key) {
      state.since.delete(key);
      return rest;
    },
  };
}
