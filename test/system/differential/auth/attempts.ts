/** Requests that attempt to escalate privileges. */

import type { Step } from '../runner/scenario.ts';
import { as, group, rbac, user } from './grants.ts';

/** Path of roles. */
export const roles = `${rbac}/namespaces/{ns}/roles`;
/** Path of role bindings. */
export const bindings = `${rbac}/namespaces/{ns}/rolebindings`;

/** Binds the user to a role. */
export const bindingTo = (name: string, kind: string, role: string) => ({
  metadata: { name },
  roleRef: { apiGroup: group, kind, name: role },
  subjects: [{ kind: 'User', apiGroup: group, name: user }],
});

/** Attempts of a user who may write roles and bindings and has some rights. */
export const attempts: readonly Step[] = [
  ...['small', 'large', 'none', 'missing'].map(
    (role): Step => as(user, { path: bindings, body: bindingTo(`to-${role}`, 'Role', role) }),
  ),
  ...['view', 'edit', 'cluster-admin', 'missing'].map(
    (role): Step => as(user, { path: bindings, body: bindingTo(`to-c-${role}`, 'ClusterRole', role) }),
  ),
  as(user, { path: bindings, body: { ...bindingTo('no-subjects', 'Role', 'large'), subjects: [] } }),
  as(user, { path: `${rbac}/clusterrolebindings`, body: bindingTo('to-{ns}', 'ClusterRole', 'view') }),
  as(user, {
    path: roles,
    body: { metadata: { name: 'large-2' }, rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] },
  }),
  as(user, { method: 'PATCH', path: `${roles}/large`, body: { metadata: { labels: { a: 'b' } } } }),
  as(user, {
    method: 'PATCH',
    path: `${roles}/large`,
    body: { rules: [{ apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get'] }] },
  }),
  as(user, { method: 'PATCH', path: `${roles}/large`, body: { rules: [] } }),
  as(user, { method: 'PATCH', path: `${bindings}/special`, body: { metadata: { labels: { a: 'b' } } } }),
  as(user, { method: 'PATCH', path: `${bindings}/special`, body: { subjects: [] } }),
  as(user, { method: 'PATCH', path: `${bindings}/special`, body: { roleRef: { name: 'small' } } }),
  { method: 'PATCH', path: `${bindings}/special`, body: { roleRef: { name: 'small' } } },
  as(user, {
    method: 'PUT',
    path: `${roles}/absent`,
    body: { metadata: { name: 'absent' }, rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] },
  }),
  as(user, { method: 'PUT', path: `${bindings}/absent`, body: bindingTo('absent', 'Role', 'large') }),
  as(user, {
    method: 'PATCH',
    path: `${roles}/applied?fieldManager=x`,
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'applied' },
      rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
    },
  }),
  as(user, {
    path: `${roles}?dryRun=All`,
    body: { metadata: { name: 'dry' }, rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] },
  }),
  as(user, {
    path: roles,
    body: { metadata: { name: 'BAD NAME' }, rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] },
  }),
  as(user, {
    path: roles,
    body: {
      metadata: { generateName: 'gen-' },
      rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
    },
  }),
];
