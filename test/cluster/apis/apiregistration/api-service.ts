/** APIServices, as the server makes them. */

import type { Draft, Fields } from '../../apimachinery/object.ts';

/** Group and version that the server serves. */
export interface Served {
  readonly group: string;
  readonly version: string;
}

/** Returns the status of a local APIService. */
export const available = (now: string): Fields => ({
  conditions: [
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: now,
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ],
});

/** Label of APIServices that the server manages: `true` for definitions, `onstart` for built-in ones. */
export const automanaged = 'kube-aggregator.kubernetes.io/automanaged';

/** Returns the APIService of a custom group and version; `now` is a timestamp. */
export const customApiService = ({ group, version }: Served, now: string): Draft => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `${version}.${group}`, labels: { [automanaged]: 'true' } },
  spec: { group, version, groupPriorityMinimum: 1000, versionPriority: 100 },
  status: available(now),
});
