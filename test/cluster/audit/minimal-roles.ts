/** Derives minimal RBAC roles from the request log. */

import { parseApiVersion } from '../../../sdk/api/kind.ts';
import type { KubeObject } from '../../../sdk/api/object.ts';
import type { PolicyRule } from '../server/authorizer.ts';
import type { AuditEntry } from './entry.ts';
import { type AuditFilter, entriesOf } from './filter.ts';

/** Verbs used on one resource in one namespace. */
export interface VerbsUsed {
  /** API group; empty for core. */
  readonly apiGroup: string;
  /** Resource as in rules: `workspaces`, `workspaces/status`. */
  readonly resource: string;
  /** Namespace; undefined for cluster-wide requests. */
  readonly namespace: string | undefined;
  /** Verbs in alphabetical order. */
  readonly verbs: readonly string[];
}

/** Options of {@link rolesFor}. */
export interface RoleOptions extends AuditFilter {
  /** Name of the roles and bindings. */
  readonly name: string;
  /** Subject of the bindings; without it there are none. */
  readonly subject?:
    | { readonly user: string }
    | { readonly serviceAccount: { readonly namespace: string; readonly name: string } };
}

/** Role or ClusterRole object. */
export interface RoleObject extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

/** RoleBinding or ClusterRoleBinding object. */
export interface BindingObject extends KubeObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects: readonly object[];
}

const group = 'rbac.authorization.k8s.io';

/** Returns the verbs of a request; an update or patch that created its object also needs `create`. */
const verbsOf = ({ verb, code }: AuditEntry): readonly string[] =>
  code === 201 && (verb === 'patch' || verb === 'update') ? [verb, 'create'] : [verb];

const groupsBy = <T>(items: readonly T[], keyOf: (item: T) => string): readonly T[][] => [
  ...Map.groupBy(items, keyOf).values(),
];

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

/** Returns the verbs used, by resource and namespace, without non-resource paths and unknown resources. */
export function verbsUsed(
  all: readonly AuditEntry[],
  filter: AuditFilter = {},
  more: readonly string[] = [],
): readonly VerbsUsed[] {
  const uses = entriesOf(all, filter, more).flatMap((entry) => {
    const { apiVersion, resource, subresource, namespace } = entry;
    if (apiVersion === undefined || resource === undefined) return [];
    const apiGroup = parseApiVersion(apiVersion).group;
    return [
      {
        apiGroup,
        resource: subresource === undefined ? resource : `${resource}/${subresource}`,
        namespace,
        verbs: verbsOf(entry),
      },
    ];
  });
  const keyOf = ({ apiGroup, resource, namespace = '' }: VerbsUsed): string => `${namespace} ${apiGroup} ${resource}`;
  return groupsBy<VerbsUsed>(uses, keyOf)
    .map((same) => ({ ...same[0]!, verbs: unique(same.flatMap(({ verbs }) => verbs)) }))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Builds rules; resources of a group with the same verbs share one. */
const rulesOf = (uses: readonly VerbsUsed[]): readonly PolicyRule[] =>
  groupsBy(uses, ({ apiGroup, verbs }) => `${apiGroup} ${verbs.join()}`).map((same) => ({
    apiGroups: [same[0]!.apiGroup],
    resources: unique(same.map(({ resource }) => resource)),
    verbs: same[0]!.verbs,
  }));

/** Removes verbs that a cluster-wide rule already grants. */
function beyond(use: VerbsUsed, everywhere: readonly VerbsUsed[]): readonly VerbsUsed[] {
  const given = everywhere.find(({ apiGroup, resource }) => apiGroup === use.apiGroup && resource === use.resource);
  const verbs = use.verbs.filter((verb) => !given?.verbs.includes(verb));
  return verbs.length === 0 ? [] : [{ ...use, verbs }];
}

const subjectsOf = (subject: NonNullable<RoleOptions['subject']>): readonly object[] =>
  'user' in subject
    ? [{ apiGroup: group, kind: 'User', name: subject.user }]
    : [{ kind: 'ServiceAccount', ...subject.serviceAccount }];

function rolesIn(
  namespace: string | undefined,
  uses: readonly VerbsUsed[],
  { name, subject }: RoleOptions,
): (RoleObject | BindingObject)[] {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  const role: RoleObject = { apiVersion: `${group}/v1`, kind, metadata, rules: rulesOf(uses) };
  if (subject === undefined) return [role];
  const binding: BindingObject = {
    apiVersion: `${group}/v1`,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: group, kind, name },
    subjects: subjectsOf(subject),
  };
  return [role, binding];
}

/** Returns the minimal roles: a ClusterRole for cluster-wide requests, a Role per namespace, and bindings for the subject. */
export function rolesFor(all: readonly AuditEntry[], options: RoleOptions): readonly (RoleObject | BindingObject)[] {
  const { name: _name, subject: _subject, ...filter } = options;
  const used = verbsUsed(all, filter);
  const everywhere = used.filter(({ namespace }) => namespace === undefined);
  const local = used.filter(({ namespace }) => namespace !== undefined).flatMap((use) => beyond(use, everywhere));
  return [
    ...(everywhere.length === 0 ? [] : [everywhere]),
    ...groupsBy(local, ({ namespace = '' }) => namespace),
  ].flatMap((uses) => rolesIn(uses[0]!.namespace, uses, options));
}
