import type { Scenario, Step } from '../runner/scenario.ts';
import { attempts, bindings, bindingTo, roles } from './attempts.ts';
import { as, granted, grantedEverywhere, group, type Rule, rbac, user, withRights } from './grants.ts';

const roleVerbs = ['create', 'get', 'update', 'patch', 'delete'];
const mayWriteRoles: Rule = {
  apiGroups: [group],
  resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  verbs: roleVerbs,
};
const pods: Rule = { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] };
const named: Rule = { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] };
const statuses: Rule = { apiGroups: ['apps'], resources: ['*/status'], verbs: ['*'] };
const paths: Rule = { nonResourceURLs: ['/x', '/y/*'], verbs: ['get'] };

/** Rules that a user who holds some of them tries to grant. */
const wanted: readonly (readonly Rule[])[] = [
  [],
  [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'get'] }],
  [{ apiGroups: [''], resources: ['pods', 'services'], verbs: ['get', 'list', 'watch'] }],
  [{ apiGroups: ['', 'apps', 'batch'], resources: ['pods', 'jobs'], verbs: ['get', 'create'] }],
  [{ apiGroups: [''], resources: ['pods/log', 'pods/exec', 'pods/*'], verbs: ['get'] }],
  [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
  [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] }],
  [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'c', 'd'], verbs: ['get', 'list'] }],
  [{ apiGroups: ['apps'], resources: ['deployments/status', 'deployments/scale'], verbs: ['get', '*'] }],
  [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  [{ apiGroups: [''], resources: ['*'], verbs: ['get'] }],
  [{ apiGroups: ['*'], resources: ['pods'], verbs: ['get'] }],
  [
    { apiGroups: [''], resources: ['zebras', 'apes'], verbs: ['get'] },
    { apiGroups: [''], resources: ['apes'], verbs: ['list', 'get'] },
    { apiGroups: ['b', 'a'], resources: ['x'], verbs: ['watch'] },
  ],
  [{ apiGroups: [''], resources: ['pods', 'pods'], verbs: ['get', 'get', 'delete', 'delete'] }],
];

const owned = [...granted('writer', [mayWriteRoles, pods, named, statuses])];
const ownedEverywhere = [...grantedEverywhere('writer', [mayWriteRoles, pods, named, statuses, paths])];

const roleWith = (index: number, rules: readonly Rule[]) => ({ metadata: { name: `new-${index}-{ns}` }, rules });

/** Roles created by administrators. */
const others: readonly Step[] = [
  {
    path: roles,
    body: { metadata: { name: 'small' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    silent: true,
  },
  {
    path: roles,
    body: {
      metadata: { name: 'large' },
      rules: [{ apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get', 'delete'] }],
    },
    silent: true,
  },
  { path: roles, body: { metadata: { name: 'none' }, rules: [] }, silent: true },
];

const bind = (verb: string): Scenario =>
  withRights(
    `escalation: bindings, with the verb ${verb}`,
    [
      ...owned,
      ...others,
      ...granted('special', [
        { apiGroups: [group], resources: ['roles', 'clusterroles'], resourceNames: ['large', 'view'], verbs: [verb] },
      ]),
    ],
    attempts,
  );

const selector = { matchLabels: { 'example.com/to': '{ns}' } };

/** Privilege escalation: a user cannot grant rights that the user lacks. */
export const escalationScenarios: readonly Scenario[] = [
  withRights(
    'escalation: roles',
    owned,
    wanted.map((rules, index) => as(user, { path: roles, body: roleWith(index, rules) })),
  ),
  withRights(
    'escalation: roles of a user in groups',
    owned,
    wanted
      .slice(3, 5)
      .map((rules, index) => as(user, { path: roles, body: roleWith(index, rules) }, { 'impersonate-group': 'b, a' })),
  ),
  withRights(
    'escalation: cluster roles',
    ownedEverywhere,
    [
      ...wanted,
      [{ nonResourceURLs: ['/x'], verbs: ['get'] }],
      [{ nonResourceURLs: ['/x', '/y/z', '/y/*', '/z', '*'], verbs: ['get', 'put'] }],
      [
        { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
        { nonResourceURLs: ['/q'], verbs: ['get'] },
      ],
    ].map((rules, index) => as(user, { path: `${rbac}/clusterroles`, body: roleWith(index, rules) })),
  ),
  withRights('escalation: cluster roles of aggregation', ownedEverywhere, [
    as(user, {
      path: `${rbac}/clusterroles`,
      body: { metadata: { name: 'agg-{ns}' }, aggregationRule: { clusterRoleSelectors: [selector] } },
    }),
    as(user, {
      path: `${rbac}/clusterroles`,
      body: {
        metadata: { name: 'agg-{ns}' },
        aggregationRule: { clusterRoleSelectors: [selector] },
        rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
      },
    }),
    {
      path: `${rbac}/clusterroles`,
      body: { metadata: { name: 'agg-{ns}' }, aggregationRule: { clusterRoleSelectors: [selector] } },
    },
    as(user, { method: 'PATCH', path: `${rbac}/clusterroles/agg-{ns}`, body: { metadata: { labels: { a: 'b' } } } }),
    as(user, { method: 'PATCH', path: `${rbac}/clusterroles/agg-{ns}`, body: { aggregationRule: null } }),
  ]),
  withRights(
    'escalation: users without even the right to write',
    [],
    [
      as(user, { path: roles, body: roleWith(0, [pods]) }),
      as(user, { path: bindings, body: bindingTo('x', 'ClusterRole', 'view') }),
    ],
  ),
  withRights(
    'escalation: bindings to roles that are not there',
    [...owned, { path: bindings, body: { ...bindingTo('broken', 'ClusterRole', 'missing-x') }, silent: true }],
    [
      as(user, { path: roles, body: roleWith(0, [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]) }),
      as(user, { path: bindings, body: bindingTo('more', 'Role', 'missing-y') }),
    ],
  ),
  bind('bind'),
  bind('escalate'),
  {
    name: 'aggregated cluster roles',
    namespace: false,
    steps: [
      {
        path: `${rbac}/clusterroles`,
        body: {
          metadata: { name: 'agg-{ns}' },
          aggregationRule: {
            clusterRoleSelectors: [selector, { matchExpressions: [{ key: 'x-{ns}', operator: 'Exists' }] }],
          },
          rules: [pods],
        },
      },
      {
        path: `${rbac}/clusterroles`,
        body: {
          metadata: { name: 'part-b-{ns}', labels: { 'example.com/to': '{ns}' } },
          rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
        },
      },
      {
        path: `${rbac}/clusterroles`,
        body: {
          metadata: { name: 'part-a-{ns}', labels: { 'x-{ns}': '' } },
          rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }, pods],
        },
      },
      {
        path: `${rbac}/clusterroles?watch=1&fieldSelector=metadata.name%3Dagg-{ns}&timeoutSeconds=3`,
        events: 99,
        silent: true,
      },
      { path: `${rbac}/clusterroles/agg-{ns}` },
      { method: 'DELETE', path: `${rbac}/clusterroles/part-a-{ns}` },
      { method: 'DELETE', path: `${rbac}/clusterroles/part-b-{ns}` },
      {
        path: `${rbac}/clusterroles?watch=1&fieldSelector=metadata.name%3Dagg-{ns}&timeoutSeconds=3`,
        events: 99,
        silent: true,
      },
      { path: `${rbac}/clusterroles/agg-{ns}` },
      { path: `${rbac}/clusterroles`, body: { metadata: { name: 'empty-{ns}' }, aggregationRule: {} } },
      {
        path: `${rbac}/clusterroles`,
        body: {
          metadata: { name: 'bad-{ns}' },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'bad key': 'x' } }] },
        },
      },
      {
        path: `${rbac}/clusterroles`,
        body: { metadata: { name: 'bad-{ns}' }, aggregationRule: { clusterRoleSelectors: [{}] } },
      },
      { method: 'DELETE', path: `${rbac}/clusterroles/agg-{ns}` },
      { method: 'DELETE', path: `${rbac}/clusterroles/bad-{ns}` },
    ],
  },
];
