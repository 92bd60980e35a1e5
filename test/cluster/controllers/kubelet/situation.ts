import type { Fields } from '../../objects/object.ts';
import { isFinished, type Pod, pods } from '../pods/pod.ts';
import type { View } from '../reconciler.ts';
import { type Node, nodes } from './nodes.ts';

type Labels = Readonly<Record<string, string>>;

/** Where a pod is to be placed: the nodes with what is on them. */
export interface Situation {
  readonly pod: Pod;
  readonly nodes: readonly Node[];
  /** What is on each node, by its name. */
  readonly on: ReadonlyMap<string, readonly Pod[]>;
  /** The labels of a namespace. */
  labelsOf(namespace: string): Labels;
}

/** The priority of a pod. */
export const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;

/** A list of a spec. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** What there is for a pod; others that wait for a node that was cleared for them count as there, unless this one comes first. */
export function situationFor(pod: Pod, view: View): Situation {
  const on = new Map<string, Pod[]>();
  for (const one of view.list<Pod>(pods)) {
    const isPromised =
      !one.spec.nodeName && one.metadata.uid !== pod.metadata.uid && priorityOf(one) >= priorityOf(pod);
    const name = one.spec.nodeName || (isPromised ? one.status?.nominatedNodeName : undefined);
    if (!name || isFinished(one)) continue;
    const known = on.get(name);
    if (known === undefined) on.set(name, [one]);
    else known.push(one);
  }
  const labelsOf = (namespace: string): Labels => view.get('/namespaces', namespace)?.metadata.labels ?? {};
  return { pod, nodes: view.list<Node>(nodes), on, labelsOf };
}

/** The same without some pods of one node. */
export const without = (situation: Situation, node: Node, gone: ReadonlySet<Pod>): Situation => {
  const { name } = node.metadata;
  const left = (situation.on.get(name) ?? []).filter((one) => !gone.has(one));
  return { ...situation, on: new Map(situation.on).set(name, left) };
};

/** All pods that are somewhere, with their nodes. */
export function* placed({ nodes: all, on }: Situation): Generator<readonly [pod: Pod, node: Node]> {
  for (const node of all) for (const pod of on.get(node.metadata.name) ?? []) yield [pod, node];
}
