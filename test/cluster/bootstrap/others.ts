import type { Draft } from '../objects/object.ts';

/** The priorities of groups, and of their versions where these are not the usual ones. */
const groupPriorities: Readonly<Record<string, readonly [number, number?]>> = {
  '': [18_000, 1],
  apps: [17_800],
  'events.k8s.io': [17_750],
  'authentication.k8s.io': [17_700],
  'authorization.k8s.io': [17_600],
  autoscaling: [17_500],
  batch: [17_400],
  'certificates.k8s.io': [17_300],
  'networking.k8s.io': [17_200],
  policy: [17_100],
  'rbac.authorization.k8s.io': [17_000],
  'storage.k8s.io': [16_800],
  'admissionregistration.k8s.io': [16_700],
  'apiextensions.k8s.io': [16_700],
  'scheduling.k8s.io': [16_600],
  'coordination.k8s.io': [16_500],
  'node.k8s.io': [16_300],
  'discovery.k8s.io': [16_200],
  'flowcontrol.apiserver.k8s.io': [16_100, 21],
};

/** A group and version that the server answers for itself. */
export interface Served {
  readonly group: string;
  readonly version: string;
}

/** The APIServices of groups that are built in; `now` is a timestamp. */
export const apiServices = (served: readonly Served[], now: string): readonly Draft[] =>
  served.flatMap(({ group, version }) => {
    const [groupPriorityMinimum, versionPriority = version === 'v2' ? 30 : 15] = groupPriorities[group] ?? [];
    if (groupPriorityMinimum === undefined) return [];
    return {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}`, labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
      spec: { ...(group !== '' && { group }), version, groupPriorityMinimum, versionPriority },
      status: {
        conditions: [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: now,
            reason: 'Local',
            message: 'Local APIServices are always available',
          },
        ],
      },
    };
  });

const priorities = {
  'system-cluster-critical': [
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
  'system-node-critical': [
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ],
} as const;

/** The PriorityClasses of what a cluster cannot do without. */
export const priorityClasses = (): readonly Draft[] =>
  Object.entries(priorities).map(([name, [value, description]]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name, generation: 1 },
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  }));

/** Where the addresses of Services come from; `now` is a timestamp. */
export const serviceCidrs = (range: string, now: string): readonly Draft[] => [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [range] },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastTransitionTime: now,
          reason: '',
          message: 'Kubernetes default Service CIDR is ready',
        },
      ],
    },
  },
];
