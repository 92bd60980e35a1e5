/** Scopes of quotas. */

import { type Fields, isFields } from '../apimachinery/object.ts';

/** Requirement of a quota's scope. */
export interface ScopeSelector {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Returns all scope requirements of a quota. */
export function scopesOf(spec: Fields): readonly ScopeSelector[] {
  const named = Array.isArray(spec.scopes) ? (spec.scopes as string[]) : [];
  const selectors = listOf(fieldsOf(spec.scopeSelector).matchExpressions) as unknown as readonly ScopeSelector[];
  return [...named.map((scopeName) => ({ scopeName, operator: 'Exists' })), ...selectors];
}

const operators: Readonly<Record<string, (values: readonly string[], value: string | undefined) => boolean>> = {
  Exists: (_values, value) => value !== undefined,
  DoesNotExist: (_values, value) => value === undefined,
  In: (values, value) => value !== undefined && values.includes(value),
  NotIn: (values, value) => value === undefined || !values.includes(value),
};

/** Matches a name against a selector; an empty name counts as absent. */
const named = ({ operator, values = [] }: ScopeSelector, name: unknown): boolean =>
  operators[operator]?.(values, typeof name === 'string' && name !== '' ? name : undefined) ?? false;

/** Reports whether a pod has an active deadline. */
export const isTerminating = ({ spec }: Fields): boolean => Number(fieldsOf(spec).activeDeadlineSeconds ?? -1) >= 0;

const isBestEffort = ({ status }: Fields): boolean => fieldsOf(status).qosClass === 'BestEffort';

const namesNamespaces = ({ namespaces, namespaceSelector }: Fields): boolean =>
  (Array.isArray(namespaces) && namespaces.length > 0) || namespaceSelector !== undefined;

function crossesNamespaces({ spec }: Fields): boolean {
  const { podAffinity, podAntiAffinity } = fieldsOf(fieldsOf(spec).affinity);
  return [podAffinity, podAntiAffinity]
    .map(fieldsOf)
    .flatMap((affinity) => [
      ...listOf(affinity.requiredDuringSchedulingIgnoredDuringExecution),
      ...listOf(affinity.preferredDuringSchedulingIgnoredDuringExecution).map((one) => fieldsOf(one.podAffinityTerm)),
    ])
    .some(namesNamespaces);
}

const podScopes: Readonly<Record<string, (selector: ScopeSelector, pod: Fields) => boolean>> = {
  Terminating: (_selector, pod) => isTerminating(pod),
  NotTerminating: (_selector, pod) => !isTerminating(pod),
  BestEffort: (_selector, pod) => isBestEffort(pod),
  NotBestEffort: (_selector, pod) => !isBestEffort(pod),
  PriorityClass: (selector, { spec }) => named(selector, fieldsOf(spec).priorityClassName),
  CrossNamespacePodAffinity: (_selector, pod) => crossesNamespaces(pod),
};

/** Reports whether a pod is in a scope. */
export const isPodInScope = (selector: ScopeSelector, pod: Fields): boolean =>
  podScopes[selector.scopeName]?.(selector, pod) ?? false;

/** Returns the volume attributes classes that a claim has, requests or is being modified to. */
function attributeClassesOf({ spec, status }: Fields): readonly string[] {
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = fieldsOf(status);
  const target = fieldsOf(modifyVolumeStatus).targetVolumeAttributesClassName;
  const names = [fieldsOf(spec).volumeAttributesClassName, currentVolumeAttributesClassName, target];
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}

/** Reports whether a volume claim is in a scope. */
export function isClaimInScope(selector: ScopeSelector, claim: Fields): boolean {
  if (selector.scopeName !== 'VolumeAttributesClass') return false;
  const classes = attributeClassesOf(claim);
  return classes.length === 0 ? named(selector, undefined) : classes.some((name) => named(selector, name));
}
