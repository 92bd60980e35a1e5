/** Evaluates RBAC rules. */

import type { Action, PolicyRule } from '../server/authorizer.ts';

const has = (list: readonly string[] | undefined, wanted: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(wanted));

const matchesPath = (pattern: string, path: string): boolean =>
  pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));

function matchesResource(resources: readonly string[] = [], resource: string, subresource = ''): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some((one) => one === '*' || one === combined || (subresource !== '' && one === `*/${subresource}`));
}

/** Reports whether a rule allows an action. */
export function allows(rule: PolicyRule, action: Action): boolean {
  if (!has(rule.verbs, action.verb)) return false;
  if ('path' in action) return (rule.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, action.path));
  if (!has(rule.apiGroups, action.group)) return false;
  if (!matchesResource(rule.resources, action.resource, action.subresource)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(action.name ?? '');
}

/** Splits a rule about resources into rules with one verb, group and resource each, and with its names. */
function* resourceParts({ verbs, apiGroups = [], resources = [] }: PolicyRule): Generator<PolicyRule> {
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) yield { apiGroups: [group], resources: [resource], verbs: [verb] };
}

/** Splits a rule into rules with one verb, group, resource and name each. */
function* partsOf(rule: PolicyRule): Generator<PolicyRule> {
  const { verbs, resourceNames = [], nonResourceURLs = [] } = rule;
  for (const part of resourceParts(rule)) {
    if (resourceNames.length === 0) yield part;
    for (const name of resourceNames) yield { ...part, resourceNames: [name] };
  }
  for (const url of nonResourceURLs) for (const verb of verbs) yield { nonResourceURLs: [url], verbs: [verb] };
}

const covers = (owned: readonly string[] | undefined, wanted: readonly string[] = []): boolean =>
  wanted.every((one) => has(owned, one));

function coversResource(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return wanted.every((one) => {
    const [, subresource] = one.split('/');
    return has(owned, one) || (subresource !== undefined && owned.includes(`*/${subresource}`));
  });
}

/** Reports whether a rule covers a rule with single members. */
function isCovered(owner: PolicyRule, part: PolicyRule): boolean {
  if (!covers(owner.verbs, part.verbs)) return false;
  if (part.nonResourceURLs !== undefined) {
    return part.nonResourceURLs.every((url) =>
      (owner.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, url)),
    );
  }
  if (!covers(owner.apiGroups, part.apiGroups) || !coversResource(owner.resources, part.resources)) return false;
  const names = owner.resourceNames ?? [];
  return names.length === 0 || (part.resourceNames?.every((name) => names.includes(name)) ?? false);
}

const list = (title: string, values: readonly string[] | undefined): string[] =>
  values === undefined || values.length === 0
    ? []
    : [`${title}:[${values.map((one) => JSON.stringify(one)).join(' ')}]`];

const textOf = (rule: PolicyRule): string =>
  `{${[
    ...list('APIGroups', rule.apiGroups),
    ...list('Resources', rule.resources),
    ...list('NonResourceURLs', rule.nonResourceURLs),
    ...list('ResourceNames', rule.resourceNames),
    ...list('Verbs', rule.verbs),
  ].join(', ')}}`;

/** Lists the wanted rights that the owned rules do not grant, one text per resource, sorted, as the server formats them. */
export function missingRights(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly string[] {
  const missing = wanted
    .flatMap((rule) => [...partsOf(rule)])
    .filter((part) => !owned.some((one) => isCovered(one, part)));
  const byResource = new Map<string, PolicyRule>();
  for (const part of missing) {
    // Rules on paths are not merged.
    const key = textOf(part.nonResourceURLs === undefined ? { ...part, verbs: [] } : part);
    const { verbs = [] } = part.nonResourceURLs === undefined ? (byResource.get(key) ?? {}) : {};
    byResource.set(key, { ...part, verbs: [...verbs, ...part.verbs] });
  }
  return [...byResource.values()].map(textOf).sort();
}
