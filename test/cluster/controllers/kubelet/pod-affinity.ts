/** Inter-pod affinity and anti-affinity, as filter and as score. */

import { type Fields, isFields } from '../../objects/object.ts';
import { selectsLabels } from '../../selectors/label-selector.ts';
import type { Pod } from '../pods/pod.ts';
import type { Node } from './nodes.ts';
import { listOf, placed, type Situation } from './situation.ts';

/** Violation of an affinity rule on a node. */
export interface Distance {
  readonly reason: string;
  /** True when evicting other pods could resolve it. */
  readonly isOthersFault: boolean;
}

type Kind = 'podAffinity' | 'podAntiAffinity';

/** Counts by topology pair, `key=value`. */
type Places = Map<string, number>;

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
function isAbout(
  term: Fields,
  { of, other, labelsOf }: Pick<Situation, 'labelsOf'> & { of: Pod; other: Pod },
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

const placeOf = ({ topologyKey }: Fields, { metadata }: Node): string | undefined => {
  const value = metadata.labels?.[String(topologyKey)];
  return value === undefined ? undefined : `${topologyKey}=${value}`;
};

const count = (places: Places, place: string | undefined, weight = 1): void => {
  if (place !== undefined) places.set(place, (places.get(place) ?? 0) + weight);
};

/** Filters nodes by the pod's required affinity and anti-affinity, and by the anti-affinity of existing pods. */
export function tooFarOrNear(situation: Situation): (node: Node) => Distance | undefined {
  const { pod, labelsOf } = situation;
  const [near, far] = [termsOf(pod, 'podAffinity'), termsOf(pod, 'podAntiAffinity')];
  const [friends, foes, hostile]: readonly Places[] = [new Map(), new Map(), new Map()] as const;
  for (const [other, node] of placed(situation)) {
    const about = { of: pod, other, labelsOf };
    if (near.length > 0 && near.every((term) => isAbout(term, about)))
      for (const term of near) count(friends!, placeOf(term, node));
    for (const term of far) if (isAbout(term, about)) count(foes!, placeOf(term, node));
    if (other.spec.affinity?.podAntiAffinity === undefined) continue;
    for (const term of termsOf(other, 'podAntiAffinity'))
      if (isAbout(term, { of: other, other: pod, labelsOf })) count(hostile!, placeOf(term, node));
  }
  // The first pod of a group with affinity to itself may go to any node.
  const isFirst = friends!.size === 0 && near.every((term) => isAbout(term, { of: pod, other: pod, labelsOf }));
  const isNear = (node: Node): boolean =>
    near.every((term) => {
      const place = placeOf(term, node);
      return place !== undefined && (isFirst || friends!.has(place));
    });
  const labelled = (node: Node): readonly string[] =>
    Object.entries(node.metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return (node) => {
    if (!isNear(node)) return { reason: "node(s) didn't match pod affinity rules", isOthersFault: false };
    if (far.some((term) => foes!.has(placeOf(term, node) ?? '')))
      return { reason: "node(s) didn't match pod anti-affinity rules", isOthersFault: true };
    if (hostile!.size > 0 && labelled(node).some((place) => hostile!.has(place)))
      return { reason: "node(s) didn't satisfy existing pods anti-affinity rules", isOthersFault: true };
    return undefined;
  };
}

const hardWeight = 1;

/** Scores nodes by preferred affinity of the pod and of existing pods. */
export function attraction(situation: Situation): (node: Node) => number {
  const { pod, labelsOf } = situation;
  const places: Places = new Map();
  const weigh = (of: Pod, other: Pod, node: Node): void => {
    for (const [kind, sign] of [
      ['podAffinity', 1],
      ['podAntiAffinity', -1],
    ] as const) {
      for (const { podAffinityTerm, weight } of preferredOf(of, kind)) {
        const term = fieldsOf(podAffinityTerm);
        if (isAbout(term, { of, other, labelsOf })) count(places, placeOf(term, node), sign * Number(weight));
      }
    }
  };
  for (const [other, node] of placed(situation)) {
    if (pod.spec.affinity !== undefined) weigh(pod, other, node);
    if (other.spec.affinity === undefined) continue;
    weigh(other, pod, node);
    for (const term of termsOf(other, 'podAffinity'))
      if (isAbout(term, { of: other, other: pod, labelsOf })) count(places, placeOf(term, node), hardWeight);
  }
  if (places.size === 0) return () => 0;
  return ({ metadata }) =>
    Object.entries(metadata.labels ?? {}).reduce((sum, [key, value]) => sum + (places.get(`${key}=${value}`) ?? 0), 0);
}
