/** In-memory Kubernetes cluster: its public interface, and the parts that outlive a restore. */

import type { Dispatcher } from 'undici';
import { type ApiServer, createApiServer } from './api-server.ts';
import type { Seed } from './apimachinery/seeded-random.ts';
import { type Audit, type AuditLog, createAuditLog } from './audit/audit.ts';
import { createKeys, type Keys } from './authn/keys.ts';
import { checkClusterOptions } from './bootstrap/option-validation.ts';
import {
  administrator,
  type ClusterOptions,
  clockOf,
  kubeletOptionsOf,
  type ResolvedOptions,
  resolveOptions,
} from './bootstrap/options.ts';
import { type Controllers, currentControllers } from './controllers/engine/controller-manager.ts';
import { Kubelet, type PodControl } from './controllers/kubelet/kubelet.ts';
import type { Faults } from './faults/create-faults.ts';
import { createFront, type Interceptor } from './front.ts';
import { type Listening, type ListenOptions, listen } from './listen.ts';
import type { AdminClient } from './objects/admin-client.ts';
import { recorder } from './record/record.ts';
import type { User } from './requests/message.ts';
import { type Snapshot, type SnapshotFile, type SnapshotState, stateOf, withRevisionBumped } from './snapshot.ts';

/** Options of a restore. */
export interface RestoreOptions {
  /**
   * Revision after the restore. `rise`: above every revision that clients have seen, with no history, so that all
   * watches start over (`etcdutl snapshot restore --bump-revision --mark-compacted`).
   * `return`: the snapshot's own, with its history; clients that resume from later revisions wait for events that
   * never come. @default rise
   */
  readonly revision?: 'rise' | 'return';
}

/** Kubernetes API in memory. */
export interface Cluster extends AdminClient {
  /** Undici dispatcher that reaches the cluster without a socket, as the administrator. */
  readonly dispatcher: Dispatcher;
  /** Dispatcher for another user: requests without an Authorization header are that user's. */
  dispatcherAs(user: User): Dispatcher;
  /** URL that `dispatcher` answers for. */
  readonly url: string;
  /** Seed of this run: `createCluster({ seed })` repeats its uids, generated names and addresses. A fork inherits the seed. */
  readonly seed: Seed;
  /** Revision of the last write. */
  readonly revision: number;
  /** Log of the last requests, about 10 000, oldest first, and queries over it. */
  readonly audit: Audit;
  /** Serves over HTTPS: HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Number of open watches, over any transport. */
  readonly openWatches: number;
  /** Drops history, so that older watches and continue tokens are answered `410 Expired`. */
  compact(): void;
  /** Fault injection: `faults.on('patch', 'workspaces/status').after('commit').drop({ times: 1 })`. */
  readonly faults: Faults;
  /** Wraps every request in a function that may delay, answer or drop it. Returns a function that removes it. */
  intercept(interceptor: Interceptor): () => void;
  /** Runs controllers step by step, or not at all: `controllers.set('deployment', 'step')`. */
  readonly controllers: Controllers;
  /** Controls pods: `kubelet.fail('default/web-0', { exitCode: 1 })`. */
  readonly kubelet: PodControl;
  /** Records requests and answers from now on, without secrets: one line of JSON each, for `replayRecording`. Returns a function that stops it. */
  record(writeLine: (line: string) => void): () => void;
  /** Resolves when every controller in mode `auto` is idle. */
  settle(): Promise<void>;
  /** Takes a snapshot once all controllers are idle; its cost does not depend on the number of objects. */
  snapshot(): Promise<Snapshot>;
  /**
   * Restores a snapshot, of this cluster or another. Open watches end with `410 Gone`; faults, the audit log and the
   * clock stay. Throws a TypeError when the argument is not a snapshot.
   */
  restore(snapshot: Snapshot | SnapshotFile, options?: RestoreOptions): Promise<void>;
  /** Creates a cluster with the same state and history. It shares only the clock with this one, unless another is given, and has no faults. */
  fork(options?: Pick<ClusterOptions, 'clock'>): Promise<Cluster>;
  /** Stops listening, and stops the controllers. */
  close(): Promise<void>;
}

/** Parts that a cluster is started with. */
interface ClusterParts {
  readonly options: ResolvedOptions;
  readonly keys: Keys;
  readonly kubelet: Kubelet;
  /** Log of its requests. */
  readonly log: AuditLog;
  readonly from?: SnapshotState;
}

type Snapshots = Pick<Cluster, 'snapshot' | 'restore' | 'fork'>;

/** Builds snapshot, restore and fork; `swap` swaps the core. */
function snapshotsOf(parts: ClusterParts, core: () => ApiServer, swap: (next: ApiServer) => void): Snapshots {
  const { options, keys, kubelet, log } = parts;
  const taken = async () => {
    await core().settle();
    return core().snapshot();
  };
  return {
    snapshot: taken,
    async restore(snapshot, { revision = 'rise' } = {}) {
      const state = stateOf(snapshot);
      if (state.signingKey !== undefined) keys.signBy(state.signingKey);
      const { revision: seen } = core().context.store;
      const from = revision === 'rise' ? withRevisionBumped(state, seen) : state;
      swap(await createApiServer({ options, keys, kubelet, log, from, modes: core().modes() }));
    },
    async fork(others = {}) {
      const { state } = await taken();
      const chosen = { ...options, ...others };
      const own = {
        keys: createKeys(() => clockOf(chosen).now(), keys),
        kubelet: new Kubelet(kubelet.options),
        log: createAuditLog(),
      };
      return startCluster({ options: chosen, ...own, from: state });
    },
  };
}

async function startCluster(parts: ClusterParts): Promise<Cluster> {
  let server = await createApiServer(parts);
  const { faults, audit, ...front } = createFront(() => server, parts.log);
  const snapshots = snapshotsOf(
    parts,
    () => server,
    (next) => {
      server.stop();
      server = next;
      front.watches.end(() => true, 'expire');
    },
  );
  const open: Listening[] = [];
  let dispatcher: Dispatcher | undefined;
  const cluster: Cluster = {
    get dispatcher() {
      dispatcher ??= front.dispatcherAs(administrator);
      return dispatcher;
    },
    dispatcherAs: front.dispatcherAs,
    url: 'https://in-memory.cluster',
    seed: parts.options.seed,
    get revision() {
      return server.context.store.revision;
    },
    audit,
    faults,
    ...snapshots,
    get openWatches() {
      return front.watches.count;
    },
    get: (...which) => server.control.get(...which),
    list: (...which) => server.control.list(...which),
    async apply(object) {
      const result = await server.control.apply(object);
      await server.settle();
      return result;
    },
    async listen(listenOptions = {}) {
      const actions = async () => (await import('./control-endpoints.ts')).controlEndpointsOf(cluster, front.clock);
      const listener = { ...front, keys: parts.keys, adminToken: parts.options.adminToken, actions };
      const listening = await listen(listener, listenOptions);
      open.push(listening);
      return listening;
    },
    compact: () => server.context.store.compact(),
    intercept: front.intercept,
    controllers: currentControllers(() => server.controllers),
    kubelet: parts.kubelet.control(() => server.settle()),
    record: (writeLine) =>
      front.intercept(recorder(server.context.profile.gitVersion, server.context.scheme.types, writeLine)),
    settle: () => server.settle(),
    async close() {
      server.stop();
      await Promise.all(open.splice(0).map((listening) => listening.close()));
    },
  };
  return cluster;
}

/**
 * Starts a cluster with the four initial namespaces and their usual objects. Throws a TypeError for unknown options, and those of another type.
 *
 * @example
 * ```ts run
 * import { createClient, Namespace } from 'workspace-sequencer/sdk';
 * import { createCluster } from 'workspace-sequencer/test';
 *
 * const cluster = await createCluster();
 * const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
 * const { items } = await client.list(Namespace);
 * console.log(items.map(({ metadata }) => metadata.name).join(' '));
 * await client.close();
 * await cluster.close();
 * ```
 */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  checkClusterOptions(options);
  const clock = clockOf(options);
  const kubelet = new Kubelet(kubeletOptionsOf(options));
  const keys = createKeys(() => clock.now());
  return startCluster({ options: resolveOptions(options), keys, kubelet, log: createAuditLog() });
}
