import type { Scenario, Step } from '../runner/scenario.ts';
import { as, granted, grantedEverywhere, user, withRights } from './grants.ts';

const who = { path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {} } as const;

/** Headers that request impersonation. */
const wanted: readonly Readonly<Record<string, string | string[]>>[] = [
  { 'impersonate-user': 'jane' },
  { 'impersonate-user': '' },
  { 'impersonate-user': 'jane doe' },
  { 'impersonate-user': 'jane', 'impersonate-group': 'devs' },
  { 'impersonate-user': 'jane', 'impersonate-group': 'devs, ops' },
  { 'impersonate-user': 'jane', 'impersonate-group': ['devs', 'ops'] },
  { 'impersonate-user': 'jane', 'impersonate-group': '' },
  { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' },
  { 'impersonate-user': 'jane', 'impersonate-group': 'system:unauthenticated' },
  { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters' },
  { 'impersonate-user': 'jane', 'impersonate-uid': '1-2' },
  { 'impersonate-user': 'jane', 'impersonate-uid': '' },
  { 'impersonate-user': 'jane', 'impersonate-extra-scopes': 'a' },
  { 'impersonate-user': 'jane', 'impersonate-extra-scopes': 'a, b' },
  { 'impersonate-user': 'jane', 'impersonate-extra-scopes': ['a', 'b'] },
  { 'impersonate-user': 'jane', 'impersonate-extra-scopes': '' },
  { 'impersonate-user': 'jane', 'impersonate-extra-': 'x' },
  { 'impersonate-user': 'jane', 'impersonate-extra-acme.com%2fproject': 'p', 'impersonate-extra-b': 'c' },
  { 'impersonate-user': 'jane', 'impersonate-extra-acme%zz': 'p' },
  { 'impersonate-user': 'jane', 'impersonate-extra-UPPER%2FCase': 'p' },
  { 'impersonate-user': 'system:serviceaccount:default:robot' },
  { 'impersonate-user': 'system:serviceaccount:default:robot', 'impersonate-group': 'g' },
  { 'impersonate-user': 'system:serviceaccount:Bad_:robot' },
  { 'impersonate-user': 'system:serviceaccount:default' },
  { 'impersonate-user': 'system:serviceaccount:default:a:b' },
  { 'impersonate-user': 'system:node:n1' },
  { 'impersonate-user': 'system:anonymous' },
  { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'devs' },
  { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'system:authenticated' },
  { 'impersonate-user': 'system:admin' },
  { 'impersonate-group': 'devs' },
  { 'impersonate-group': 'devs, ops' },
  { 'impersonate-uid': 'x' },
  { 'impersonate-extra-a': 'b' },
  { 'impersonate-group': 'devs', 'impersonate-uid': 'x', 'impersonate-extra-a': 'b' },
  { 'impersonate-nonsense': 'x' },
  { 'impersonate-user': 'jane', 'impersonate-nonsense': 'x' },
];

const verbs = ['impersonate'];
const core = (resources: readonly string[], resourceNames?: readonly string[]) => ({
  apiGroups: [''],
  resources,
  verbs,
  ...(resourceNames && { resourceNames }),
});
const authentication = (resources: readonly string[], resourceNames?: readonly string[]) => ({
  ...core(resources, resourceNames),
  apiGroups: ['authentication.k8s.io'],
});

/** Service account that impersonates: RBAC decides on impersonation, and `user` itself is impersonated by the administrator's headers. */
const robot = 'robot';
const token: readonly Step[] = [
  { path: '/api/v1/namespaces/{ns}/serviceaccounts', body: { metadata: { name: robot } }, silent: true },
  { path: `/api/v1/namespaces/{ns}/serviceaccounts/${robot}/token`, body: {}, silent: true },
];
const subjects = [{ kind: 'ServiceAccount', name: robot, namespace: '{ns}' }];

const limited = (name: string, rights: readonly Step[]): Scenario =>
  withRights(
    `impersonation by a user: ${name}`,
    [...token, ...rights],
    [...wanted.map((headers): Step => ({ ...who, headers: { authorization: 'Bearer {1.status.token}', ...headers } }))],
  );

/** Scenarios of impersonation. */
export const impersonationScenarios: readonly Scenario[] = [
  {
    name: 'impersonation by an administrator',
    apart: true,
    steps: wanted.map((headers): Step => ({ ...who, headers })),
  },
  {
    name: 'impersonation by an administrator, of plain requests',
    apart: true,
    steps: wanted.map((headers): Step => ({ path: '/api/v1/namespaces/{ns}/pods?x=y', headers })),
  },
  {
    name: 'impersonation by an anonymous client',
    apart: true,
    steps: wanted.map((headers): Step => ({ ...who, headers: { authorization: '', ...headers } })),
  },
  limited('may nothing', []),
  limited(
    'may be some',
    grantedEverywhere('r', [core(['users'], ['jane', 'system:anonymous']), core(['groups'], ['devs'])], subjects),
  ),
  limited('may be any user', grantedEverywhere('r', [core(['users', 'serviceaccounts'])], subjects)),
  limited('may be service accounts here', granted('r', [core(['serviceaccounts', 'users', 'groups'])], subjects)),
  limited(
    'may have more',
    grantedEverywhere(
      'r',
      [core(['users', 'groups']), authentication(['uids'], ['1-2']), authentication(['userextras/scopes'], ['a'])],
      subjects,
    ),
  ),
  limited('may have all', grantedEverywhere('r', [core(['*']), authentication(['*'])], subjects)),
  withRights(
    'impersonation in words',
    [],
    [
      as(user, { path: '/api/v1/namespaces/{ns}/pods' }),
      as('system:anonymous', { path: '/api' }),
      as('system:serviceaccount:{ns}:x', { path: '/api/v1/namespaces/{ns}/pods' }),
    ],
  ),
];
