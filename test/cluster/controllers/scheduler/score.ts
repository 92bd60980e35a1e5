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

/** Normalizes the scores of nodes to 0..1 between the lowest and the highest; infinite ones to 1. */
function normalizedScores(nodes: readonly Node[], score: (node: Node) => number): ReadonlyMap<Node, number> {
  const scores = nodes.map((node) => [node, score(node)] as const);
  const finite = scores.map(([, value]) => value).filter(Number.isFinite);
  const least = finite.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const most = finite.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  const normalized = (value: number): number => {
    if (!Number.isFinite(value)) return 1;
    return most > least ? (value - least) / (most - least) : 0;
  };
  return new Map(scores.map(([node, value]) => [node, normalized(value)]));
}

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
  const scored = plugins.map(({ score, weight }) => ({ weight, scores: normalizedScores(nodes, score) }));
  return (node) => scored.reduce((sum, { weight, scores }) => sum + weight * scores.get(node)!, 0);
}
