/** Initial APIServices, PriorityClasses, ServiceCIDR, IPAddress and Lease. */

import type { Draft } from '../apimachinery/object.ts';
import { automanaged, available, type Served } from '../apis/apiregistration/api-service.ts';

/** Group priorities of built-in groups, with version priorities that differ from the default. */
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

/** Returns the APIServices of built-in groups; `now` is a timestamp. */
export const apiServices = (served: readonly Served[], now: string): readonly Draft[] =>
  served.flatMap(({ group, version }) => {
    const [groupPriorityMinimum, versionPriority = version === 'v2' ? 30 : 15] = groupPriorities[group] ?? [];
    if (groupPriorityMinimum === undefined) return [];
    return {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}`, labels: { [automanaged]: 'onstart' } },
      spec: { ...(group !== '' && { group }), version, groupPriorityMinimum, versionPriority },
      status: available(now),
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

/** Returns the two system PriorityClasses. */
export const priorityClasses = (): readonly Draft[] =>
  Object.entries(priorities).map(([name, [value, description]]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name, generation: 1 },
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  }));

/** Returns the ServiceCIDR of the cluster; `now` is a timestamp. */
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

const host = 'in-memory';
/** Identity of the server; a real one hashes its host name. */
const identity = 'apiserver-invhm2lvmuqgk3tf4adl5zsugi';

/** Returns the identity Lease of the server; `now` in ms. */
export const identityLeases = (now: number): readonly Draft[] => [
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: identity,
      namespace: 'kube-system',
      labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': host },
    },
    spec: {
      holderIdentity: `${identity}_7d5d3c0e-6d5b-4f0b-9d6e-5a8f6f3b2c10`,
      leaseDurationSeconds: 3600,
      renewTime: `${new Date(now).toISOString().slice(0, -1)}000Z`,
    },
  },
];
