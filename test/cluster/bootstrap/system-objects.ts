/** Initial APIServices, PriorityClasses, ServiceCIDR, IPAddress and Lease. */

import type { Draft } from '../apimachinery/object.ts';
import { automanaged, available, type Served } from '../apis/apiregistration/api-service.ts';
import type { TableChanges } from '../resources/table-changes.ts';
import { apiServiceTable, parseObjectTable, priorityClassTable } from './system-object-table.ts';

/** Returns the APIServices of built-in groups; `now` is a timestamp. */
export function apiServices(served: readonly Served[], now: string, changes?: TableChanges): readonly Draft[] {
  const priorities = new Map(parseObjectTable(apiServiceTable, changes));
  return served.flatMap(({ group, version }) => {
    const name = `${version}.${group}`;
    const ofVersion = priorities.get(name);
    if (ofVersion === undefined) return [];
    return {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name, labels: { [automanaged]: 'onstart' } },
      spec: { ...(group !== '' && { group }), version, ...ofVersion },
      status: available(now),
    };
  });
}

/** Returns the two system PriorityClasses. */
export const priorityClasses = (changes?: TableChanges): readonly Draft[] =>
  parseObjectTable(priorityClassTable, changes).map(([name, members]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name, generation: 1 },
    ...members,
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
