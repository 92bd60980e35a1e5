import type { Scenario, Step } from '../scenario.ts';

/** Where roles and bindings are. */
export const rbac = '/apis/rbac.authorization.k8s.io/v1';
/** The user whom scenarios give rights. */
export const user = 'user-{ns}';
/** The same name in API group and reference. */
export const group = 'rbac.authorization.k8s.io';

/** Where access is asked about. */
export const reviews = '/apis/authorization.k8s.io/v1';

/** May the user? */
export const review = (spec: object): Step => ({
  path: `${reviews}/subjectaccessreviews`,
  body: { spec: { user, ...spec } },
});

/** A rule of a role, as JSON. */
export type Rule = Readonly<Record<string, readonly string[]>>;

/** Asks as somebody else. */
export const as = (name: string, step: Step, more: Readonly<Record<string, string>> = {}): Step => ({
  ...step,
  headers: { 'impersonate-user': name, ...more, ...step.headers },
});

/** What is made; what is answered does not count. */
const made = (path: string, body: object): Step => ({ path, body, silent: true });

const subjectOf = (name: string) => ({ kind: 'User', apiGroup: group, name });

/** Rights in the scenario's namespace. */
export const granted = (
  name: string,
  rules: readonly Rule[],
  subjects: readonly object[] = [subjectOf(user)],
): Step[] => [
  made(`${rbac}/namespaces/{ns}/roles`, { metadata: { name }, rules }),
  made(`${rbac}/namespaces/{ns}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: group, kind: 'Role', name },
    subjects,
  }),
];

/** Rights everywhere. */
export const grantedEverywhere = (
  name: string,
  rules: readonly Rule[],
  subjects: readonly object[] = [subjectOf(user)],
): Step[] => [
  made(`${rbac}/clusterroles`, { metadata: { name: `${name}-{ns}` }, rules }),
  made(`${rbac}/clusterrolebindings`, {
    metadata: { name: `${name}-{ns}` },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: `${name}-{ns}` },
    subjects,
  }),
];

/** What the real server's authorizer must have heard of before it is asked: it hears of roles and bindings in the order in which they were made. */
const heard: readonly Step[] = [
  ...granted('z-heard', [{ apiGroups: [''], resources: ['endpoints'], verbs: ['get'] }], [subjectOf('heard-{ns}')]),
  ...grantedEverywhere(
    'z-heard',
    [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
    [subjectOf('heard-{ns}')],
  ),
  as('heard-{ns}', { path: '/api/v1/namespaces/{ns}/endpoints/none', until: 404, silent: true }),
  as('heard-{ns}', { path: '/api/v1/nodes/none', until: 404, silent: true }),
];

/** A scenario that first gives rights, and then asks. */
export const withRights = (name: string, rights: readonly Step[], steps: readonly Step[]): Scenario => ({
  name,
  apart: true,
  steps: [...rights, ...heard, ...steps],
});
