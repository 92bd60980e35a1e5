import { type Fields, isFields } from '../objects/object.ts';
import type { Resource } from '../registry.ts';
import { selectsLabels } from '../selectors/label-selector.ts';

/** What a write does to an object; who connects to one writes nothing. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A kind in full. */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A write that is being admitted. */
export interface Target {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly subresource: string | undefined;
  /** Of the object, when that is not of the resource's kind: a Scale, a Binding. */
  readonly kind?: KindName | undefined;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Labels of the namespace it happens in; of the object itself when that is a namespace; undefined for other cluster-wide objects. */
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
}

/** The object on its way, and the one it replaces. */
export interface Change {
  readonly object: Fields | undefined;
  readonly oldObject: Fields | undefined;
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
 * The version of the target's resource that rules speak of: its own if they do, else another one that holds the same objects
 * when `matchPolicy` is Equivalent. Undefined when no rule matches.
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

/** Whether a selector says nothing: then also what has no labels at all is chosen, such as the options of a connection. */
function selectsAll(selector: unknown): boolean {
  const { matchLabels, matchExpressions } = isFields(selector) ? selector : {};
  return Object.keys(isFields(matchLabels) ? matchLabels : {}).length === 0 && textsIn(matchExpressions).length === 0;
}

/** Whether the selectors of a webhook or a policy choose a write. */
export function isSelected(selectors: Fields, { namespaceLabels }: Target, { object, oldObject }: Change): boolean {
  if (namespaceLabels !== undefined && !selectsLabels(selectors.namespaceSelector, namespaceLabels)) return false;
  if (selectsAll(selectors.objectSelector)) return true;
  const candidates = [labelsOf(object), labelsOf(oldObject)].filter((labels) => labels !== undefined);
  return candidates.some((labels) => selectsLabels(selectors.objectSelector, labels));
}
