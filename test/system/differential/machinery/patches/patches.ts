import type { Scenario, Step } from '../../runner/scenario.ts';

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

const maps = '/api/v1/namespaces/{ns}/configmaps';
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';

const map: Step = {
  path: maps,
  body: { metadata: { name: 'a', labels: { l: '1' }, annotations: { 'x/y': 'z' } }, data: { a: '1', b: '2' } },
};

const deployment: Step = {
  path: deployments,
  body: {
    metadata: { name: 'a' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [
            { name: 'c', image: 'i', args: ['x'], env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] },
            { name: 'd', image: 'j' },
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
        },
      },
    },
  },
};

/** Patches of one type to one object, one after the other. */
const patches = (name: string, type: keyof typeof types, bodies: readonly unknown[]): Scenario => ({
  name: `${type} patches: ${name}`,
  steps: [map, ...bodies.map((body): Step => ({ method: 'PATCH', path: `${maps}/a`, contentType: types[type], body }))],
});

/** Patches of a Deployment's pod template. */
const ofPods = (name: string, specs: readonly unknown[]): Scenario => ({
  name: `strategic patches of a Deployment: ${name}`,
  steps: [
    deployment,
    ...specs.map(
      (spec): Step => ({
        method: 'PATCH',
        path: `${deployments}/a`,
        contentType: types.strategic,
        body: { spec: { template: { spec } } },
      }),
    ),
  ],
});

const broken = ['null', '[]', '[{}]', '"x"', '{', '5', 'true', '{"data":}', 'a: b', '{}', '{"a":1}'];

/** Patches, valid and invalid, with equal answers. */
export const patchScenarios: readonly Scenario[] = [
  patches('bodies', 'json', ['null', '[]', '[null]', '[1]', '"x"', '{', '5', '[[]]', '[{}]', 'true']),
  patches('bodies', 'merge', broken),
  patches('bodies', 'strategic', broken),
  patches('missing members', 'json', [
    [{ op: 'remove', path: '/data/z' }],
    [{ op: 'replace', path: '/data/z', value: '1' }],
    [{ op: 'add', path: '/nope/a', value: '1' }],
    [{ op: 'test', path: '/data/q', value: null }],
    [{ op: 'copy', from: '/data/none', path: '/data/c' }],
    [{ op: 'move', from: '/data/none', path: '/data/c' }],
  ]),
  patches('pointers', 'json', [
    [{ op: 'replace', path: '/metadata/annotations/x~1y', value: 'w' }],
    [{ op: 'add', path: 'data/a', value: '1' }],
    [{ op: 'add', path: '/data/~2', value: '1' }],
    [{ op: 'add', path: '/data/a/b', value: '1' }],
    [{ op: 'add', path: 5, value: '1' }],
    [{ op: 5, path: '/data/a' }],
    [{ op: 'add', path: '', value: {} }],
    [{ op: 'copy', from: '', path: '/data/x' }],
    [{ op: 'remove', path: '' }],
  ]),
  patches('operations', 'json', [
    [{ op: 'frob', path: '/data/a' }],
    [{ path: '/data/a', value: '1' }],
    [{ op: 'add', value: '1' }],
    [{ op: 'add', path: '/data/c' }],
    [{ op: 'add', path: '/data/c', value: '1', extra: true }],
    '[{"op":"add","op":"remove","path":"/data/a","value":"1"}]',
  ]),
  patches('types', 'merge', [
    { metadata: { labels: null } },
    { metadata: { resourceVersion: '1' } },
    { metadata: { resourceVersion: 'abc' } },
    { metadata: { uid: 'x' } },
    { metadata: { finalizers: ['bad'] } },
    { metadata: { finalizers: ['a.b/c', 'a.b/c'] } },
    { metadata: { labels: { 'bad key': 'x' } } },
    { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } },
    { immutable: true },
    { data: { a: 'x' } },
    { immutable: null },
  ]),
  patches('types', 'strategic', [
    { data: 5 },
    { data: { a: 5 } },
    { data: [] },
    { metadata: 'x' },
    { kind: 'Secret' },
    { metadata: { finalizers: 'x' } },
    { metadata: { finalizers: [5] } },
    { metadata: { ownerReferences: {} } },
    { metadata: { ownerReferences: ['x'] } },
    { nope: { a: 1 } },
  ]),
  patches('directives', 'strategic', [
    { data: { $patch: 'replace', z: '1' } },
    { data: { $patch: 'delete' } },
    { data: { $patch: 'merge', y: '1' } },
    { data: { $patch: 'bogus', y: '1' } },
    { metadata: { finalizers: ['a.b/c', 'a.b/d'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.b/c'] } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': 'a.b/d' } },
    { metadata: { '$setElementOrder/finalizers': ['a.b/e', 'a.b/d'], finalizers: ['a.b/e'] } },
    { metadata: { '$setElementOrder/finalizers': ['a.b/e'], finalizers: ['a.b/g'] } },
    { metadata: { finalizers: null } },
  ]),
  ofPods('merged lists', [
    { containers: [{ name: 'c', image: 'k' }] },
    { containers: [{ name: 'e', image: 'k' }] },
    { containers: [{ name: 'd', $patch: 'delete' }] },
    { containers: [{ image: 'x' }] },
    { containers: [{ name: 'c', env: [{ name: 'A', $patch: 'delete' }] }] },
    { containers: [{ name: 'c', ports: [{ containerPort: 81 }] }] },
    { containers: [{ name: 'c', ports: [{ containerPort: 80, protocol: 'UDP' }] }] },
    { containers: [{ name: 'c', args: ['y', 'z'] }] },
    { containers: [] },
    { containers: [{ $patch: 'replace' }, { name: 'only', image: 'z' }] },
  ]),
  ofPods('orders and keys to retain', [
    { '$setElementOrder/containers': [{ name: 'd' }, { name: 'c' }] },
    { '$setElementOrder/containers': [{ name: 'd' }], containers: [{ name: 'c', image: 'z' }] },
    { '$setElementOrder/containers': ['d'] },
    { '$setElementOrder/containers': 'd' },
    { '$setElementOrder/containers': [{}] },
    { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'x' } }] },
    { volumes: [{ name: 'w', $retainKeys: ['name', 'secret'], secret: { secretName: 'x' } }] },
    { volumes: [{ name: 'v', $retainKeys: ['name'], configMap: { name: 'x' } }] },
  ]),
];
