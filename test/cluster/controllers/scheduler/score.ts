/** Score plugins of the scheduler. */

import { isFields } from '../../apimachinery/object.ts';
import type { Node } from '../node-lifecycle/nodes.ts';
import { interPodAffinityScore } from './inter-pod-affinity.ts';
import { matchesTerm, tolerates } from './node-affinity.ts';
import { topologySpreadScore } from './pod-topology-spread.ts';
import { listOf, type SchedulingSnapshot } from './snapshot.ts';

/** One score plugin: a raw score per node, and its weight. */
interface ScorePlugin {
  readonly score: (node: Node) => number;
  /** Negative when a lower score is better. */
  readonly weight: number;
}

/** Normalizes a score to 0..1 between the lowest and the highest. */
const normalizeScore = (value: number, values: readonly number[]): number => {
  const finite = values.filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  if (!Number.isFinite(value)) return 1;
  return most > least ? (value - least) / (most - least) : 0;
};

/** Scores nodes for a pod by PreferNoSchedule taints, preferred node and pod affinity, and topology spread, with kube-scheduler's weights. */
export function scoreNodes(snapshot: SchedulingSnapshot, nodes: readonly Node[]): (node: Node) => number {
  const { affinity, tolerations = [] } = snapshot.pod.spec;
  const ofNodes = isFields(affinity?.nodeAffinity) ? affinity.nodeAffinity : {};
  const preferred = listOf(ofNodes.preferredDuringSchedulingIgnoredDuringExecution);
  const nodeAffinityScore = (node: Node): number =>
    preferred
      .filter(({ preference }) => isFields(preference) && matchesTerm(node, preference))
      .reduce((sum, { weight }) => sum + Number(weight), 0);
  const taintScore = ({ spec }: Node): number =>
    (spec?.taints ?? []).filter((taint) => taint.effect === 'PreferNoSchedule' && !tolerates(tolerations, taint))
      .length;
  const plugins: readonly ScorePlugin[] = [
    { score: taintScore, weight: -3 },
    { score: nodeAffinityScore, weight: 2 },
    { score: interPodAffinityScore(snapshot), weight: 2 },
    { score: topologySpreadScore(snapshot), weight: -2 },
  ];
  const scored = plugins.map(({ score, weight }) => {
    const values = new Map(nodes.map((node) => [node, score(node)]));
    return { weight, values, all: [...values.values()] };
  });
  return (node) =>
    scored.reduce((sum, { weight, values, all }) => sum + weight * normalizeScore(values.get(node)!, all), 0);
}
