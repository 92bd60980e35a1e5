/** Default roles and bindings of a server with RBAC. */

import type { Draft, Fields } from '../apimachinery/object.ts';
import type { PolicyRule } from '../server/authorizer.ts';
import { controllerRoleTable } from './controller-role-table.ts';
import { clusterRoleTable, roleTable } from './role-table.ts';

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

interface Place {
  readonly name: string;
  readonly namespace?: string;
}

const objectOf = (kind: string, place: Place, labels: Fields = {}): Draft => ({
  apiVersion,
  kind,
  metadata: {
    ...place,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels } as Record<string, string>,
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  },
});

const labelsFor = (target: string | undefined): Fields =>
  target === undefined ? {} : { [aggregateTo(target)]: 'true' };

function plainClusterRoles(): Map<string, Draft> {
  const controllers = rulesIn(controllerRoleTable).map(([name, rules]) => [controllerPrefix + name, rules] as const);
  return new Map(
    [...rulesIn(clusterRoleTable), ...controllers].map(([name, rules]) => {
      const [, target] = /^system:aggregate-to-(.+)$/.exec(name) ?? [];
      return [name, { ...objectOf('ClusterRole', { name }, labelsFor(target)), rules }] as const;
    }),
  );
}

/** Returns the default ClusterRoles, aggregated ones with their resulting rules. */
export function bootstrapClusterRoles(): readonly Draft[] {
  const roles = plainClusterRoles();
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

const placed = (name: string): Place => {
  const [namespace = '', own = ''] = name.split('/');
  return { name: own, namespace };
};

/** Returns the default Roles. */
export const bootstrapRoles = (): readonly Draft[] =>
  rulesIn(roleTable).map(([name, rules]) => ({ ...objectOf('Role', placed(name)), rules }));

/** Parses a subject: a group, `user=NAME`, or `account=NAME`, a service account of kube-system. */
function subjectOf(text: string): Fields {
  const [kind = '', name = ''] = /^(user|account)=(.*)$/.exec(text)?.slice(1) ?? ['group', text];
  if (kind === 'account') return { kind: 'ServiceAccount', name, namespace: 'kube-system' };
  return { kind: kind === 'user' ? 'User' : 'Group', apiGroup: roleGroup, name };
}

const bindingOf = (place: Place, role: string, subjects: readonly string[]): Draft => {
  const kind = place.namespace === undefined ? 'ClusterRole' : 'Role';
  return {
    ...objectOf(`${kind}Binding`, place),
    ...(subjects.length > 0 && { subjects: subjects.map(subjectOf) }),
    roleRef: { apiGroup: roleGroup, kind, name: role },
  };
};

const manager = 'user=system:kube-controller-manager';
const scheduler = 'user=system:kube-scheduler';

/** Subjects of the default ClusterRoles; each controller has its own besides. */
const clusterSubjects: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['system:masters'],
  'system:basic-user': ['system:authenticated'],
  'system:discovery': ['system:authenticated'],
  'system:kube-controller-manager': [manager],
  'system:kube-scheduler': [scheduler],
  'system:monitoring': ['system:monitoring'],
  'system:node': [],
  'system:node-proxier': ['user=system:kube-proxy'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
  'system:service-account-issuer-discovery': ['system:serviceaccounts'],
  'system:volume-scheduler': [scheduler],
};

/** Returns the default ClusterRoleBindings. */
export const bootstrapClusterBindings = (): readonly Draft[] => [
  ...Object.entries(clusterSubjects).map(([name, subjects]) => bindingOf({ name }, name, subjects)),
  ...rulesIn(controllerRoleTable).map(([account]) => {
    const name = controllerPrefix + account;
    return bindingOf({ name }, name, [`account=${account}`]);
  }),
];

/** Default RoleBindings as binding, role and subjects. */
const roleSubjects: readonly (readonly [string, string, ...(readonly string[])])[] = [
  ['kube-public/system:controller:bootstrap-signer', 'system:controller:bootstrap-signer', 'account=bootstrap-signer'],
  [
    'kube-system/system::extension-apiserver-authentication-reader',
    'extension-apiserver-authentication-reader',
    manager,
    scheduler,
  ],
  [
    'kube-system/system::leader-locking-kube-controller-manager',
    'system::leader-locking-kube-controller-manager',
    manager,
    'account=kube-controller-manager',
    'account=leader-election-controller',
  ],
  [
    'kube-system/system::leader-locking-kube-scheduler',
    'system::leader-locking-kube-scheduler',
    scheduler,
    'account=kube-scheduler',
  ],
  ...['bootstrap-signer', 'cloud-provider', 'token-cleaner'].map((account) => {
    const name = controllerPrefix + account;
    return [`kube-system/${name}`, name, `account=${account}`] as const;
  }),
];

/** Returns the default RoleBindings. */
export const bootstrapBindings = (): readonly Draft[] =>
  roleSubjects.map(([name, role, ...subjects]) => bindingOf(placed(name), role, subjects));
