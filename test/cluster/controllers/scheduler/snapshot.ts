/** Input of a scheduling decision: the pod, the nodes and the pods on them. */

import type { Fields } from '../../apimachinery/object.ts';
import type { View } from '../engine/reconciler.ts';
import { type Node, nodes } from '../node-lifecycle/nodes.ts';
import { isFinished, type Pod, pods } from '../pods/pod.ts';

type Labels = Readonly<Record<string, string>>;

/** State that a pod is scheduled against. */
export interface SchedulingSnapshot {
  readonly pod: Pod;
  readonly nodes: readonly Node[];
  /** Pods on each node, by node name. */
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  /** Returns the labels of a namespace. */
  labelsOf(namespace: string): Labels;
}

/** Returns the priority of a pod. */
export const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;

/** Returns a list field of a spec, empty if absent. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Builds the state for a pod. Pods nominated to a node count as being on it, unless their priority is lower. */
export function snapshotFor(pod: Pod, view: View): SchedulingSnapshot {
  const podsByNode = new Map<string, Pod[]>();
  for (const one of view.list<Pod>(pods)) {
    const isNominated =
      !one.spec.nodeName && one.metadata.uid !== pod.metadata.uid && priorityOf(one) >= priorityOf(pod);
    const name = one.spec.nodeName || (isNominated ? one.status?.nominatedNodeName : undefined);
    if (!name || isFinished(one)) continue;
    const known = podsByNode.get(name);
    if (known === undefined) podsByNode.set(name, [one]);
    else known.push(one);
  }
  const labelsOf = (namespace: string): Labels => view.get('/namespaces', namespace)?.metadata.labels ?? {};
  return { pod, nodes: view.list<Node>(nodes), podsByNode, labelsOf };
}

/** Copies the state without some pods of a node. */
export const withoutPods = (snapshot: SchedulingSnapshot, node: Node, gone: ReadonlySet<Pod>): SchedulingSnapshot => {
  const { name } = node.metadata;
  const left = (snapshot.podsByNode.get(name) ?? []).filter((one) => !gone.has(one));
  return { ...snapshot, podsByNode: new Map(snapshot.podsByNode).set(name, left) };
};

/** Yields all pods on nodes, with their nodes. */
export function* scheduledPods({
  nodes: all,
  podsByNode,
}: SchedulingSnapshot): Generator<readonly [pod: Pod, node: Node]> {
  for (const node of all) for (const pod of podsByNode.get(node.metadata.name) ?? []) yield [pod, node];
}
