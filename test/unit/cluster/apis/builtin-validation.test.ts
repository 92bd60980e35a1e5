import test from 'ava';
import { messageOf } from '../../../cluster/apimachinery/field-error.ts';
import type { Fields } from '../../../cluster/apimachinery/object.ts';
import { applyBuiltinDefaults } from '../../../cluster/apis/builtin-defaults.ts';
import { builtinResources } from '../../../cluster/apis/builtin-resources.ts';
import { builtinTypes } from '../../../cluster/apis/builtin-types.ts';
import { validateBuiltin } from '../../../cluster/apis/builtin-validation.ts';
import { warningsOf } from '../../../cluster/apis/builtin-warnings.ts';
import { decodeAs } from '../../../cluster/resources/decode.ts';

const types = builtinTypes();

function messages(kind: string, body: Fields, old?: Fields): readonly string[] {
  const info = builtinResources.find((one) => one.kind === kind)!;
  const complete = (given: Fields): Fields =>
    applyBuiltinDefaults(
      types,
      info.type!,
      decodeAs(types, info.type!, { metadata: { name: 'x', namespace: 'n' }, ...given }).object,
    );
  return validateBuiltin(info, complete(body), old && complete(old)).map(messageOf);
}

const pods = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { a: 'b' } };
const deployment = (spec: Fields): Fields => ({ spec: { selector, template: pods, ...spec } });
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

const created: readonly (readonly [kind: string, body: Fields, expected: readonly string[]])[] = [
  ['ConfigMap', {}, []],
  ['ConfigMap', { metadata: {} }, ['metadata.name: Required value: name or generateName is required']],
  [
    'NetworkPolicy',
    {
      spec: {
        podSelector: {},
        egress: [{ ports: [{ endPort: 2 }, { port: 'web', endPort: 2 }, { port: 3, endPort: 2 }] }],
      },
    },
    [
      'spec.egress[0].ports[0].endPort: Invalid value: 2: may not be specified when `port` is not specified',
      'spec.egress[0].ports[1].endPort: Invalid value: 2: may not be specified when `port` is non-numeric',
      'spec.egress[0].ports[2].endPort: Invalid value: 3: must be greater than or equal to `port`',
    ],
  ],
  ['IPAddress', { metadata: { name: 'fe80::1' }, spec: { parentRef: { resource: 'services', name: 'a' } } }, []],
  ['Namespace', { metadata: { name: 'a.b' } }, ['metadata.name: Invalid value: "a.b": must not contain dots']],
  ['Role', { metadata: { name: 'a:B' }, rules: [] }, []],
  ['Event', { metadata: { name: 'a.bC9', namespace: 'n' }, involvedObject: { namespace: 'n' } }, []],
  ['ConfigMap', { data: { '..': 'x' } }, [`data[..]: Invalid value: "..": must not be '..'`]],
  ['Secret', { type: 'kubernetes.io/tls' }, ['data[tls.crt]: Required value', 'data[tls.key]: Required value']],
  ['Pod', { spec: { containers: [] } }, ['spec.containers: Required value']],
  [
    'Pod',
    { spec: { containers: [{ name: 'BAD' }] } },
    [`spec.containers[0].name: Invalid value: "BAD": ${label}`, 'spec.containers[0].image: Required value'],
  ],
  [
    'Pod',
    { spec: { ...pods.spec, restartPolicy: 'Maybe' } },
    ['spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"'],
  ],
  ...(
    [
      ['../x', ["must not contain '..'"]],
      ['..', ["must not contain '..'", "must not start with '..'"]],
      ['..x', ["must not start with '..'"]],
      ['a/../x', ["must not contain '..'"]],
      ['a/..x', []],
    ] as const
  ).map(
    ([path, reasons]) =>
      [
        'Pod',
        { spec: { ...pods.spec, volumes: [{ name: 'v', configMap: { name: 'c', items: [{ key: 'k', path }] } }] } },
        reasons.map((reason) => `spec.volumes[0].configMap.items[0].path: Invalid value: "${path}": ${reason}`),
      ] as const,
  ),
  [
    'Deployment',
    { spec: {} },
    [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`',
      'spec.template.spec.containers: Required value',
    ],
  ],
  [
    'Deployment',
    deployment({ selector: { matchLabels: { other: 'x' } } }),
    ['spec.template.metadata.labels: Invalid value: {"a":"b"}: `selector` does not match template `labels`'],
  ],
  [
    'Deployment',
    deployment({ replicas: -1 }),
    ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'Deployment',
    deployment({ strategy: { type: 'Recreate', rollingUpdate: {} } }),
    ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
  ],
  ['Service', { spec: { ports: [] } }, ['spec.ports: Required value']],
  [
    'Service',
    { spec: { ports: [{ port: 80 }, { port: 81 }] } },
    ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
  ],
  [
    'Event',
    { involvedObject: { namespace: 'elsewhere' } },
    ['involvedObject.namespace: Invalid value: "elsewhere": does not match event.namespace'],
  ],
  [
    'Job',
    { spec: { manualSelector: true, selector: { matchLabels: { a: 'b' } }, template: pods } },
    ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
  ],
  [
    'PersistentVolumeClaim',
    { spec: {} },
    ['spec.accessModes: Required value: at least 1 access mode is required', 'spec.resources[storage]: Required value'],
  ],
  ['Ingress', { spec: {} }, ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified']],
];

for (const [index, [kind, body, expected]] of created.entries()) {
  test(`a new ${kind} ${expected.length === 0 ? 'passes' : `is refused: ${expected[0]}`} (case ${index + 1})`, (t) => {
    t.deepEqual(messages(kind, body), expected);
  });
}

const updated: readonly (readonly [kind: string, before: Fields, after: Fields, expected: readonly string[]])[] = [
  [
    'Deployment',
    deployment({}),
    deployment({
      selector: { matchLabels: { a: 'b', c: 'd' } },
      template: { ...pods, metadata: { labels: { a: 'b', c: 'd' } } },
    }),
    ['spec.selector: Invalid value: {"matchLabels":{"a":"b","c":"d"}}: field is immutable'],
  ],
  ['Deployment', deployment({}), deployment({ replicas: 3 }), []],
  ['Secret', {}, { type: 'example.com/other' }, ['type: Invalid value: "example.com/other": field is immutable']],
  [
    'ConfigMap',
    { immutable: true, data: { a: '1' } },
    { immutable: true, data: { a: '2' } },
    ['data: Forbidden: field is immutable when `immutable` is set'],
  ],
  [
    'ConfigMap',
    { immutable: true },
    { immutable: false },
    ['immutable: Forbidden: field is immutable when `immutable` is set'],
  ],
  [
    'RoleBinding',
    { roleRef: { kind: 'Role', name: 'a' } },
    { roleRef: { kind: 'Role', name: 'b' } },
    [
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: cannot change roleRef',
    ],
  ],
  [
    'Service',
    { spec: { ports: [{ port: 1 }], clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] } },
    { spec: { ports: [{ port: 1 }], clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] } },
    ['spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set'],
  ],
  ['Pod', { spec: pods.spec }, { spec: { containers: [{ name: 'c', image: 'new' }] } }, []],
  [
    'Pod',
    { spec: pods.spec },
    { spec: { containers: [{ name: 'c', image: 'i', command: ['x'] }] } },
    [
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    ],
  ],
];

for (const [index, [kind, before, after, expected]] of updated.entries()) {
  test(`an update of a ${kind} ${expected.length === 0 ? 'passes' : `is refused: ${expected[0]}`} (update ${index + 1})`, (t) => {
    t.deepEqual(messages(kind, after, before), expected);
  });
}

const onCreate = { former: undefined, subresource: undefined };

test('a headless service is accepted with a warning', (t) => {
  t.deepEqual(warningsOf('core.Service', { spec: { type: 'ClusterIP', clusterIP: 'None' } }, onCreate), [
    'spec.SessionAffinity is ignored for headless services',
  ]);
  t.deepEqual(warningsOf('core.ConfigMap', {}, onCreate), []);
});
