/** Cluster with all controllers and a manual clock, for tests of workloads. */

import { type Answer, type Ask, askOf } from '../ask.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';
import type { ApiObject, Fields } from '../objects/object.ts';
import type { ClusterOptions } from '../options.ts';
import type { Pod } from './pods/pod.ts';

/** Cluster with all controllers and a manual clock, with shorthands. */
export interface WorkloadCluster {
  readonly cluster: Cluster;
  readonly clock: ManualClock;
  readonly ask: Ask;
  /** Creates an object in `default`, and waits for the controllers. */
  make(plural: string, object: Fields): Promise<Answer>;
  /** Changes an object in `default` by a merge patch, and waits for the controllers. */
  change(plural: string, name: string, patch: Fields): Promise<Answer>;
  remove(plural: string, name: string, options?: Fields): Promise<Answer>;
  /** Advances the clock, and waits for the controllers. */
  pass(ms: number): Promise<void>;
  /** Returns the current object in `default`. */
  get<T extends ApiObject = ApiObject>(kind: string, name: string): T;
  list<T extends ApiObject = ApiObject>(kind: string): readonly T[];
  pods(): readonly Pod[];
  /** Recorded Events, as `Reason: message`. */
  told(): readonly string[];
}

const versions: Readonly<Record<string, string>> = {
  deployments: 'apis/apps/v1',
  replicasets: 'apis/apps/v1',
  statefulsets: 'apis/apps/v1',
  daemonsets: 'apis/apps/v1',
  jobs: 'apis/batch/v1',
  cronjobs: 'apis/batch/v1',
  poddisruptionbudgets: 'apis/policy/v1',
};

const kinds: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  ControllerRevision: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
};

const pathOf = (plural: string): string => `/${versions[plural] ?? 'api/v1'}/namespaces/default/${plural}`;

/** Starts a cluster with all controllers. */
export async function aWorkloadCluster(options: ClusterOptions = {}): Promise<WorkloadCluster> {
  const clock = createManualClock();
  const cluster = await createCluster({ clock, controllers: 'all', ...options });
  const ask = askOf(cluster);
  const asked = async (what: string, body?: unknown): Promise<Answer> => {
    const answer = await ask(what, body);
    await cluster.settle();
    return answer;
  };
  const kindOf = (kind: string) => ({ apiVersion: kinds[kind] ?? 'v1', kind });
  return {
    cluster,
    clock,
    ask,
    make: (plural, object) => asked(`POST ${pathOf(plural)}`, object),
    change: (plural, name, patch) => asked(`PATCH ${pathOf(plural)}/${name}`, patch),
    remove: (plural, name, body) => asked(`DELETE ${pathOf(plural)}/${name}`, body),
    async pass(ms) {
      await clock.advance(ms);
      await cluster.settle();
    },
    get: <T>(kind: string, name: string) => cluster.get(kindOf(kind), { namespace: 'default', name }) as T,
    list: <T>(kind: string) => cluster.list(kindOf(kind), 'default') as unknown as readonly T[],
    pods: () => cluster.list(kindOf('Pod'), 'default') as unknown as readonly Pod[],
    told: () => cluster.list(kindOf('Event'), 'default').map(({ reason, message }) => `${reason}: ${message}`),
  };
}

const container = { name: 'main', ports: [{ name: 'http', containerPort: 8080 }] };

/** Returns a pod template with one container. */
export const aTemplate = (labels: Fields = { app: 'it' }, spec: Fields = {}): Fields => ({
  metadata: { labels },
  spec: { containers: [{ ...container, image: 'example.test/main:1' }], ...spec },
});

/** Selector of {@link aTemplate}. */
export const aSelector: Fields = { matchLabels: { app: 'it' } };

/** Returns a patch of the image of {@link aTemplate}. */
export const anImage = (version: number): Fields => ({
  template: { spec: { containers: [{ ...container, image: `example.test/main:${version}` }] } },
});
