/** Default configuration of API priority and fairness. */

import type { Draft, Fields } from '../apimachinery/object.ts';

const apiVersion = 'flowcontrol.apiserver.k8s.io/v1';

const objectOf = (kind: string, name: string, rest: Fields): Draft => ({
  apiVersion,
  kind,
  metadata: { name, generation: 1, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
  ...rest,
});

const accounts = { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } };
const user = (name: string): Fields => ({ kind: 'User', user: { name } });
const group = (name: string): Fields => ({ kind: 'Group', group: { name } });
const manager = user('system:kube-controller-manager');
const scheduler = user('system:kube-scheduler');
const everybody = [group('system:unauthenticated'), group('system:authenticated')];

const all = ['*'];
const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: all };
const everywhere = { clusterScope: true, namespaces: all };
const anything: Fields = {
  resourceRules: [{ verbs: all, apiGroups: all, resources: all, ...everywhere }],
  nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
};
const probes: Fields = { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] };
const election: Fields = { resourceRules: [{ verbs: ['get', 'create', 'update'], ...leases }] };
const heartbeats: Fields = {
  resourceRules: [
    { verbs: all, apiGroups: [''], resources: ['nodes', 'nodes/status'], ...everywhere },
    { verbs: all, ...leases },
  ],
};

/** FlowSchema in short: subjects and requests, priority level, precedence (lowest first) and flow distinguisher. */
interface Flow {
  readonly level: string;
  readonly precedence: number;
  readonly by?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly Fields[];
  readonly what?: Fields;
}

const flows: Readonly<Record<string, Flow>> = {
  exempt: { level: 'exempt', precedence: 1, subjects: [group('system:masters')] },
  probes: { level: 'exempt', precedence: 2, subjects: everybody, what: probes },
  'system-leader-election': {
    ...{ level: 'leader-election', precedence: 100, by: 'ByUser' },
    ...{ subjects: [manager, scheduler, accounts], what: election },
  },
  'system-node-high': {
    ...{ level: 'node-high', precedence: 400, by: 'ByUser' },
    ...{ subjects: [group('system:nodes')], what: heartbeats },
  },
  'system-nodes': { level: 'system', precedence: 500, by: 'ByUser', subjects: [group('system:nodes')] },
  'kube-controller-manager': { level: 'workload-high', precedence: 800, by: 'ByNamespace', subjects: [manager] },
  'kube-scheduler': { level: 'workload-high', precedence: 800, by: 'ByNamespace', subjects: [scheduler] },
  'kube-system-service-accounts': { level: 'workload-high', precedence: 900, by: 'ByNamespace', subjects: [accounts] },
  'service-accounts': {
    ...{ level: 'workload-low', precedence: 9000, by: 'ByUser' },
    subjects: [group('system:serviceaccounts')],
  },
  'global-default': { level: 'global-default', precedence: 9900, by: 'ByUser', subjects: everybody },
  'catch-all': { level: 'catch-all', precedence: 10_000, by: 'ByUser', subjects: everybody },
};

/** Returns the default FlowSchemas; `now` is a timestamp. */
export const flowSchemas = (now: string): readonly Draft[] =>
  Object.entries(flows).map(([name, { level, precedence, by, subjects, what = anything }]) =>
    objectOf('FlowSchema', name, {
      spec: {
        priorityLevelConfiguration: { name: level },
        matchingPrecedence: precedence,
        ...(by !== undefined && { distinguisherMethod: { type: by } }),
        rules: [{ subjects, ...what }],
      },
      status: {
        conditions: [
          {
            type: 'Dangling',
            status: 'False',
            lastTransitionTime: now,
            reason: 'Found',
            message: `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`,
          },
        ],
      },
    }),
  );

/** Concurrency shares, lendable percentage, queues and hand size; without queues excess requests are rejected. */
const levels: Readonly<Record<string, readonly [number, number, number?, number?]>> = {
  'catch-all': [5, 0],
  'global-default': [20, 50, 128, 6],
  'leader-election': [10, 0, 16, 4],
  'node-high': [40, 25, 64, 6],
  system: [30, 33, 64, 6],
  'workload-high': [40, 50, 128, 6],
  'workload-low': [100, 90, 128, 6],
};

const responseOf = (queues?: number, handSize?: number): Fields =>
  queues === undefined ? { type: 'Reject' } : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } };

/** Returns the default PriorityLevelConfigurations. */
export const priorityLevels = (): readonly Draft[] => [
  objectOf('PriorityLevelConfiguration', 'exempt', {
    spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
    status: {},
  }),
  ...Object.entries(levels).map(([name, [nominalConcurrencyShares, lendablePercent, queues, handSize]]) =>
    objectOf('PriorityLevelConfiguration', name, {
      spec: {
        type: 'Limited',
        limited: { nominalConcurrencyShares, limitResponse: responseOf(queues, handSize), lendablePercent },
      },
      status: {},
    }),
  ),
];
