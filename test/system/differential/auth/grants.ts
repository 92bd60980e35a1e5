/** Grants rights to users. */

import type { Scenario, Step } from '../runner/scenario.ts';

/** Path of roles and bindings. */
export const rbac = '/apis/rbac.authorization.k8s.io/v1';
/** User to whom scenarios grant rights. */
export const user = 'user-{ns}';
/** API group, also in references. */
export const group = 'rbac.authorization.k8s.io';

/** Path of access reviews. */
export const reviews = '/apis/authorization.k8s.io/v1';

/** Reviews the user's access. */
export const review = (spec: object): Step => ({
  path: `${reviews}/subjectaccessreviews`,
  body: { spec: { user, ...spec } },
});

/** A rule of a role, as JSON. */
export type Rule = Readonly<Record<string, readonly string[]>>;

/** Sends a step as another user. */
export const as = (name: string, step: Step, more: Readonly<Record<string, string>> = {}): Step => ({
  ...step,
  headers: { 'impersonate-user': name, ...more, ...step.headers },
});

/** Creates an object; its answer is not compared. */
const made = (path: string, body: object): Step => ({ path, body, silent: true });

const subjectOf = (name: string) => ({ kind: 'User', apiGroup: group, name });

/** Grants rights in the scenario's namespace. */
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

/** Grants rights in all namespaces. */
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

/** Waits until the real server's authorizer has observed the grants: it observes roles and bindings in the order of their creation. */
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

/** Scenario that grants rights first, then runs its steps. */
export const withRights = (name: string, rights: readonly Step[], steps: readonly Step[]): Scenario => ({
  name,
  apart: true,
  steps: [...rights, ...heard, ...steps],
});
