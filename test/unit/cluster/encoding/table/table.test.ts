import test from 'ava';
import type { Fields } from '../../../../cluster/apimachinery/object.ts';
import type { ResourceInfo } from '../../../../cluster/apimachinery/resource-info.ts';
import { builtinResources } from '../../../../cluster/apis/builtin-resources.ts';
import { humanDuration } from '../../../../cluster/apis/printing/age.ts';
import { defaultCrd, resourceInfosOf } from '../../../../cluster/crd/definition.ts';
import { jsonPath } from '../../../../cluster/encoding/table/json-path.ts';
import { tableOf } from '../../../../cluster/encoding/table/table.ts';
import { aDefinition } from '../../fixtures/a-definition.ts';

const now = Date.parse('2024-01-02T00:00:00Z');
const metadata = { name: 'x', namespace: 'n', creationTimestamp: '2024-01-01T00:00:00Z' };
const builtin = (plural: string): ResourceInfo => builtinResources.find((info) => info.plural === plural)!;
const cells = (info: ResourceInfo, object: Fields): unknown =>
  (tableOf(info, [{ metadata, ...object }], { now }).rows as { cells: unknown }[])[0]!.cells;
const template = { spec: { containers: [{ name: 'main', image: 'app:1' }] } };

const printed: readonly (readonly [plural: string, object: Fields, cells: readonly unknown[]])[] = [
  [
    'flowschemas',
    { spec: { matchingPrecedence: 1000, priorityLevelConfiguration: { name: 'low' } } },
    ['x', 'low', 1000, '<none>', '24h', '?'],
  ],
  [
    'prioritylevelconfigurations',
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } } },
    ['x', 'Limited', 5, '<none>', '<none>', '<none>', '24h'],
  ],
  [
    'componentstatuses',
    { conditions: [{ type: 'Healthy', status: 'False', message: 'ok', error: 'gone' }] },
    ['x', 'Unhealthy', 'ok', 'gone'],
  ],
  ['componentstatuses', {}, ['x', 'Unknown', '', '']],
  [
    'apiservices',
    {
      spec: { service: { namespace: 'a', name: 'b' } },
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] },
    },
    ['x', 'a/b', 'False (MissingEndpoints)', '24h'],
  ],
  [
    'pods',
    { spec: { containers: [{}] }, status: { phase: 'Pending' } },
    ['x', '0/1', 'Pending', '0', '24h', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'pods',
    {
      spec: { containers: [{ name: 'main' }], nodeName: 'n1' },
      status: {
        phase: 'Running',
        podIPs: [{ ip: '1.2.3.4' }],
        containerStatuses: [{ ready: true, restartCount: 2, state: { running: {} } }],
      },
    },
    ['x', '1/1', 'Running', '2', '24h', '1.2.3.4', 'n1', '<none>', '<none>'],
  ],
  [
    'pods',
    {
      spec: { containers: [{}] },
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            restartCount: 3,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { finishedAt: '2024-01-01T23:59:00Z' } },
          },
        ],
      },
    },
    ['x', '0/1', 'CrashLoopBackOff', '3 (60s ago)', '24h', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'pods',
    { metadata: { ...metadata, deletionTimestamp: 'x' }, spec: { containers: [{}] }, status: { phase: 'Running' } },
    ['x', '0/1', 'Terminating', '0', '24h', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'pods',
    {
      spec: { containers: [{}], initContainers: [{}, {}] },
      status: {
        phase: 'Pending',
        initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { running: {} } }],
      },
    },
    ['x', '0/1', 'Init:1/2', '0', '24h', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    'deployments',
    {
      spec: { replicas: 3, selector: { matchLabels: { app: 'd' } }, template },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
    },
    ['x', '1/3', 2, 1, '24h', 'main', 'app:1', 'app=d'],
  ],
  [
    'services',
    {
      spec: {
        type: 'ClusterIP',
        clusterIPs: ['None'],
        selector: { a: 'b' },
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 53, protocol: 'UDP', nodePort: 30053 },
        ],
      },
    },
    ['x', 'ClusterIP', 'None', '<none>', '80/TCP,53:30053/UDP', '24h', 'a=b'],
  ],
  [
    'jobs',
    {
      spec: { completions: 1, template },
      status: {
        succeeded: 1,
        startTime: '2024-01-01T00:00:00Z',
        completionTime: '2024-01-01T00:01:30Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    ['x', 'Complete', '1/1', '90s', '24h', 'main', 'app:1', '<none>'],
  ],
  ['secrets', { type: 'Opaque', data: { a: '', b: '' } }, ['x', 'Opaque', 2, '24h']],
  ['leases', { spec: { holderIdentity: 'me' } }, ['x', 'me', '24h']],
  [
    'nodes',
    {
      spec: { unschedulable: true },
      status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1' } },
    },
    ['x', 'Ready,SchedulingDisabled', '<none>', '24h', 'v1', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  ],
  [
    'events',
    {
      involvedObject: { kind: 'Pod', name: 'p' },
      type: 'Normal',
      reason: 'R',
      message: ' m\n',
      lastTimestamp: '2024-01-01T23:59:50Z',
      firstTimestamp: '2024-01-01T23:59:00Z',
      source: { component: 'c' },
    },
    ['10s', 'Normal', 'R', 'pod/p', '', 'c', 'm', '60s', 1, 'x'],
  ],
  ['roles', {}, ['x', '2024-01-01T00:00:00Z']],
];

for (const [index, [plural, object, expected]] of printed.entries()) {
  test(`${plural} are printed as kubectl shows them (case ${index + 1})`, (t) => {
    const info = builtin(plural);
    t.deepEqual(cells(info, object), expected);
    const { columnDefinitions } = tableOf(info, [], { now });
    t.is((columnDefinitions as unknown[]).length, expected.length);
  });
}

const [gadget] = resourceInfosOf(
  defaultCrd(
    aDefinition(
      {},
      {
        additionalPrinterColumns: [
          { name: 'Color', type: 'string', jsonPath: '.spec.color' },
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Seen', type: 'date', jsonPath: '.spec.seen', priority: 1 },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        ],
      },
    ),
  ),
);

test('a custom resource has the columns it declares, missing values are null', (t) => {
  const spec = { color: 'red', size: 3, seen: '2024-01-01T12:00:00Z' };
  const conditions = [
    { type: 'Other', status: 'False' },
    { type: 'Ready', status: 'True' },
  ];
  t.deepEqual(cells(gadget!, { spec, status: { conditions } }), ['x', 'red', 3, '12h', 'True']);
  t.deepEqual(cells(gadget!, {}), ['x', null, null, null, null]);
});

test('a row carries as much of its object as was asked for', (t) => {
  const object = { apiVersion: 'v1', kind: 'Secret', metadata, data: {} };
  const row = (options: object): unknown =>
    (tableOf(builtin('secrets'), [object], { now, ...options }).rows as { object: unknown }[])[0]!.object;
  t.deepEqual(row({}), { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
  t.is(row({ includeObject: 'None' }), null);
  t.is(row({ includeObject: 'Object' }), object);
  t.like(tableOf(builtin('secrets'), [], { now, version: 'v1beta1', withColumns: false }), {
    apiVersion: 'meta.k8s.io/v1beta1',
    columnDefinitions: null,
  });
});

const durations: readonly (readonly [seconds: number, text: string])[] = [
  [-2, '<invalid>'],
  [0, '0s'],
  [119, '119s'],
  [120, '2m'],
  [185, '3m5s'],
  [600, '10m'],
  [3 * 3600, '3h'],
  [3 * 3600 + 60, '3h1m'],
  [47 * 3600, '47h'],
  [49 * 3600, '2d1h'],
  [10 * 86400, '10d'],
  [800 * 86400, '2y70d'],
  [4000 * 86400, '10y'],
];

for (const [seconds, text] of durations)
  test(`${seconds} seconds read ${text}`, (t) => t.is(humanDuration(seconds * 1000), text));

const paths: readonly (readonly [path: string, found: readonly unknown[]])[] = [
  ['.a.b', [1]],
  ['.a.nope', []],
  ['.l[0].n', ['x']],
  ['.l[-1].n', ['z']],
  ['.l[*].n', ['x', 'y', 'z']],
  ['.l[0:2].n', ['x', 'y']],
  ['.l[?(@.n=="y")].v', [2]],
  ['.l[?(@.v>1)].n', ['y', 'z']],
  [".labels['a.b/c']", ['q']],
  ['.labels.a\\.b/c', ['q']],
];

for (const [path, found] of paths) {
  test(`the path ${path} finds ${JSON.stringify(found)}`, (t) => {
    const object = {
      a: { b: 1 },
      labels: { 'a.b/c': 'q' },
      l: [
        { n: 'x', v: 1 },
        { n: 'y', v: 2 },
        { n: 'z', v: 3 },
      ],
    };
    t.deepEqual(jsonPath(path)(object), found);
  });
}
