/** Inter-pod affinity and anti-affinity, as filter and as score. */

import { type Fields, isFields, ownMember } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import type { Node } from '../node-lifecycle/nodes.ts';
import type { Pod } from '../pods/pod.ts';
import { listOf, type SchedulingSnapshot, scheduledPods } from './snapshot.ts';

/** Violation of an affinity rule on a node. */
export interface TopologyFailure {
  readonly reason: string;
  /** True when evicting other pods could resolve it. */
  readonly preemptionMayHelp: boolean;
}

type Kind = 'podAffinity' | 'podAntiAffinity';

/** Counts by topology pair, `key=value`. */
type TopologyCounts = Map<string, number>;

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const termsOf = ({ spec }: Pod, kind: Kind): readonly Fields[] => listOf(fieldsOf(spec.affinity?.[kind])[required]);
const preferredOf = ({ spec }: Pod, kind: Kind): readonly Fields[] =>
  listOf(fieldsOf(spec.affinity?.[kind])[preferred]);

/** Returns a term's selector, extended by the pod's labels in matchLabelKeys and mismatchLabelKeys. */
function selectorOf(
  { labelSelector, matchLabelKeys, mismatchLabelKeys }: Fields,
  { metadata }: Pod,
): Fields | undefined {
  if (!isFields(labelSelector)) return undefined;
  const own = (keys: unknown, operator: string) =>
    (Array.isArray(keys) ? keys.map(String) : [])
      .filter((key) => metadata.labels?.[key] !== undefined)
      .map((key) => ({ key, operator, values: [metadata.labels![key]] }));
  const more = [...own(matchLabelKeys, 'In'), ...own(mismatchLabelKeys, 'NotIn')];
  return more.length === 0
    ? labelSelector
    : { ...labelSelector, matchExpressions: [...listOf(labelSelector.matchExpressions), ...more] };
}

/** Reports whether a term of one pod selects another pod. */
function termMatches(
  term: Fields,
  { of, other, labelsOf }: Pick<SchedulingSnapshot, 'labelsOf'> & { of: Pod; other: Pod },
): boolean {
  const { namespaces, namespaceSelector } = term;
  const named = Array.isArray(namespaces) ? namespaces.map(String) : [];
  const { namespace = '' } = other.metadata;
  const isOwn = named.length === 0 && !isFields(namespaceSelector) && namespace === of.metadata.namespace;
  const isSelected = isFields(namespaceSelector) && selectsLabels(namespaceSelector, labelsOf(namespace));
  const selector = selectorOf(term, of);
  if (selector === undefined || !(isOwn || named.includes(namespace) || isSelected)) return false;
  return selectsLabels(selector, other.metadata.labels);
}

const topologyPairOf = ({ topologyKey }: Fields, { metadata }: Node): string | undefined => {
  const value = ownMember(metadata.labels ?? {}, topologyKey);
  return value === undefined ? undefined : `${topologyKey}=${value}`;
};

const count = (counts: TopologyCounts, pair: string | undefined, weight = 1): void => {
  if (pair !== undefined) counts.set(pair, (counts.get(pair) ?? 0) + weight);
};

const countAll = (counts: TopologyCounts, terms: readonly Fields[], node: Node): void => {
  for (const term of terms) count(counts, topologyPairOf(term, node));
};

/** Filters nodes by the pod's required affinity and anti-affinity, and by the anti-affinity of existing pods. */
export function interPodAffinityFilter(snapshot: SchedulingSnapshot): (node: Node) => TopologyFailure | undefined {
  const { pod, labelsOf } = snapshot;
  const [affinity, antiAffinity] = [termsOf(pod, 'podAffinity'), termsOf(pod, 'podAntiAffinity')];
  const [affinityCounts, antiAffinityCounts, existingAntiAffinityCounts]: readonly TopologyCounts[] = [
    new Map(),
    new Map(),
    new Map(),
  ] as const;
  for (const [other, node] of scheduledPods(snapshot)) {
    const matches = (term: Fields) => termMatches(term, { of: pod, other, labelsOf });
    if (affinity.every(matches)) countAll(affinityCounts!, affinity, node);
    countAll(antiAffinityCounts!, antiAffinity.filter(matches), node);
    if (other.spec.affinity?.podAntiAffinity === undefined) continue;
    const against = termsOf(other, 'podAntiAffinity');
    const matching = against.filter((term) => termMatches(term, { of: other, other: pod, labelsOf }));
    countAll(existingAntiAffinityCounts!, matching, node);
  }
  // The first pod of a group with affinity to itself may go to any node.
  const isFirst =
    affinityCounts!.size === 0 && affinity.every((term) => termMatches(term, { of: pod, other: pod, labelsOf }));
  const matchesAffinity = (node: Node): boolean =>
    affinity.every((term) => {
      const pair = topologyPairOf(term, node);
      return pair !== undefined && (isFirst || affinityCounts!.has(pair));
    });
  const labelled = (node: Node): readonly string[] =>
    Object.entries(node.metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return (node) => {
    if (!matchesAffinity(node)) return { reason: "node(s) didn't match pod affinity rules", preemptionMayHelp: false };
    if (antiAffinity.some((term) => antiAffinityCounts!.has(topologyPairOf(term, node) ?? '')))
      return { reason: "node(s) didn't match pod anti-affinity rules", preemptionMayHelp: true };
    if (existingAntiAffinityCounts!.size > 0 && labelled(node).some((pair) => existingAntiAffinityCounts!.has(pair)))
      return { reason: "node(s) didn't satisfy existing pods anti-affinity rules", preemptionMayHelp: true };
    return undefined;
  };
}

const hardWeight = 1;

/** Scores nodes by preferred affinity of the pod and of existing pods. */
export function interPodAffinityScore(snapshot: SchedulingSnapshot): (node: Node) => number {
  const { pod, labelsOf } = snapshot;
  const counts: TopologyCounts = new Map();
  const weigh = (of: Pod, other: Pod, node: Node): void => {
    for (const [kind, sign] of [
      ['podAffinity', 1],
      ['podAntiAffinity', -1],
    ] as const) {
      for (const { podAffinityTerm, weight } of preferredOf(of, kind)) {
        const term = fieldsOf(podAffinityTerm);
        if (termMatches(term, { of, other, labelsOf }))
          count(counts, topologyPairOf(term, node), sign * Number(weight));
      }
    }
  };
  for (const [other, node] of scheduledPods(snapshot)) {
    if (pod.spec.affinity !== undefined) weigh(pod, other, node);
    if (other.spec.affinity === undefined) continue;
    weigh(other, pod, node);
    for (const term of termsOf(other, 'podAffinity'))
      if (termMatches(term, { of: other, other: pod, labelsOf })) count(counts, topologyPairOf(term, node), hardWeight);
  }
  if (counts.size === 0) return () => 0;
  return ({ metadata }) =>
    Object.entries(metadata.labels ?? {}).reduce((sum, [key, value]) => sum + (counts.get(`${key}=${value}`) ?? 0), 0);
}
