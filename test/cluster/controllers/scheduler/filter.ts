/** Combines all filters of the scheduler. */

import type { Node } from '../node-lifecycle/nodes.ts';
import { interPodAffinityFilter } from './inter-pod-affinity.ts';
import { nodeMismatch } from './node-affinity.ts';
import { nodePortsFilter } from './node-ports.ts';
import { type FilterFailure, insufficientResources, type PodRequests } from './node-resources.ts';
import { topologySpreadFilter } from './pod-topology-spread.ts';
import type { SchedulingSnapshot } from './snapshot.ts';

/** Returns, for a scheduling state, a filter of nodes for its pod. */
export type Filter = (snapshot: SchedulingSnapshot) => (node: Node) => FilterFailure | undefined;

const portConflict: FilterFailure = {
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
  preemptionMayHelp: true,
};

/** Builds the filter: the first reason against a node counts, in kube-scheduler's order. */
export const createFilter =
  (requests: PodRequests): Filter =>
  (snapshot) => {
    const { pod, podsByNode } = snapshot;
    const requested = requests.of(pod);
    const hasPortConflict = nodePortsFilter(snapshot);
    const [spread, distance] = [topologySpreadFilter(snapshot), interPodAffinityFilter(snapshot)];
    return (node) => {
      const reason = nodeMismatch(pod, node);
      if (reason !== undefined) return { reasons: [reason], preemptionMayHelp: false };
      if (hasPortConflict(node.metadata.name)) return portConflict;
      const shortage = insufficientResources(requested, node, requests.usage(podsByNode.get(node.metadata.name) ?? []));
      if (shortage !== undefined) return shortage;
      const failure = spread(node) ?? distance(node);
      return failure && { reasons: [failure.reason], preemptionMayHelp: failure.preemptionMayHelp };
    };
  };
