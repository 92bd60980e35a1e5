/** Scenarios of discovery. */

import type { Scenario, Step } from '../runner/scenario.ts';

/** Scenario of independent steps. */
export const apart = (name: string, steps: readonly Step[]): Scenario => ({
  name,
  namespace: false,
  apart: true,
  steps,
});

const groups = `admissionregistration.k8s.io apiextensions.k8s.io apiregistration.k8s.io apps authentication.k8s.io
  authorization.k8s.io autoscaling batch certificates.k8s.io coordination.k8s.io discovery.k8s.io events.k8s.io
  flowcontrol.apiserver.k8s.io networking.k8s.io node.k8s.io policy rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io
  storage.k8s.io`.split(/\s+/);

const roots = ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1'];
const aggregated = (version: string, media = 'application/json') =>
  `${media};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

const accepts = [
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'text/html',
  '*/*',
  'application/*',
  'application/json;q=0.1,application/yaml',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  aggregated('v2'),
  aggregated('v2beta1'),
  aggregated('v1'),
  `${aggregated('v2')},application/json`,
  `application/json,${aggregated('v2')}`,
  `${aggregated('v2beta1')},${aggregated('v2')}`,
  aggregated('v2', 'application/yaml'),
  'application/json;g=apidiscovery.k8s.io;v=v2;as=Nothing',
  'application/json;g=other;v=v2;as=APIGroupDiscoveryList',
];

const methods = ['HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Discovery documents, by user and Accept header. */
export const discoveryScenarios: readonly Scenario[] = [
  apart('discovery of each group', [
    ...groups.map((group): Step => ({ path: `/apis/${group}` })),
    ...groups.map((group): Step => ({ path: `/apis/${group}/v1` })),
    { path: '/apis/autoscaling/v2' },
    { path: '/api/v1' },
  ]),
  apart(
    'discovery at odd paths',
    ['/api/', '/apis/', '/api/v1/', '/apis/apps/', '/apis/apps/v1/', '/api/v2', '/api/v2/', '/apis/apps/v9'].map(
      (path): Step => ({ path }),
    ),
  ),
  apart(
    'discovery of what is not there',
    [
      '/apis/nothing',
      '/apis/nothing/',
      '/apis/nothing/v1',
      '/apis/nothing.example.com/v1',
      '/apis/apps/v1/nothing',
    ].map((path): Step => ({ path })),
  ),
  ...roots.map((path) =>
    apart(
      `discovery of ${path} by media type`,
      accepts.map((accept): Step => ({ path, headers: { accept } })),
    ),
  ),
  ...roots.map((path) =>
    apart(`discovery of ${path} by method`, [
      ...methods.map((method): Step => ({ path, method })),
      { path: `${path}/`, method: 'HEAD' },
      { path: `${path}?pretty=true` },
      { path: `${path}?timeout=1s` },
      { path: `${path}?timeout=x` },
      { path, headers: { 'user-agent': 'curl/8' } },
    ]),
  ),
];

const definition = (versions: readonly object[]): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.pages.example.com' },
  spec: {
    group: 'pages.example.com',
    scope: 'Namespaced',
    names: {
      plural: 'gadgets',
      singular: 'gadget',
      kind: 'Gadget',
      listKind: 'GadgetList',
      shortNames: ['gd', 'gg'],
      categories: ['all', 'some'],
    },
    versions,
  },
});

const version = (name: string, more: object = {}): object => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', description: 'A gadget.', properties: { a: { type: 'string' } } } },
  ...more,
});

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

/** Discovery documents while definitions are created and deleted. */
export const definitionPages: readonly Scenario[] = [
  {
    name: 'discovery of definitions that come and go',
    namespace: false,
    steps: [
      {
        path: crds,
        body: definition([
          version('v1', { subresources: { status: {}, scale } }),
          version('v1beta1', { deprecated: true }),
          version('v2alpha1'),
        ]),
        silent: true,
      },
      { path: '/apis/pages.example.com/v2alpha1', until: 200 },
      { path: '/apis/pages.example.com', until: 200 },
      { path: '/apis/pages.example.com/v1' },
      { path: '/apis/pages.example.com/v1beta1' },
      { path: '/apis/pages.example.com/v1', method: 'POST', body: {} },
      { path: '/apis/pages.example.com/v1', method: 'HEAD' },
      { path: '/apis/pages.example.com/' },
      { path: '/apis/pages.example.com/v1/' },
      { path: '/apis/pages.example.com/v3' },
      { path: '/apis/pages.example.com', headers: { accept: 'application/yaml' } },
      { path: '/apis/pages.example.com/v1', headers: { accept: 'text/html' } },
      { path: '/apis/pages.example.com/v1', headers: { accept: 'application/vnd.kubernetes.protobuf' } },
      { path: `${crds}/gadgets.pages.example.com`, method: 'DELETE', silent: true },
      { path: '/apis/pages.example.com', until: 404 },
      { path: '/apis/pages.example.com/v1', until: 404 },
    ],
  },
];
