import { isFields } from '../../objects/object.ts';
import { matchesTerm, tolerates } from './fit.ts';
import type { Node } from './nodes.ts';
import { attraction } from './pod-affinity.ts';
import { listOf, type Situation } from './situation.ts';
import { crowd } from './spread.ts';

/** One score plugin: a raw score per node, and its weight. */
interface Wish {
  readonly of: (node: Node) => number;
  /** Negative when a lower score is better. */
  readonly weight: number;
}

/** Normalizes a score to 0..1 between the lowest and the highest. */
const scaled = (value: number, values: readonly number[]): number => {
  const finite = values.filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  if (!Number.isFinite(value)) return 1;
  return most > least ? (value - least) / (most - least) : 0;
};

/** Scores nodes for a pod by PreferNoSchedule taints, preferred node and pod affinity, and topology spread, with kube-scheduler's weights. */
export function liking(situation: Situation, nodes: readonly Node[]): (node: Node) => number {
  const { affinity, tolerations = [] } = situation.pod.spec;
  const ofNodes = isFields(affinity?.nodeAffinity) ? affinity.nodeAffinity : {};
  const preferred = listOf(ofNodes.preferredDuringSchedulingIgnoredDuringExecution);
  const wanted = (node: Node): number =>
    preferred
      .filter(({ preference }) => isFields(preference) && matchesTerm(node, preference))
      .reduce((sum, { weight }) => sum + Number(weight), 0);
  const advised = ({ spec }: Node): number =>
    (spec?.taints ?? []).filter((taint) => taint.effect === 'PreferNoSchedule' && !tolerates(tolerations, taint))
      .length;
  const wishes: readonly Wish[] = [
    { of: advised, weight: -3 },
    { of: wanted, weight: 2 },
    { of: attraction(situation), weight: 2 },
    { of: crowd(situation), weight: -2 },
  ];
  const known = wishes.map(({ of, weight }) => {
    const values = new Map(nodes.map((node) => [node, of(node)]));
    return { weight, values, all: [...values.values()] };
  });
  return (node) => known.reduce((sum, { weight, values, all }) => sum + weight * scaled(values.get(node)!, all), 0);
}
