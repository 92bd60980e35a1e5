import test from 'ava';
import { componentHashAnnotation, wantedOf } from '../../../../integrations/components/objects.ts';
import {
  type ObservedComponents,
  type Plan,
  componentsPlanOf as planOf,
  teardownPlanOf as teardownOf,
} from '../../../../integrations/components/plan.ts';
import type { Component, KubeObject, NewObject, Pod, Service } from '../../../../sdk/index.ts';
import { aWorkspace } from '../../a-workspace.ts';

const network = { name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' } as const;
const rules = {
  workload: 'Pod',
  versions: new Map(),
  podSecurity: 'restricted',
  serviceAccounts: ['default'],
} as const;
const db: Component = { name: 'db', networks: [network], template: {} };
const web: Component = {
  name: 'web',
  template: {},
  dependsOn: [{ componentName: 'db', conditionType: 'Ready', conditionStatus: 'True' }],
};

type Simple = Omit<ObservedComponents, 'deployments'> & Partial<ObservedComponents>;
const componentsPlanOf = (all: Parameters<typeof planOf>[0], observed: Simple) =>
  planOf(all, { deployments: [], ...observed });
const teardownPlanOf = (all: readonly Component[], observed: Simple) =>
  teardownOf(all, { deployments: [], ...observed });

const wanted = (...components: readonly Component[]) => {
  const made = wantedOf(aWorkspace({ spec: { components } }), rules);
  return made.kind === 'components' ? made.components : [];
};
const [wantedDb, wantedWeb] = wanted(db, web);

const asRead = <T extends KubeObject>(object: NewObject<T>, change: object = {}): T =>
  ({ ...object, ...change }) as unknown as T;
const ready = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
const deleting = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});
const outdated = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { [componentHashAnnotation]: 'other' } },
});
const dbPod = asRead<Pod>(wantedDb!.workload.object as NewObject<Pod>, ready);
const webPod = asRead<Pod>(wantedWeb!.workload.object as NewObject<Pod>, ready);
const dbService = asRead<Service>(wantedDb!.services[0]!);

const told = ({ actions, status, reason }: Plan): readonly string[] => [
  ...actions.map((action) => `${action.do} ${action.kind} ${action.object.metadata.name}`),
  `${status}: ${reason}`,
];
const both = wanted(db, web);

for (const [why, observed, expected] of [
  [
    'nothing is there: services at once, pods of which nothing is missing',
    { pods: [], services: [] },
    [
      'create Service shop-db-sql',
      'create Pod shop-db',
      'In Progress: 0 of 2 components ready; waiting for db, web (needs db Ready)',
    ],
  ],
  [
    'a dependency is met: the next pod',
    { pods: [dbPod], services: [dbService] },
    ['create Pod shop-web', 'In Progress: 1 of 2 components ready; waiting for web'],
  ],
  ['all is there: nothing', { pods: [dbPod, webPod], services: [dbService] }, ['Completed: 2 of 2 components ready']],
  [
    'a pod is outdated: it goes, and the components that depend on it wait',
    { pods: [outdated(dbPod)], services: [dbService] },
    ['delete Pod shop-db', 'In Progress: 0 of 2 components ready; waiting for db, web (needs db Ready)'],
  ],
  [
    'a pod is going: it is waited for',
    { pods: [deleting(dbPod), webPod], services: [dbService] },
    ['In Progress: 1 of 2 components ready; waiting for db (being replaced)'],
  ],
  [
    'a service is outdated: it is changed where it is',
    { pods: [dbPod, webPod], services: [outdated(dbService)] },
    ['patch Service shop-db-sql', 'Completed: 2 of 2 components ready'],
  ],
  [
    'a service is going: it is waited for',
    { pods: [dbPod, webPod], services: [deleting(dbService)] },
    ['Completed: 2 of 2 components ready'],
  ],
  [
    'a pod has failed by itself: said, not repeated',
    {
      pods: [asRead<Pod>(wantedDb!.workload.object as NewObject<Pod>, { status: { phase: 'Failed' } }), webPod],
      services: [dbService],
    },
    ['Error: db: pod shop-db has failed'],
  ],
] as const satisfies readonly (readonly [string, Simple, readonly string[]])[])
  test(`when ${why}`, (t) => {
    t.deepEqual(told(componentsPlanOf(both, observed)), expected);
  });

test('what is no longer requested goes, and is said while it lasts', (t) => {
  const observed = { pods: [dbPod, webPod], services: [dbService] };
  t.deepEqual(told(componentsPlanOf(wanted({ ...db, networks: [] }), observed)), [
    'delete Pod shop-web',
    'delete Service shop-db-sql',
    'In Progress: 1 of 1 components ready; removing shop-web',
  ]);
});

test('on the way down, a component that others depend on waits, and services go after their pod', (t) => {
  const all = { pods: [dbPod, webPod], services: [dbService] };
  t.deepEqual(told(teardownPlanOf([db, web], all)).slice(0, -1), ['delete Pod shop-web']);
  t.deepEqual(told(teardownPlanOf([db, web], { ...all, pods: [dbPod, deleting(webPod)] })).slice(0, -1), []);
  t.deepEqual(told(teardownPlanOf([db, web], { ...all, pods: [dbPod] })).slice(0, -1), ['delete Pod shop-db']);
  t.deepEqual(told(teardownPlanOf([db, web], { ...all, pods: [] })), [
    'delete Service shop-db-sql',
    'In Progress: removing 1: service shop-db-sql',
  ]);
  t.deepEqual(told(teardownPlanOf([db, web], { pods: [], services: [] })), ['Terminated: no pod or service is left']);
});
