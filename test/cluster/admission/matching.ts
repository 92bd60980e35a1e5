/** Matches writes against the rules and selectors of webhooks and policies. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import { selectsLabels } from '../apimachinery/selectors/match-label-selector.ts';
import type { Resource } from '../resources/registry.ts';
import type { Change, KindName, Operation } from '../server/admission.ts';

/** Write being admitted. */
export interface Target {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly subresource: string | undefined;
  /** Kind of the object where it differs from the resource's, such as Scale or Binding. */
  readonly kind?: KindName | undefined;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Labels of the write's namespace, or of the object if it is a namespace; undefined for other cluster-scoped objects. */
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
}

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const includes = (list: unknown, wanted: string): boolean => {
  const texts = textsIn(list);
  return texts.includes('*') || texts.includes(wanted);
};

function matchesPlural(patterns: unknown, plural: string, subresource: string | undefined): boolean {
  return textsIn(patterns).some((pattern) => {
    const [resource, sub] = pattern.split('/', 2);
    if (resource !== '*' && resource !== plural) return false;
    return sub === undefined ? subresource === undefined : sub === '*' || sub === subresource;
  });
}

const scopes: Readonly<Record<string, (namespaced: boolean) => boolean>> = {
  Cluster: (namespaced) => !namespaced,
  Namespaced: (namespaced) => namespaced,
};

function matchesRule(rule: Fields, { operation, subresource, name }: Target, { info }: Resource): boolean {
  const names = textsIn(rule.resourceNames);
  const isInScope = scopes[String(rule.scope)]?.(info.namespaced) ?? true;
  return (
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, info.group) &&
    includes(rule.apiVersions, info.version) &&
    matchesPlural(rule.resources, info.plural, subresource) &&
    isInScope &&
    (names.length === 0 || names.includes(name))
  );
}

/**
 * Returns the resource version that rules match: the target's own, else an equivalent one if `others` are given
 * (`matchPolicy: Equivalent`).
 * Undefined when no rule matches.
 */
export function matchedResource(rules: unknown, target: Target, others: readonly Resource[]): Resource | undefined {
  if (!Array.isArray(rules)) return undefined;
  return [target.resource, ...others].find((resource) =>
    (rules as Fields[]).some((rule) => matchesRule(rule, target, resource)),
  );
}

const labelsOf = (object: Fields | undefined): Readonly<Record<string, string>> | undefined => {
  const metadata = object && isFields(object.metadata) ? object.metadata : undefined;
  return metadata && ((metadata.labels ?? {}) as Record<string, string>);
};

/** Reports whether a selector is empty; it then also matches objects without metadata, such as connection options. */
function selectsAll(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = isFields(selector) ? selector : {};
  return Object.keys(isFields(matchLabels) ? matchLabels : {}).length === 0 && textsIn(matchExpressions).length === 0;
}

/** Reports whether namespaceSelector and objectSelector match a write. */
export function isSelected(selectors: Fields, { namespaceLabels }: Target, { object, oldObject }: Change): boolean {
  if (namespaceLabels !== undefined && !selectsLabels(selectors.namespaceSelector, namespaceLabels)) return false;
  if (selectsAll(selectors.objectSelector)) return true;
  const candidates = [labelsOf(object), labelsOf(oldObject)].filter((labels) => labels !== undefined);
  return candidates.some((labels) => selectsLabels(selectors.objectSelector, labels));
}
