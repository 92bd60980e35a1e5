/** Default roles and bindings of a server with RBAC. */

import type { Draft, Fields } from '../apimachinery/object.ts';
import { changedTable, type VersionChanges } from '../resources/table-changes.ts';
import type { PolicyRule } from '../server/authorizer.ts';
import { controllerRoleTable } from './controller-role-table.ts';
import { bindingTable, clusterBindingTable, clusterRoleTable, roleTable } from './role-table.ts';

const roleGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${roleGroup}/v1`;
const controllerPrefix = 'system:controller:';

const verbs: Readonly<Record<string, string>> = {
  read: 'get,list,watch',
  write: 'create,delete,deletecollection,patch,update',
};

/** Parses one rule of the role tables. */
function ruleOf(text: string): PolicyRule {
  const full = text === 'events' ? 'create,patch,update core,events.k8s.io events' : text;
  const [given = '', groups = '', targets = '', names] = full.split(' ');
  const rule = { verbs: (verbs[given] ?? given).split(',') };
  if (groups === '-') return { ...rule, nonResourceURLs: targets.split(',') };
  return {
    ...rule,
    apiGroups: groups.split(',').map((one) => (one === 'core' ? '' : one)),
    resources: targets.split(','),
    ...(names !== undefined && { resourceNames: names.split(',') }),
  };
}

/** Parses a role table into the rules of each role. */
const rulesIn = (table: string): readonly (readonly [string, readonly PolicyRule[]])[] =>
  table
    .trim()
    .split(/\n(?! )/)
    .map((paragraph) => {
      const [name = '', ...lines] = paragraph.split('\n');
      return [name, lines.join('').trim().split(/; */).map(ruleOf)] as const;
    });

const aggregateTo = (role: string): string => `${roleGroup}/aggregate-to-${role}`;

/** Aggregated roles, each with the role it aggregates to, in order of dependency. */
const aggregates: Readonly<Record<string, string | undefined>> = { view: 'edit', edit: 'admin', admin: undefined };

interface ObjectName {
  readonly name: string;
  readonly namespace?: string;
}

const objectOf = (kind: string, objectName: ObjectName, labels: Fields = {}): Draft => ({
  apiVersion,
  kind,
  metadata: {
    ...objectName,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels } as Record<string, string>,
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  },
});

const labelsFor = (target: string | undefined): Fields =>
  target === undefined ? {} : { [aggregateTo(target)]: 'true' };

function plainClusterRoles(changes: VersionChanges['tables']): Map<string, Draft> {
  const ofControllers = changedTable(controllerRoleTable, changes.controllerRoleTable);
  const controllers = rulesIn(ofControllers).map(([name, rules]) => [controllerPrefix + name, rules] as const);
  return new Map(
    [...rulesIn(changedTable(clusterRoleTable, changes.clusterRoleTable)), ...controllers].map(([name, rules]) => {
      const [, target] = /^system:aggregate-to-(.+)$/.exec(name) ?? [];
      return [name, { ...objectOf('ClusterRole', { name }, labelsFor(target)), rules }] as const;
    }),
  );
}

/** Returns the default ClusterRoles, aggregated ones with their resulting rules. */
export function bootstrapClusterRoles(changes: VersionChanges['tables'] = {}): readonly Draft[] {
  const roles = plainClusterRoles(changes);
  for (const [name, target] of Object.entries(aggregates)) {
    const parts = Object.entries(aggregates).flatMap(([part, to]) => (to === name ? [part] : []));
    const rules = [...parts, `system:aggregate-to-${name}`].flatMap((part) => roles.get(part)!.rules as PolicyRule[]);
    roles.set(name, {
      ...objectOf('ClusterRole', { name }, labelsFor(target)),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(name)]: 'true' } }] },
      rules,
    });
  }
  return [...roles.values()];
}

const objectNameOf = (name: string): ObjectName => {
  const [namespace = '', own = ''] = name.split('/');
  return { name: own, namespace };
};

/** Returns the default Roles. */
export const bootstrapRoles = (changes: VersionChanges['tables'] = {}): readonly Draft[] =>
  rulesIn(changedTable(roleTable, changes.roleTable)).map(([name, rules]) => ({
    ...objectOf('Role', objectNameOf(name)),
    rules,
  }));

/** Parses a subject: a group, `user=NAME`, or `account=NAME`, a service account of kube-system. */
function subjectOf(text: string): Fields {
  const [kind = '', name = ''] = /^(user|account)=(.*)$/.exec(text)?.slice(1) ?? ['group', text];
  if (kind === 'account') return { kind: 'ServiceAccount', name, namespace: 'kube-system' };
  return { kind: kind === 'user' ? 'User' : 'Group', apiGroup: roleGroup, name };
}

const bindingOf = (objectName: ObjectName, role: string, subjects: readonly string[]): Draft => {
  const kind = objectName.namespace === undefined ? 'ClusterRole' : 'Role';
  return {
    ...objectOf(`${kind}Binding`, objectName),
    ...(subjects.length > 0 && { subjects: subjects.map(subjectOf) }),
    roleRef: { apiGroup: roleGroup, kind, name: role },
  };
};

/** Parses a table of bindings: each binding with its role and subjects. */
const bindingsIn = (table: string): readonly (readonly [string, string, ...(readonly string[])])[] =>
  table
    .trim()
    .split(/\n(?! )/)
    .map((line) => line.split(/\s+/) as [string, string, ...string[]]);

/** Returns the default ClusterRoleBindings. */
export const bootstrapClusterBindings = (changes: VersionChanges['tables'] = {}): readonly Draft[] => [
  ...bindingsIn(changedTable(clusterBindingTable, changes.clusterBindingTable)).map(([name, role, ...subjects]) =>
    bindingOf({ name }, role, subjects),
  ),
  ...rulesIn(changedTable(controllerRoleTable, changes.controllerRoleTable)).map(([account]) => {
    const name = controllerPrefix + account;
    return bindingOf({ name }, name, [`account=${account}`]);
  }),
];

/** Returns the default RoleBindings. */
export const bootstrapBindings = (changes: VersionChanges['tables'] = {}): readonly Draft[] =>
  bindingsIn(changedTable(bindingTable, changes.bindingTable)).map(([name, role, ...subjects]) =>
    bindingOf(objectNameOf(name), role, subjects),
  );
