import type { Fields } from '../../objects/object.ts';
import { selectsLabels } from '../../selectors/label-selector.ts';
import type { Pod } from '../pods/pod.ts';
import type { Node, Taint } from './nodes.ts';

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Whether a toleration, or its absence, lets a taint pass. */
export const tolerates = (tolerations: readonly Fields[], taint: Taint): boolean =>
  tolerations.some(
    ({ key, operator = 'Equal', value, effect }) =>
      (effect === undefined || effect === '' || effect === taint.effect) &&
      (key === undefined || key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  );

/** Gt and Lt compare numbers, which label selectors cannot. */
const holds = (expression: Fields, labels: Readonly<Record<string, string>>): boolean => {
  const { key, operator, values } = expression;
  if (operator !== 'Gt' && operator !== 'Lt') return selectsLabels({ matchExpressions: [expression] }, labels);
  const [actual, bound] = [Number(labels[String(key)]), Number((values as string[] | undefined)?.[0])];
  return operator === 'Gt' ? actual > bound : actual < bound;
};

/** Whether a node is what one term of a node selector asks for; an empty one asks for nothing that there is. */
export function matchesTerm({ metadata }: Node, term: Fields): boolean {
  const expressions = listOf(term.matchExpressions);
  const fields = listOf(term.matchFields);
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((expression) => holds(expression, metadata.labels ?? {})) &&
    fields.every((field) => holds(field, { 'metadata.name': metadata.name }))
  );
}

/** Whether a node is one that a pod asks for, by nodeSelector and required node affinity. */
export function isSelectedNode(spec: Pick<Pod['spec'], 'nodeSelector' | 'affinity'>, node: Node): boolean {
  if (!selectsLabels({ matchLabels: spec.nodeSelector ?? {} }, node.metadata.labels)) return false;
  const affinity = spec.affinity?.nodeAffinity as Fields | undefined;
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution as Fields | undefined;
  return required === undefined || listOf(required.nodeSelectorTerms).some((term) => matchesTerm(node, term));
}

/** The first of a node's taints with one of the effects that is not tolerated. */
export const untolerated = (
  tolerations: readonly Fields[],
  { spec }: Node,
  effects: readonly string[],
): Taint | undefined =>
  (spec?.taints ?? []).find((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint));

/** Why a pod cannot be put on a node, in the scheduler's words; undefined when it can. */
export function misfit({ spec }: Pod, node: Node): string | undefined {
  const tolerations = spec.tolerations ?? [];
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (node.spec?.unschedulable && !tolerates(tolerations, cordon)) return 'node(s) were unschedulable';
  const taint = untolerated(tolerations, node, ['NoSchedule', 'NoExecute']);
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  return isSelectedNode(spec, node) ? undefined : "node(s) didn't match Pod's node affinity/selector";
}
