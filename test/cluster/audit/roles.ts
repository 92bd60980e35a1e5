import { parseApiVersion } from '../../../sdk/api/kind.ts';
import type { KubeObject } from '../../../sdk/api/object.ts';
import type { PolicyRule } from '../machinery.ts';
import type { AuditEntry } from './entry.ts';
import { type AuditFilter, entriesOf } from './filter.ts';

/** What was done with one resource in one namespace. */
export interface VerbsUsed {
  /** Empty for core. */
  readonly apiGroup: string;
  /** As rules name it: `workspaces`, `workspaces/status`. */
  readonly resource: string;
  /** Undefined: across namespaces, or outside of all. */
  readonly namespace: string | undefined;
  /** In alphabetical order. */
  readonly verbs: readonly string[];
}

/** Whom a role is for. */
export interface RoleOptions extends AuditFilter {
  /** The name of the roles and bindings. */
  readonly name: string;
  /** Who is bound to them; without it there are no bindings. */
  readonly subject?:
    | { readonly user: string }
    | { readonly serviceAccount: { readonly namespace: string; readonly name: string } };
}

/** A Role or a ClusterRole. */
export interface RoleObject extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface BindingObject extends KubeObject {
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects: readonly object[];
}

const group = 'rbac.authorization.k8s.io';

/** A write that made what it was to change needs the right to create as well. */
const verbsOf = ({ verb, code }: AuditEntry): readonly string[] =>
  code === 201 && (verb === 'patch' || verb === 'update') ? [verb, 'create'] : [verb];

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): readonly T[][] => [
  ...Map.groupBy(items, keyOf).values(),
];

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

/** What was done, by resource and namespace; requests to paths that are no resources are left out, and so are resources that do not exist. */
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
  return grouped<VerbsUsed>(uses, keyOf)
    .map((same) => ({ ...same[0]!, verbs: unique(same.flatMap(({ verbs }) => verbs)) }))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Resources of a group with the same verbs share a rule. */
const rulesOf = (uses: readonly VerbsUsed[]): readonly PolicyRule[] =>
  grouped(uses, ({ apiGroup, verbs }) => `${apiGroup} ${verbs.join()}`).map((same) => ({
    apiGroups: [same[0]!.apiGroup],
    resources: unique(same.map(({ resource }) => resource)),
    verbs: same[0]!.verbs,
  }));

/** What a rule for all namespaces gives already is not said again for one. */
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

/** The least rights for what was done: a ClusterRole for what was done across namespaces or outside of them, a Role for each namespace, and bindings for the subject. */
export function rolesFor(all: readonly AuditEntry[], options: RoleOptions): readonly (RoleObject | BindingObject)[] {
  const { name: _name, subject: _subject, ...filter } = options;
  const used = verbsUsed(all, filter);
  const everywhere = used.filter(({ namespace }) => namespace === undefined);
  const local = used.filter(({ namespace }) => namespace !== undefined).flatMap((use) => beyond(use, everywhere));
  return [
    ...(everywhere.length === 0 ? [] : [everywhere]),
    ...grouped(local, ({ namespace = '' }) => namespace),
  ].flatMap((uses) => rolesIn(uses[0]!.namespace, uses, options));
}
