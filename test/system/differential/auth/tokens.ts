import type { Scenario, Step } from '../runner/scenario.ts';
import { as, user } from './grants.ts';

const accounts = '/api/v1/namespaces/{ns}/serviceaccounts';
const reviews = '/apis/authentication.k8s.io/v1';

const account: Step = { path: accounts, body: { metadata: { name: 'robot' } } };
const pod: Step = {
  path: '/api/v1/namespaces/{ns}/pods',
  body: { metadata: { name: 'p' }, spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] } },
};
const otherPod: Step = {
  path: '/api/v1/namespaces/{ns}/pods',
  body: { metadata: { name: 'q' }, spec: { containers: [{ name: 'c', image: 'i' }] } },
};
const secret: Step = { path: '/api/v1/namespaces/{ns}/secrets', body: { metadata: { name: 's' } } };

const request = (body: unknown, query = ''): Step => ({ path: `${accounts}/robot/token${query}`, body });
const bound = (boundObjectRef: object): Step => request({ spec: { boundObjectRef } });
const review = (spec: object, more: object = {}): Step => ({
  path: `${reviews}/tokenreviews`,
  body: { spec, ...more },
});
const whoHas = (step: number, headers: Readonly<Record<string, string>> = {}): Step => ({
  path: `${reviews}/selfsubjectreviews`,
  body: {},
  headers: { authorization: `Bearer {${step}.status.token}`, ...headers },
});

const requests: Scenario = {
  apart: true,
  name: 'tokens: requests',
  steps: [
    account,
    ...[
      {},
      { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' },
      { kind: 'Pod', apiVersion: 'v1' },
      { spec: {} },
      { spec: null },
      { spec: { audiences: [] } },
      { spec: { audiences: ['a'] } },
      { spec: { audiences: ['a', 'b'], expirationSeconds: 600 } },
      { spec: { audiences: [''] } },
      { spec: { audiences: 'a' } },
      { spec: { expirationSeconds: 599 } },
      { spec: { expirationSeconds: 0 } },
      { spec: { expirationSeconds: -1 } },
      { spec: { expirationSeconds: 4294967296 } },
      { spec: { expirationSeconds: 4294967297 } },
      { spec: { expirationSeconds: 'x' } },
      { spec: { expirationSeconds: 3607 } },
      { spec: { expirationSeconds: 86400 } },
      { spec: { nope: 1 } },
      { metadata: { name: 'robot' } },
      { metadata: { name: 'other' } },
      { metadata: { namespace: 'other' } },
      { metadata: { namespace: '{ns}' } },
      { metadata: { labels: { a: 'b' } } },
      { status: { token: 'x' } },
      'broken',
      '[]',
    ].map((body) => request(body)),
    request({}, '?dryRun=All'),
    request({ spec: { nope: 1 } }, '?fieldValidation=Strict'),
    request({}, '?fieldManager=x'),
    { path: `${accounts}/robot/token` },
    { method: 'PUT', path: `${accounts}/robot/token`, body: {} },
    { method: 'DELETE', path: `${accounts}/robot/token` },
    { path: `${accounts}/none/token`, body: {} },
    as(user, { path: `${accounts}/robot/token`, body: {} }),
    as(user, { path: `${accounts}/robot/token` }),
  ],
};

const bindings: Scenario = {
  apart: true,
  name: 'tokens: bound to objects',
  steps: [
    account,
    pod,
    otherPod,
    secret,
    bound({ kind: 'Pod', apiVersion: 'v1', name: 'p' }),
    bound({ kind: 'Pod', name: 'p' }),
    bound({ kind: 'Pod', apiVersion: 'v1', name: 'p', uid: '{1.metadata.uid}' }),
    bound({ kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'wrong' }),
    bound({ kind: 'Pod', apiVersion: 'v1', name: 'q' }),
    bound({ kind: 'Pod', apiVersion: 'v1', name: 'none' }),
    bound({ kind: 'Secret', apiVersion: 'v1', name: 's' }),
    bound({ kind: 'Secret', apiVersion: 'v1', name: 'none' }),
    bound({ kind: 'Secret', apiVersion: 'v1', name: 's', uid: 'wrong' }),
    bound({ kind: 'Node', apiVersion: 'v1', name: 'none' }),
    bound({ kind: 'ConfigMap', apiVersion: 'v1', name: 'x' }),
    bound({ kind: 'Pod', apiVersion: 'v2', name: 'p' }),
    bound({ kind: 'Deployment', apiVersion: 'apps/v1', name: 'p' }),
    bound({ kind: 'Pod', apiVersion: 'v1' }),
    bound({ name: 'p' }),
    bound({}),
    bound({ kind: 'Pod', apiVersion: 'v1', name: 'p', namespace: 'x' }),
  ],
};

const lives: Scenario = {
  apart: true,
  name: 'tokens: lives',
  steps: [
    account,
    pod,
    secret,
    request({}),
    bound({ kind: 'Pod', apiVersion: 'v1', name: 'p' }),
    bound({ kind: 'Secret', apiVersion: 'v1', name: 's' }),
    request({ spec: { audiences: ['a', 'b'] } }),
    ...[3, 4, 5, 6].flatMap((step): Step[] => [
      whoHas(step),
      { path: '/api/v1/namespaces/{ns}/pods', headers: { authorization: `Bearer {${step}.status.token}` } },
      review({ token: `{${step}.status.token}` }),
      review({ token: `{${step}.status.token}`, audiences: ['a'] }),
      review({ token: `{${step}.status.token}`, audiences: ['b', 'x', 'a'] }),
      review({ token: `{${step}.status.token}`, audiences: ['x'] }),
      review({ token: `{${step}.status.token}`, audiences: [] }),
      review({ token: `{${step}.status.token}`, audiences: [''] }),
    ]),
    review({ token: '{3.status.token}x' }),
    review({ token: 'a.b.c' }),
    review({ token: 'eyJhbGciOiJub25lIn0.e30.' }),
    { path: '/version', headers: { authorization: 'Bearer {3.status.token}x' } },
  ],
};

const tokenReviews: Scenario = {
  apart: true,
  name: 'tokens: reviews',
  steps: [
    review({}),
    review({ token: '' }),
    review({ token: 'nope' }),
    review({ token: 'nope', audiences: ['a'] }),
    review({ token: 5 }),
    review({ token: 'nope' }, { metadata: { name: 'x' } }),
    review({ token: 'nope' }, { metadata: { namespace: 'x' } }),
    review({ token: 'nope' }, { status: { authenticated: true, user: { username: 'x' } } }),
    review({ token: 'nope', x: 1 }),
    { path: `${reviews}/tokenreviews`, body: {} },
    { path: `${reviews}/tokenreviews`, body: { kind: 'Nope', apiVersion: 'v1' } },
    { path: `${reviews}/tokenreviews`, body: 'x' },
    { path: `${reviews}/tokenreviews?dryRun=All`, body: { spec: { token: 'nope' } } },
    { path: `${reviews}/tokenreviews?fieldValidation=Strict`, body: { spec: { token: 'nope', a: 1 } } },
    { path: `${reviews}/tokenreviews` },
    { path: `${reviews}/tokenreviews/x` },
    as(user, review({ token: 'nope' })),
    ...[
      {},
      { metadata: { name: 'x' } },
      { metadata: { namespace: 'x', labels: { a: 'b' } } },
      { kind: 'Nope' },
      { status: { userInfo: { username: 'y' } } },
      { spec: 1 },
      '5',
    ].map((body): Step => ({ path: `${reviews}/selfsubjectreviews`, body })),
    { path: `${reviews}/selfsubjectreviews` },
    { path: `${reviews}/selfsubjectreviews?dryRun=All`, body: {} },
    { path: `${reviews}/selfsubjectreviews`, body: {}, headers: { authorization: '' } },
    as('system:serviceaccount:a:b', { path: `${reviews}/selfsubjectreviews`, body: {} }),
    as(
      user,
      { path: `${reviews}/selfsubjectreviews`, body: {} },
      { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    ),
    {
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: { spec: { resourceAttributes: {} } },
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    },
    {
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: { spec: { resourceAttributes: {} } },
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    },
    {
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: { spec: { resourceAttributes: {} } },
      headers: { accept: 'application/yaml' },
    },
  ],
};

const accountsScenario: Scenario = {
  apart: true,
  name: 'service accounts',
  steps: [
    { path: `${accounts}/default`, until: 200 },
    { path: `/api/v1/namespaces/{ns}/configmaps/kube-root-ca.crt`, until: 200, silent: true },
    account,
    {
      path: '/api/v1/namespaces/{ns}/secrets',
      body: {
        metadata: { name: 't', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
        type: 'kubernetes.io/service-account-token',
      },
    },
    {
      path: '/api/v1/namespaces/{ns}/secrets',
      body: { metadata: { name: 't2' }, type: 'kubernetes.io/service-account-token' },
    },
    {
      path: '/api/v1/namespaces/{ns}/secrets',
      body: {
        metadata: { name: 't3', annotations: { 'kubernetes.io/service-account.name': '' } },
        type: 'kubernetes.io/service-account-token',
      },
    },
    {
      path: '/api/v1/namespaces/{ns}/secrets',
      body: {
        metadata: { name: 't4', annotations: { 'kubernetes.io/service-account.name': 'nobody' } },
        type: 'kubernetes.io/service-account-token',
      },
    },
    { path: '/api/v1/namespaces/{ns}/secrets/t' },
    {
      method: 'PATCH',
      path: `${accounts}/robot`,
      body: { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'x' }], secrets: [{ name: 'y' }] },
    },
    { path: accounts, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }, silent: true },
    { path: accounts, body: { metadata: { name: 'BAD' } } },
    { path: accounts, body: { metadata: { name: 'a.b' }, secrets: 'x' } },
    pod,
    {
      path: '/api/v1/namespaces/{ns}/pods',
      body: {
        metadata: { name: 'lost' },
        spec: { serviceAccountName: 'nobody', containers: [{ name: 'c', image: 'i' }] },
      },
    },
    { method: 'DELETE', path: `${accounts}/robot` },
    { method: 'DELETE', path: `${accounts}/default`, silent: true },
    { path: `${accounts}/default`, until: 200, silent: true },
  ],
};

/** Tokens, their subjects, and service accounts. */
export const tokenScenarios: readonly Scenario[] = [requests, bindings, lives, tokenReviews, accountsScenario];
