/** Pod topology spread, as filter and as score. */

import { type Fields, isFields, ownMember } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import type { Node } from '../node-lifecycle/nodes.ts';
import { isTerminating, type Pod } from '../pods/pod.ts';
import type { TopologyFailure } from './inter-pod-affinity.ts';
import { matchesNodeAffinity, untoleratedTaint } from './node-affinity.ts';
import { listOf, type SchedulingSnapshot } from './snapshot.ts';

const mismatch = "node(s) didn't match pod topology spread constraints";

/** Counts of matching pods by topology domain, for one constraint. */
interface TopologySpread {
  readonly key: string;
  readonly maxSkew: number;
  readonly counts: ReadonlyMap<string, number>;
  /** Lowest count of any domain. */
  readonly least: number;
  /** 1 when the pod matches its own constraint, else 0. */
  readonly own: number;
}

const constraintsOf = ({ spec }: Pod, kind: string): readonly Fields[] =>
  listOf(spec.topologySpreadConstraints).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === kind);

/** Returns a predicate on pods: same namespace, and selected by the constraint. */
function countedBy({ labelSelector, matchLabelKeys }: Fields, { metadata }: Pod): (other: Pod) => boolean {
  if (!isFields(labelSelector)) return () => false;
  const keys = (Array.isArray(matchLabelKeys) ? matchLabelKeys.map(String) : []).filter(
    (key) => metadata.labels?.[key] !== undefined,
  );
  return ({ metadata: { labels, namespace } }) =>
    namespace === metadata.namespace &&
    selectsLabels(labelSelector, labels) &&
    keys.every((key) => labels?.[key] === metadata.labels![key]);
}

/** Reports whether a node counts for a constraint, by its node inclusion policies. */
function isEligible(constraint: Fields, { spec }: Pod, node: Node): boolean {
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint;
  if (nodeAffinityPolicy === 'Honor' && !matchesNodeAffinity(spec, node)) return false;
  return (
    nodeTaintsPolicy === 'Ignore' ||
    untoleratedTaint(spec.tolerations ?? [], node, ['NoSchedule', 'NoExecute']) === undefined
  );
}

function topologySpreadOf(
  constraint: Fields,
  { pod, nodes, podsByNode }: SchedulingSnapshot,
  keys: readonly string[],
): TopologySpread {
  const { topologyKey, maxSkew, minDomains = 1 } = constraint;
  const key = String(topologyKey);
  const counts = new Map<string, number>();
  const isCounted = countedBy(constraint, pod);
  for (const node of nodes) {
    const labels = node.metadata.labels ?? {};
    if (!keys.every((name) => Object.hasOwn(labels, name)) || !isEligible(constraint, pod, node)) continue;
    const there = (podsByNode.get(node.metadata.name) ?? []).filter(
      (one) => !isTerminating(one) && isCounted(one),
    ).length;
    counts.set(labels[key]!, (counts.get(labels[key]!) ?? 0) + there);
  }
  const isEnough = counts.size >= Number(minDomains);
  const least = isEnough && counts.size > 0 ? Math.min(...counts.values()) : 0;
  return { key, maxSkew: Number(maxSkew), counts, least, own: isCounted(pod) ? 1 : 0 };
}

function topologySpreadsOf(snapshot: SchedulingSnapshot, kind: string): readonly TopologySpread[] {
  const constraints = constraintsOf(snapshot.pod, kind);
  const keys = constraints.map(({ topologyKey }) => String(topologyKey));
  return constraints.map((constraint) => topologySpreadOf(constraint, snapshot, keys));
}

/** Filters nodes by constraints with DoNotSchedule. */
export function topologySpreadFilter(snapshot: SchedulingSnapshot): (node: Node) => TopologyFailure | undefined {
  const spreads = topologySpreadsOf(snapshot, 'DoNotSchedule');
  return ({ metadata: { labels = {} } }) => {
    for (const { key, maxSkew, counts, least, own } of spreads) {
      const value = ownMember(labels, key);
      if (value === undefined) return { reason: `${mismatch} (missing required label)`, preemptionMayHelp: false };
      if ((counts.get(value) ?? 0) + own - least > maxSkew) return { reason: mismatch, preemptionMayHelp: true };
    }
    return undefined;
  };
}

/** Scores nodes by the matching pods in their domains, for constraints with ScheduleAnyway; Infinity for a node without the topology label. */
export function topologySpreadScore(snapshot: SchedulingSnapshot): (node: Node) => number {
  const spreads = topologySpreadsOf(snapshot, 'ScheduleAnyway');
  return ({ metadata: { labels = {} } }) =>
    spreads.reduce((sum, { key, counts }) => {
      const value = ownMember(labels, key);
      return value === undefined ? Number.POSITIVE_INFINITY : sum + (counts.get(value) ?? 0);
    }, 0);
}
