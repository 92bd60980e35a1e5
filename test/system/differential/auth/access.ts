import type { Scenario, Step } from '../runner/scenario.ts';
import { as, granted, grantedEverywhere, group, type Rule, rbac, review, reviews, user, withRights } from './grants.ts';
import { pods, requests } from './requests.ts';
import { refusedReviews, selectorReviews } from './reviews.ts';

const resource = (verb: string, what: string, more: object = {}): Step => {
  const [plural, subresource] = what.split('/');
  return review({
    resourceAttributes: { namespace: '{ns}', verb, resource: plural, ...(subresource && { subresource }), ...more },
  });
};

const path = (verb: string, url: string): Step => review({ nonResourceAttributes: { verb, path: url } });

const ruleSets: Readonly<Record<string, readonly Rule[]>> = {
  'verbs and names': [
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get', 'list', 'create'] },
    { apiGroups: ['apps'], resources: ['*'], verbs: ['watch'] },
  ],
  subresources: [
    { apiGroups: [''], resources: ['pods/log', '*/status'], verbs: ['get'] },
    { apiGroups: ['apps'], resources: ['deployments/*'], verbs: ['update'] },
    { apiGroups: ['*'], resources: ['*/scale'], verbs: ['*'] },
  ],
  everything: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
};

const questions: readonly Step[] = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', '*', 'proxy', ''].map((verb) =>
    resource(verb, 'pods'),
  ),
  resource('get', 'secrets'),
  resource('get', 'secrets', { name: 'a' }),
  resource('get', 'secrets', { name: 'c' }),
  resource('list', 'secrets', { name: 'a' }),
  resource('create', 'secrets', { name: 'a' }),
  resource('create', 'secrets'),
  resource('get', 'pods/log'),
  resource('get', 'pods/exec'),
  resource('get', 'pods/status'),
  resource('get', 'services/status'),
  resource('update', 'deployments/scale', { group: 'apps' }),
  resource('update', 'deployments', { group: 'apps' }),
  resource('update', 'deployments/status', { group: 'apps' }),
  resource('patch', 'things/scale', { group: 'example.com' }),
  resource('watch', 'deployments', { group: 'apps' }),
  resource('watch', 'deployments/status', { group: 'apps' }),
  resource('watch', 'deployments', { group: 'apps', version: 'v9' }),
  resource('watch', 'deployments', { group: '*' }),
  resource('get', '*'),
  resource('get', 'pods', { namespace: 'other' }),
  resource('get', 'pods', { namespace: '' }),
  resource('get', 'nodes', { namespace: '' }),
  path('get', '/x'),
];

const rules = Object.entries(ruleSets).flatMap(([name, set]): Scenario[] => [
  withRights(`access in a namespace: ${name}`, granted('r', set), questions),
  withRights(`access everywhere: ${name}`, grantedEverywhere('r', set), questions),
]);

const paths = withRights(
  'access to paths',
  grantedEverywhere('r', [{ nonResourceURLs: ['/x', '/y/*', '/z*', '/metrics'], verbs: ['get', 'post'] }]),
  ['/x', '/x/', '/x/y', '/y', '/y/', '/y/a/b', '/z', '/za', '/z/a', '/metrics', '/api', '', '*'].flatMap((url) => [
    path('get', url),
    path('put', url),
  ]),
);

const userSubject = { kind: 'User', apiGroup: group, name: user };
const bound = (name: string, roleRef: object, subjects: readonly object[] = [userSubject]): Step => ({
  path: `${rbac}/namespaces/{ns}/rolebindings`,
  body: { metadata: { name }, roleRef: { apiGroup: group, ...roleRef }, subjects },
  silent: true,
});

const missing = withRights(
  'bindings to roles that are not there',
  [
    bound('b', { kind: 'ClusterRole', name: 'missing-2' }),
    bound('c', { kind: 'Role', name: 'missing-3' }, [{ kind: 'Group', apiGroup: group, name: 'g-{ns}' }]),
  ],
  [
    resource('get', 'pods'),
    as(user, { path: pods }),
    as(user, { path: '/nope' }),
    as(user, { path: pods }, { 'impersonate-group': 'g-{ns}' }),
    as('somebody', { path: pods }, { 'impersonate-group': 'g-{ns}' }),
    as(user, { path: `${reviews}/selfsubjectrulesreviews`, body: { spec: { namespace: '{ns}' } } }),
    as(user, {
      path: `${reviews}/selfsubjectaccessreviews`,
      body: { spec: { resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' } } },
    }),
  ],
);

const account = { kind: 'ServiceAccount', name: 'robot' };
const subjects = withRights(
  'subjects of all kinds',
  [
    ...granted('a', [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }], [{ ...account, namespace: '{ns}' }]),
    ...granted(
      'b',
      [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
      [{ kind: 'Group', apiGroup: group, name: 'system:serviceaccounts:{ns}' }],
    ),
    ...granted('c', [{ apiGroups: [''], resources: ['pods'], verbs: ['watch'] }], [account]),
    ...granted(
      'd',
      [{ apiGroups: [''], resources: ['pods'], verbs: ['create'] }],
      [{ kind: 'Group', apiGroup: group, name: 'system:authenticated' }],
    ),
    ...granted(
      'e',
      [{ apiGroups: [''], resources: ['pods'], verbs: ['update'] }],
      [{ kind: 'User', apiGroup: group, name: '*' }],
    ),
    ...granted(
      'f',
      [{ apiGroups: [''], resources: ['pods'], verbs: ['patch'] }],
      [{ kind: 'Group', apiGroup: group, name: 'system:unauthenticated' }],
    ),
  ],
  [
    { path: `${rbac}/namespaces/{ns}/rolebindings` },
    ...['system:serviceaccount:{ns}:robot', 'system:serviceaccount:other:robot', 'system:anonymous', '*', user].flatMap(
      (name) => [
        ...['get', 'list', 'watch', 'create', 'update', 'patch'].map(
          (verb): Step => ({
            path: `${reviews}/subjectaccessreviews`,
            body: {
              spec: {
                user: name,
                groups: name.startsWith('system:serviceaccount:{ns}')
                  ? ['system:serviceaccounts:{ns}']
                  : ['system:authenticated'],
                resourceAttributes: { namespace: '{ns}', verb, resource: 'pods' },
              },
            },
          }),
        ),
        as(name, { path: pods }),
        as(name, { path: `${pods}/none` }),
        as(name, { method: 'PATCH', path: `${pods}/none`, body: {} }),
        as(name, { path: `${reviews}/selfsubjectrulesreviews`, body: { spec: { namespace: '{ns}' } } }),
      ],
    ),
  ],
);

/** Scenarios of access and of the ways to review it. */
export const accessScenarios: readonly Scenario[] = [
  ...rules,
  paths,
  refusedReviews,
  selectorReviews,
  missing,
  subjects,
  { name: 'requests without any rights', apart: true, steps: requests.map((step) => as(user, step)) },
  {
    name: 'requests of an anonymous client',
    apart: true,
    steps: requests.map((step) => ({ ...step, headers: { authorization: '' } })),
  },
  {
    name: 'requests with a wrong token',
    apart: true,
    steps: requests.slice(0, 9).map((step) => ({ ...step, headers: { authorization: 'Bearer wrong' } })),
  },
  {
    name: 'credentials of odd forms',
    apart: true,
    steps: [
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      'bearer wrong',
      'Bearer a b',
      'Nope x',

      'Bearer a,b',
    ].map((authorization) => ({ path: '/api/v1/namespaces/{ns}/pods', headers: { authorization } })),
  },
  {
    name: 'rules of system users',
    steps: [
      'system:kube-scheduler',
      'system:kube-controller-manager',
      'system:kube-proxy',
      'system:serviceaccount:kube-system:generic-garbage-collector',
      'system:serviceaccount:kube-system:deployment-controller',
      'system:serviceaccount:kube-system:namespace-controller',
    ].map((name) => as(name, { path: `${reviews}/selfsubjectrulesreviews`, body: { spec: { namespace: '{ns}' } } })),
  },
];
