/** Cluster, clock and randomness of a scenario, in virtual or real time. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Client,
  type Clock,
  ConfigMap,
  createClient,
  Deployment,
  ensureCrds,
  exponentialBackoff,
  type GuardTimes,
  type Kind,
  type KubeObject,
  loadConnection,
  Namespace,
  type ObjectMeta,
  Pod,
  type RetryPolicy,
  Secret,
  Service,
  systemClock,
  Workspace,
} from '../../../sdk/index.ts';
import { randomFrom } from '../../cluster/apimachinery/seeded-random.ts';
import { type Cluster, type ClusterOptions, createCluster, createManualClock } from '../../cluster/index.ts';
import { type Subject, type TimeLimits, timeLimits } from '../subject/subject.ts';
import { mainNamespace, otherNamespace } from './workspace-names.ts';

/** Cluster, clock and randomness of a scenario. */
export interface TestEnvironment {
  readonly clock: Clock;
  /** Random numbers from 0 up to 1: the same in each scenario in virtual time. */
  readonly random: () => number;
  /** Administrator's client. */
  readonly client: Client;
  readonly namespace: string;
  /** Another namespace, for a workspace of the same name; undefined on a shared cluster. */
  readonly otherNamespace: string | undefined;
  readonly times: TestTimes;
  readonly retry: RetryPolicy;
  /** Longest time to come to rest, in ms of the clock. */
  readonly settle: number;
  /** Time between two checks, in ms of the clock. */
  readonly step: number;
  /** Advances the clock once nothing is `busy`. */
  advance(ms: number, busy: () => boolean): Promise<void>;
  /** Moves a manual clock at once: due timers fire once. Does nothing in real time. */
  skip(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Times of the guard in a scenario. */
type TestTimes = Pick<GuardTimes, 'lease' | 'maxRequest'> & Partial<GuardTimes>;

const timesOf = ({ lease, maxRequest }: TimeLimits, standard: Required<Omit<TimeLimits, 'settle'>>): TestTimes => ({
  lease: lease ?? standard.lease,
  maxRequest: maxRequest ?? standard.maxRequest,
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Creates a cluster with the CRD of workspaces; with all controllers where the cluster is the third party. */
async function createTestCluster(target: Subject['target'], options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = await createCluster({ ...options, ...(target === 'cluster' && { controllers: 'all' }) });
  await cluster.apply((await Workspace.crd?.()) as KubeObject);
  await cluster.settle();
  return cluster;
}

/** Creates the cluster that each scenario in memory forks. */
async function createBaseCluster(target: Subject['target']): Promise<Cluster> {
  const clock = createManualClock();
  const cluster = await createTestCluster(target, { clock, seed: 1 });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock });
  for (const name of [mainNamespace, otherNamespace]) await client.create(Namespace, { metadata: { name } });
  await client.close();
  await cluster.settle();
  return cluster;
}

/** Clusters to fork: a fork costs a fifth of a new cluster with the CRD. */
const baseClusters = new Map<Subject['target'], Promise<Cluster>>();

function baseClusterOf({ target }: Subject): Promise<Cluster> {
  const shared = baseClusters.get(target) ?? createBaseCluster(target);
  baseClusters.set(target, shared);
  return shared;
}

/** Creates an environment in memory, on a manual clock. */
async function virtualEnvironment(subject: Subject): Promise<TestEnvironment> {
  const { limits = {} } = subject;
  const clock = createManualClock();
  const cluster = await (await baseClusterOf(subject)).fork({ clock });
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock });
  const namespace = mainNamespace;
  return {
    clock,
    random: randomFrom(1),
    client,
    namespace,
    otherNamespace,
    times: timesOf(limits, timeLimits.virtual),
    retry: exponentialBackoff({ maxDelay: 4_000, jitter: 0 }),
    settle: limits.settle ?? timeLimits.virtual.settle,
    step: 1_000,
    async advance(ms, busy) {
      await clock.advance(0);
      while (busy()) await nextTurn();
      await clock.advance(ms);
      while (busy()) await nextTurn();
    },
    skip: (ms) => clock.skip(ms),
    async close() {
      await client.close();
      await cluster.close();
    },
  };
}

/** Opens the cluster of a kubeconfig, or one in memory in real time. */
async function openCluster({ kubeconfig, target }: Subject) {
  if (kubeconfig !== undefined) {
    const client = createClient({ connection: await loadConnection({ kubeconfig }) });
    await ensureCrds(client, [Workspace]);
    return { client, isReal: true, close: () => client.close() };
  }
  const cluster = await createTestCluster(target);
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const close = async () => {
    await client.close();
    await cluster.close();
  };
  return { client, isReal: false, close };
}

/** Waits for the default service account, without which no pod can be created in a namespace. */
async function waitForServiceAccount(client: Client, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  for (let look = 0; look < 200; look += 1) {
    const isThere = await client.raw('GET', path).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await sleep(50);
  }
  throw new Error(
    `namespace ${namespace} has no service account after ten seconds: does the cluster run its controllers?`,
  );
}

/** Creates an environment in real time, in a namespace of its own. */
async function realEnvironment(subject: Subject): Promise<TestEnvironment> {
  const { limits = {} } = subject;
  const { client, isReal, close } = await openCluster(subject);
  const namespace = `scenario-${randomUUID().slice(0, 8)}`;
  await client.create(Namespace, { metadata: { name: namespace } });
  if (isReal) await waitForServiceAccount(client, namespace);
  return {
    clock: systemClock,
    random: Math.random,
    client,
    namespace,
    otherNamespace: undefined,
    times: timesOf(limits, timeLimits.real),
    retry: exponentialBackoff({ initialDelay: 50, maxDelay: 400 }),
    settle: limits.settle ?? timeLimits.real.settle,
    step: 20,
    advance: (ms) => sleep(ms),
    skip: async () => {},
    async close() {
      await client.delete(Namespace, { name: namespace });
      await close();
    },
  };
}

/** Object created in the cluster. */
export interface MadeObject {
  readonly kind: string;
  readonly name: string;
  readonly labels: ObjectMeta['labels'];
}

/** Reports whether an object was made by a controller of the cluster for another object, such as a pod of a ReplicaSet. */
const isOfAController = ({ ownerReferences = [] }: ObjectMeta): boolean =>
  ownerReferences.some(({ controller, kind }) => controller === true && kind !== Workspace.kind);

/** Returns the objects in the namespace of an environment, without those of the cluster itself and its controllers. */
export async function objectsMadeIn({ client, namespace }: TestEnvironment): Promise<readonly MadeObject[]> {
  const lists = await Promise.all(
    [Pod, Service, ConfigMap, Secret, Deployment].map(async (kind: Kind) => ({
      kind: kind.kind,
      items: (await client.list(kind, { namespace })).items,
    })),
  );
  return lists
    .flatMap(({ kind, items }) =>
      items
        .filter(({ metadata }) => !isOfAController(metadata))
        .map(({ metadata: { name, labels } }) => ({ kind, name, labels })),
    )
    .filter(({ name }) => name !== 'kube-root-ca.crt');
}

/**
 * Creates an empty environment for one scenario. With its `usualDuration` in ms, an attempt without a response ends three leases after that time, not
 * after twenty leases.
 */
export async function environmentFor(subject: Subject, usualDuration?: number): Promise<TestEnvironment> {
  const environment = await (subject.time === 'real' ? realEnvironment(subject) : virtualEnvironment(subject));
  if (usualDuration === undefined) return environment;
  const { lease } = environment.times;
  const attempt = Math.min(20 * lease, usualDuration + 3 * lease);
  return { ...environment, times: { ...environment.times, attempt } };
}
