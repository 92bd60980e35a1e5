/** Random paths and queries. */

import fc from 'fast-check';

const word = fc.constantFrom(
  'a',
  'b',
  'default',
  'x-y',
  'A_B',
  '..',
  '',
  '%2e%2e',
  '%zz',
  'ä',
  '\\',
  '%00',
  'a'.repeat(300),
);
const plural = fc.constantFrom(
  ...['pods', 'configmaps', 'services', 'namespaces', 'secrets', 'events', 'nodes', 'serviceaccounts', 'nothing'],
);
const grouped = fc.constantFrom(
  'apps/v1/namespaces/default/deployments',
  'batch/v1/namespaces/default/jobs',
  'example.com/v1/namespaces/default/gadgets',
  'example.com/v2/namespaces/default/gadgets',
  'example.com/v1/gadgets',
  'coordination.k8s.io/v1/namespaces/default/leases',
  'rbac.authorization.k8s.io/v1/clusterroles',
  'apiextensions.k8s.io/v1/customresourcedefinitions',
  'admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  'admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  'authorization.k8s.io/v1/selfsubjectaccessreviews',
  'authorization.k8s.io/v1/selfsubjectrulesreviews',
  'authentication.k8s.io/v1/tokenreviews',
  'policy/v1/namespaces/default/poddisruptionbudgets',
  'events.k8s.io/v1/namespaces/default/events',
  'nobody.example.com/v1/things',
);
const collection = fc.oneof(
  { weight: 3, arbitrary: plural.map((one) => `/api/v1/namespaces/default/${one}`) },
  { weight: 4, arbitrary: grouped.map((one) => `/apis/${one}`) },
  plural.map((one) => `/api/v1/${one}`),
  plural.map((one) => `/api/v1/watch/namespaces/default/${one}`),
);
const subresource = fc.constantFrom(
  ...['/status', '/scale', '/finalize', '/token', '/eviction', '/binding', '/log', '/resize', '/exec', '/none', '/a/b'],
);
/** Paths, served and not. */
export const place = fc.oneof(
  { weight: 3, arbitrary: collection },
  {
    weight: 4,
    arbitrary: fc.tuple(collection, fc.constantFrom('a', 'b', 'default')).map(([at, name]) => `${at}/${name}`),
  },
  fc.tuple(collection, word).map(([at, name]) => `${at}/${name}`),
  fc.tuple(collection, fc.constantFrom('a', 'default'), subresource).map(([at, name, sub]) => `${at}/${name}${sub}`),
  fc.constantFrom(
    '/',
    '/api',
    '/apis',
    '/apis/',
    '/version',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/apis/apps/v1',
    '/healthz?verbose',
    '/livez/none',
    '//api//v1',
    '/metrics',
  ),
  fc.array(word, { maxLength: 8 }).map((words) => `/${words.join('/')}`),
);

const junk = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', '0', '-1', '1', '99999999999999999999', '1e9', 'true', 'NaN', '\0', 'null', '[]', '%'),
);
const selector = fc.oneof(
  junk,
  fc
    .array(
      fc.constantFrom(
        'a',
        '=',
        '==',
        '!=',
        '!',
        ' in ',
        ' notin ',
        '(',
        ')',
        ',',
        '>',
        '<',
        '1',
        '\\',
        'metadata.name',
        'spec.nodeName',
        '.',
        '/',
        '-',
      ),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join('')),
);
const token = fc.oneof(
  junk,
  fc
    .record(
      {
        v: fc.constantFrom('meta.k8s.io/v1', 'x'),
        rv: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        start: fc.oneof(fc.string(), fc.integer(), fc.constant(['a'])),
      },
      { requiredKeys: [] },
    )
    .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
  fc.constantFrom('bnVsbA', 'W10', 'MQ', 'e30'),
);
const parameter = fc.oneof(
  fc.tuple(fc.constantFrom('labelSelector', 'fieldSelector'), selector),
  fc.tuple(fc.constant('continue'), token),
  fc.tuple(
    fc.constantFrom(
      'limit',
      'resourceVersion',
      'resourceVersionMatch',
      'timeoutSeconds',
      'timeout',
      'watch',
      'allowWatchBookmarks',
      'sendInitialEvents',
      'dryRun',
      'fieldManager',
      'fieldValidation',
      'force',
      'pretty',
      'gracePeriodSeconds',
      'propagationPolicy',
      'orphanDependents',
      'includeObject',
    ),
    junk,
  ),
  fc.constantFrom<[string, string]>(
    ['watch', 'true'],
    ['fieldManager', 'me'],
    ['force', 'true'],
    ['resourceVersion', '0'],
    ['limit', '1'],
    ['fieldValidation', 'Strict'],
    ['dryRun', 'All'],
  ),
);
/** Queries, mostly invalid. */
export const query = fc
  .array(parameter, { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`));
