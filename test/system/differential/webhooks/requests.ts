import type { Scenario, Step } from '../runner/scenario.ts';
import { type Hook, hooked, map, maps, registration, ruleFor, sent } from './hooked.ts';
import { matching } from './matching.ts';

const pods = '/api/v1/namespaces/{ns}/pods';
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
const accounts = '/api/v1/namespaces/{ns}/serviceaccounts';
const pod: Step = { path: pods, body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } };
const deployment: Step = {
  path: deployments,
  body: {
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  },
};
const gracefully = { metadata: { name: 'f', finalizers: ['example.com/f'] } };

/** Every kind of write. */
const writes: Readonly<Record<string, readonly Step[]>> = {
  'created and changed': [
    map('x'),
    { ...map('y'), path: `${maps}?fieldManager=me&fieldValidation=Strict` },
    { path: maps, body: { metadata: { generateName: 'gen-' } } },
    { method: 'PUT', path: `${maps}/x`, body: { metadata: { name: 'x' }, data: { a: 'c' } } },
    { method: 'PUT', path: `${maps}/x?fieldManager=me`, body: { metadata: { name: 'x' }, data: { a: 'c' } } },
    { method: 'PUT', path: `${maps}/absent`, body: { metadata: { name: 'absent' } } },
    { method: 'PATCH', path: `${maps}/x`, body: { data: { z: '1' } } },
    {
      method: 'PATCH',
      path: `${maps}/x`,
      body: { metadata: { labels: { z: '1' } } },
      contentType: 'application/strategic-merge-patch+json',
    },
    {
      method: 'PATCH',
      path: `${maps}/x`,
      body: [{ op: 'remove', path: '/data/z' }],
      contentType: 'application/json-patch+json',
    },
    {
      method: 'PATCH',
      path: `${maps}/x?fieldManager=me&force=true`,
      body: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'd' } },
      contentType: 'application/apply-patch+yaml',
    },
    {
      method: 'PATCH',
      path: `${maps}/new?fieldManager=me`,
      body: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'd' } },
      contentType: 'application/apply-patch+yaml',
    },
    { path: maps, body: { metadata: { name: 'x' } } },
    { path: maps, body: { metadata: { name: 'BAD' } } },
    { path: `${maps}?dryRun=All`, body: { metadata: { name: 'dry' } } },
    { method: 'PATCH', path: `${maps}/none`, body: {} },
    { path: `${maps}/x` },
    { path: maps },
  ],
  deleted: [
    map('x'),
    map('y'),
    map('z'),
    { path: maps, body: gracefully },
    sent,
    { method: 'DELETE', path: `${maps}/x` },
    { method: 'DELETE', path: `${maps}/y?propagationPolicy=Background&gracePeriodSeconds=5&dryRun=All` },
    {
      method: 'DELETE',
      path: `${maps}/y`,
      body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid: 'wrong' } },
    },
    { method: 'DELETE', path: `${maps}/y`, body: { propagationPolicy: 'Orphan' } },
    { method: 'DELETE', path: `${maps}/none` },
    { method: 'DELETE', path: `${maps}/f` },
    { method: 'DELETE', path: `${maps}/f` },
    { method: 'PATCH', path: `${maps}/f`, body: { metadata: { finalizers: null } } },
    sent,
    { method: 'DELETE', path: `${maps}?labelSelector=a%3Db` },
    { method: 'DELETE', path: `${maps}?fieldSelector=metadata.name%3Dz` },
  ],
  'of pods': [
    pod,
    { method: 'PUT', path: `${pods}/p/status`, from: 0, set: { 'status.phase': 'Running' }, silent: true },
    { path: `${pods}/p/binding`, body: { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } } },
    {
      path: '/api/v1/namespaces/{ns}/bindings',
      body: { metadata: { name: 'none' }, target: { kind: 'Node', name: 'n1' } },
    },
    { path: `${pods}/p/eviction`, body: { metadata: { name: 'p' }, apiVersion: 'policy/v1', kind: 'Eviction' } },
    {
      path: `${pods}/p/eviction?dryRun=All`,
      body: { metadata: { name: 'p' }, deleteOptions: { gracePeriodSeconds: 3 } },
    },
    {
      method: 'PATCH',
      path: `${pods}/p/ephemeralcontainers`,
      body: { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
      contentType: 'application/strategic-merge-patch+json',
    },
    { method: 'DELETE', path: `${pods}/p?gracePeriodSeconds=0` },
  ],
  'of scales': [
    deployment,
    { path: `${deployments}/d/scale` },
    { method: 'PATCH', path: `${deployments}/d/scale`, body: { spec: { replicas: 3 } } },
    {
      method: 'PUT',
      path: `${deployments}/d/scale`,
      from: 1,
      set: { 'spec.replicas': 2, 'metadata.resourceVersion': undefined },
    },
    { method: 'PATCH', path: `${deployments}/d/status`, body: { status: { replicas: 1 } } },
    { method: 'PATCH', path: `${deployments}/d/scale?dryRun=All`, body: { spec: { replicas: 5 } } },
  ],
  'of tokens': [
    { path: accounts, body: { metadata: { name: 'robot' } } },
    { path: `${accounts}/robot/token`, body: {} },
  ],
  'of connections': [
    pod,
    { path: `${pods}/p/exec?command=ls&stdout=true`, body: '' },
    { path: `${pods}/p/log` },
    { path: `${pods}/p/portforward`, body: '' },
  ],
};

const rules = {
  'created and changed': ['configmaps'],
  deleted: ['configmaps'],
  'of pods': ['pods', 'pods/*', 'bindings'],
  'of scales': ['apps|deployments', 'apps|deployments/*'],
  'of tokens': ['serviceaccounts', 'serviceaccounts/*'],
  'of connections': ['pods/*'],
} as const;

const asked = (title: keyof typeof rules): Scenario =>
  hooked(
    `what is sent: ${title}`,
    {
      mutating: [{ name: 'm', with: { rules: rules[title].map((one) => ruleFor(one)) } }],
      validating: [{ name: 'v', with: { rules: rules[title].map((one) => ruleFor(one)) } }],
    },
    writes[title]!,
  );

const jane = {
  'impersonate-user': 'jane',
  'impersonate-group': ['devs', 'system:masters'],
  'impersonate-uid': '7',
  'impersonate-extra-a': ['b', 'c'],
};

const some: readonly Step[] = [
  map('x'),
  map('y', { metadata: { name: 'y', labels: { a: 'b' } } }),
  { ...map('z'), path: `${maps}?dryRun=All` },
  { method: 'PATCH', path: `${maps}/y`, body: { metadata: { labels: { a: null } } } },
  { method: 'PATCH', path: `${maps}/x`, body: { data: { b: 'c' } }, headers: jane },
  { method: 'DELETE', path: `${maps}/x` },
  { path: '/api/v1/namespaces/{ns}/secrets', body: { metadata: { name: 's' } } },
  { method: 'PATCH', path: '/api/v1/namespaces/{ns}', body: { metadata: { labels: { x: 'y' } } } },
  { path: `${registration}/validatingwebhookconfigurations?dryRun=All`, body: { metadata: { name: 'none-{ns}' } } },
];

const stamp = (name: string, more: object = {}): Hook => ({
  name,
  patch: [{ op: 'add', path: `/data/${name}`, value: name }],
  with: more,
});

const unreachable = (url: string, more: object = {}): Hook => ({ name: 'v', with: { clientConfig: { url }, ...more } });

/** Requests to webhooks: contents, order and objects. */
export const requestScenarios: readonly Scenario[] = [
  ...(Object.keys(rules) as (keyof typeof rules)[]).map(asked),
  hooked('what is sent: the user', { mutating: [{ name: 'm' }] }, [{ ...map('x'), headers: jane }, map('y')]),
  ...Object.entries(matching).map(([title, given]) =>
    hooked(
      `webhooks ${title}`,
      { mutating: [{ name: 'm', with: given }], validating: [{ name: 'v', with: given }] },
      some,
    ),
  ),
  hooked('webhooks in turn', { mutating: [stamp('m1'), stamp('m2'), stamp('m3')] }, [map('x')]),
  hooked(
    'webhooks again',
    {
      mutating: [
        stamp('m1', { reinvocationPolicy: 'IfNeeded' }),
        stamp('m2'),
        { name: 'm3', with: { reinvocationPolicy: 'IfNeeded' } },
      ],
    },
    [map('x'), { method: 'PATCH', path: `${maps}/x`, body: { data: { q: 'r' } } }],
  ),
  hooked(
    'webhooks that refuse after one that changed',
    { mutating: [stamp('m1'), { name: 'm2', response: { allowed: false } }, stamp('m3')], validating: [{ name: 'v' }] },
    [map('x')],
  ),
  hooked(
    'webhooks that refuse at once',
    { validating: [{ name: 'v1', response: { allowed: false, status: { message: 'one' } } }, { name: 'v2' }] },
    [map('x'), { method: 'DELETE', path: `${maps}/none` }],
  ),
  ...(['Unknown', 'Some', 'None', 'NoneOnDryRun'] as const).map((sideEffects) =>
    hooked(
      `dry runs with side effects: ${sideEffects}`,
      { validating: [{ name: 'v', with: { sideEffects, admissionReviewVersions: ['v1', 'v1beta1'] } }] },
      [{ ...map('x'), path: `${maps}?dryRun=All` }],
    ),
  ),
  hooked('webhooks that cannot be reached', { validating: [unreachable('https://127.0.0.1:1/x')] }, [map('x')]),
  hooked('webhooks that cannot be reached, by name', { validating: [unreachable('https://localhost:1/x')] }, []),
  hooked('webhooks whose name is unknown', { validating: [unreachable('https://none.invalid/x')] }, []),
  hooked(
    'webhooks of unknown services',
    { validating: [{ name: 'v', with: { clientConfig: { url: '{hooks}/{ns}/v/e30' } } }] },
    [map('x')],
  ),
  hooked(
    'webhooks of a service that is not there',
    { validating: [{ name: 'v', with: { clientConfig: { service: { name: 's', namespace: '{ns}', path: '/p' } } } }] },
    [map('x')],
  ),
];
