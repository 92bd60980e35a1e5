/** Cluster with a quota, for tests. */

import type { ExecutionContext } from 'ava';
import { type Ask, askOf } from '../ask.ts';
import { type Cluster, type ClusterOptions, createCluster } from '../index.ts';
import { createManualClock } from '../manual-clock.ts';
import type { Fields } from '../objects/object.ts';

/** Path of core objects in `default`. */
export const core = '/api/v1/namespaces/default';

/** Cluster with a quota and a manual clock. */
export interface QuotaCluster {
  readonly cluster: Cluster;
  /** Sends a request and waits for the controllers. */
  readonly ask: Ask;
  /** Creates a quota with these hard limits. */
  quota(hard: Fields, spec?: Fields): ReturnType<Ask>;
  /** Returns the quota's status. */
  status(): Promise<{ readonly hard: Fields; readonly used: Fields }>;
}

/** Starts a cluster that is closed at the end of the test. */
export async function aQuotaCluster(t: ExecutionContext, options: ClusterOptions = {}): Promise<QuotaCluster> {
  const cluster = await createCluster({ clock: createManualClock(), kubelet: false, ...options });
  t.teardown(() => cluster.close());
  const plain = askOf(cluster);
  const ask: Ask = async (...request) => {
    const answer = await plain(...request);
    await cluster.settle();
    return answer;
  };
  return {
    cluster,
    ask,
    quota: (hard, spec = {}) =>
      ask(`POST ${core}/resourcequotas`, { metadata: { name: 'all' }, spec: { hard, ...spec } }),
    status: async () => (await ask(`GET ${core}/resourcequotas/all`)).body.status as { hard: Fields; used: Fields },
  };
}

/** Returns a container with requests and limits. */
export const aContainer = (requests: Fields = {}, limits: Fields = {}): Fields => ({
  name: 'main',
  image: 'example.test/main:1',
  resources: { requests, limits },
});

/** Returns a pod with one container. */
export const aPod = (name: string, requests?: Fields, spec: Fields = {}): Fields => ({
  metadata: { name },
  spec: { containers: [aContainer(requests)], ...spec },
});
