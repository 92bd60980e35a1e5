/** Filters nodes by taints, nodeSelector and node affinity. */

import type { Fields } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import type { Node, Taint } from '../node-lifecycle/nodes.ts';
import type { Pod } from '../pods/pod.ts';

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Reports whether any toleration tolerates a taint. */
export const tolerates = (tolerations: readonly Fields[], taint: Taint): boolean =>
  tolerations.some(
    ({ key, operator = 'Equal', value, effect }) =>
      (effect === undefined || effect === '' || effect === taint.effect) &&
      (key === undefined || key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  );

/** Evaluates a node selector requirement; Gt and Lt compare numbers, which label selectors do not support. */
const matchesExpression = (expression: Fields, labels: Readonly<Record<string, string>>): boolean => {
  const { key, operator, values } = expression;
  if (operator !== 'Gt' && operator !== 'Lt') return selectsLabels({ matchExpressions: [expression] }, labels);
  const [actual, bound] = [Number(labels[String(key)]), Number((values as string[] | undefined)?.[0])];
  return operator === 'Gt' ? actual > bound : actual < bound;
};

/** Reports whether a node matches a node selector term; an empty term matches none. */
export function matchesTerm({ metadata }: Node, term: Fields): boolean {
  const expressions = listOf(term.matchExpressions);
  const fields = listOf(term.matchFields);
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((expression) => matchesExpression(expression, metadata.labels ?? {})) &&
    fields.every((field) => matchesExpression(field, { 'metadata.name': metadata.name }))
  );
}

/** Reports whether a node matches a pod's nodeSelector and required node affinity. */
export function matchesNodeAffinity(spec: Pick<Pod['spec'], 'nodeSelector' | 'affinity'>, node: Node): boolean {
  if (!selectsLabels({ matchLabels: spec.nodeSelector ?? {} }, node.metadata.labels)) return false;
  const affinity = spec.affinity?.nodeAffinity as Fields | undefined;
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution as Fields | undefined;
  return required === undefined || listOf(required.nodeSelectorTerms).some((term) => matchesTerm(node, term));
}

/** Returns the first untolerated taint of a node with one of the effects. */
export const untoleratedTaint = (
  tolerations: readonly Fields[],
  { spec }: Node,
  effects: readonly string[],
): Taint | undefined =>
  (spec?.taints ?? []).find((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint));

/** Returns the scheduler's reason why a node does not fit a pod; undefined when it fits. */
export function nodeMismatch({ spec }: Pod, node: Node): string | undefined {
  const tolerations = spec.tolerations ?? [];
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (node.spec?.unschedulable && !tolerates(tolerations, cordon)) return 'node(s) were unschedulable';
  const taint = untoleratedTaint(tolerations, node, ['NoSchedule', 'NoExecute']);
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  return matchesNodeAffinity(spec, node) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}
