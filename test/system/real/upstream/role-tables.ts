/** Formats the default roles and their bindings, in the notation of `test/cluster/bootstrap/role-table.ts`. */

import type { GoBinding, GoRole, GoRoles, GoRule } from './facts.ts';
import { wrapped } from './wrapped.ts';

const shortVerbs: Readonly<Record<string, string>> = {
  'get,list,watch': 'read',
  'create,delete,deletecollection,patch,update': 'write',
};

function ruleText({ verbs, apiGroups = [], resources = [], resourceNames, nonResourceURLs }: GoRule): string {
  const verb = shortVerbs[verbs.join()] ?? verbs.join();
  if (nonResourceURLs !== undefined) return `${verb} - ${nonResourceURLs.join()}`;
  const groups = apiGroups.map((group) => (group === '' ? 'core' : group)).join();
  const text = [verb, groups, resources.join(), ...(resourceNames === undefined ? [] : [resourceNames.join()])].join(
    ' ',
  );
  return text === 'create,patch,update core,events.k8s.io events' ? 'events' : text;
}

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

const tableOf = (paragraphs: readonly string[]): string => `\n${paragraphs.toSorted(byText).join('\n')}\n`;

/** Formats roles, each under its name without a prefix; aggregated ones have no rules of their own. */
const rolesTable = (roles: readonly (readonly [string, GoRole])[]): string =>
  tableOf(
    roles.flatMap(([name, { rules, aggregationRule }]) =>
      aggregationRule === undefined
        ? [`${name}\n${wrapped(`  ${(rules ?? []).map(ruleText).join('; ')}`, /(?<=; )/)}`]
        : [],
    ),
  );

function subjectText({ kind, name, namespace }: NonNullable<GoBinding['subjects']>[number]): string {
  if (kind === 'Group') return name;
  if (kind === 'User') return `user=${name}`;
  if (namespace !== 'kube-system')
    throw new Error(`the role tables have no notation for the account ${namespace}/${name}`);
  return `account=${name}`;
}

const bindingText = (prefix: string, { metadata, roleRef, subjects }: GoBinding): string =>
  wrapped([`${prefix}${metadata.name}`, roleRef.name, ...(subjects ?? []).map(subjectText)].join(' '), /(?<=\S )/);

const prefixed = <T>(objects: Readonly<Record<string, readonly T[]>>): readonly (readonly [string, T])[] =>
  Object.entries(objects).flatMap(([namespace, all]) => all.map((object) => [`${namespace}/`, object] as const));

/** Returns the tables, by the name of their constants. */
export function roleTables(roles: GoRoles): Readonly<Record<string, string>> {
  const named = (role: GoRole, prefix = ''): readonly [string, GoRole] => [`${prefix}${role.metadata.name}`, role];
  const unprefixed = ([name, role]: readonly [string, GoRole]) =>
    [name.replace('system:controller:', ''), role] as const;
  return {
    clusterRoleTable: rolesTable(roles.clusterRoles.map((role) => named(role))),
    controllerRoleTable: rolesTable(roles.controllerRoles.map((role) => unprefixed(named(role)))),
    roleTable: rolesTable(prefixed(roles.roles).map(([prefix, role]) => named(role, prefix))),
    clusterBindingTable: tableOf(roles.clusterBindings.map((binding) => bindingText('', binding))),
    bindingTable: tableOf(prefixed(roles.bindings).map(([prefix, binding]) => bindingText(prefix, binding))),
  };
}
