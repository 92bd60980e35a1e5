import type { Dispatcher } from 'undici';
import { type Audit, type AuditLog, createAuditLog } from './audit/audit.ts';
import { auditEntryOf } from './audit/entry.ts';
import { authenticateBy } from './auth/authenticate.ts';
import { anonymous } from './auth/impersonation.ts';
import { createKeys, type Keys } from './auth/keys.ts';
import type { Control } from './control.ts';
import { Kubelet, type PodControl } from './controllers/kubelet/kubelet.ts';
import type { Controllers } from './controllers/switchboard.ts';
import { type Core, createCore } from './core.ts';
import { createFaults, type Faults } from './faults/create-faults.ts';
import { createOpenWatches, type OpenWatches } from './faults/open-watches.ts';
import { createDispatcher } from './http/dispatcher.ts';
import type { ApiRequest, ApiResponse, Handler, User } from './http/message.ts';
import { type Listening, type ListenOptions, listen } from './listen.ts';
import type { Machinery } from './machinery.ts';
import { recorder } from './record/record.ts';
import type { Seed } from './seeded-random.ts';
import { risen, type Snapshot, type SnapshotFile, type SnapshotState, stateOf } from './snapshot.ts';
import {
  administrator,
  type ClusterOptions,
  clockOf,
  type DrawnOptions,
  drawn,
  kubeletOptionsOf,
  refuseUnknown,
} from './start.ts';

/** Sees a request before the server does, and its answer before the client does. */
export type Interceptor = (request: ApiRequest, next: Handler) => Promise<ApiResponse>;

/** How a snapshot is restored. */
export interface RestoreOptions {
  /**
   * Where the revision goes. `rise`: past every one that clients have seen, and history is unknown, so that all watches begin anew, as after `etcdutl snapshot restore --bump-revision --mark-compacted`.
   * `return`: back to that of the snapshot, with its history, as after a restore without these: clients that resume from later revisions wait for events that never come. @default rise
   */
  readonly revision?: 'rise' | 'return';
}

/** A Kubernetes API in memory. */
export interface Cluster extends Control {
  /** For undici: talks to the cluster without a socket. */
  readonly dispatcher: Dispatcher;
  /** For undici, as somebody else: requests without an Authorization header are theirs. */
  dispatcherAs(user: User): Dispatcher;
  /** The server that `dispatcher` answers for. */
  readonly url: string;
  /** What repeats it: `createCluster({ seed })` gives the same uids, generated names and addresses. A fork has that of what it was forked from. */
  readonly seed: Seed;
  /** The revision of the last write. */
  readonly revision: number;
  /** The last requests, oldest first, and what can be asked of them; about 10 000 are kept. */
  readonly audit: Audit;
  /** Serves over HTTPS: HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** How many watches are open, by whatever way. */
  readonly openWatches: number;
  /** Forgets history, so that older watches and pages are told that they are too late. */
  compact(): void;
  /** Breaks it on demand: `faults.on('patch', 'workspaces/status').after('commit').drop({ times: 1 })`. */
  readonly faults: Faults;
  /** Puts a function around every request: it may delay, answer, or lose it before or after. Returns how to take it away. */
  intercept(interceptor: Interceptor): () => void;
  /** Runs controllers step by step, or not at all: `controllers.set('deployment', 'step')`. */
  readonly controllers: Controllers;
  /** Tells pods what to do: `kubelet.fail('default/web-0', { exitCode: 1 })`. */
  readonly kubelet: PodControl;
  /** Writes down requests and answers from now on, without secrets: a line of JSON each, for `replayRecording`. Returns how to stop. */
  record(writeLine: (line: string) => void): () => void;
  /** Resolves when no controller that runs by itself has anything to do now. */
  settle(): Promise<void>;
  /** Everything it holds, when no controller has anything to do; cheap, whatever its size. */
  snapshot(): Promise<Snapshot>;
  /** Becomes what it was when a snapshot was taken, here or elsewhere. Open watches end with `410 Gone`; faults, the audit and the clock stay as they are. Throws a TypeError for what is no snapshot. */
  restore(snapshot: Snapshot | SnapshotFile, options?: RestoreOptions): Promise<void>;
  /** Another cluster that begins as this one is, history and all, and shares nothing with it but its clock, unless another one is given. It has no faults. */
  fork(options?: Pick<ClusterOptions, 'clock'>): Promise<Cluster>;
  /** Stops listening, and stops the controllers. */
  close(): Promise<void>;
}

/** What lies around the core. */
interface Surroundings {
  readonly interceptors: ReadonlySet<Interceptor>;
  readonly log: AuditLog;
  readonly watches: OpenWatches;
}

/** The handler with interceptors around it, the last one outermost, and a record of what was answered. */
function watched(core: Handler, machinery: () => Machinery, { interceptors, log, watches }: Surroundings): Handler {
  return async (request) => {
    const { clock, store } = machinery();
    const [at, before] = [clock.now(), store.revision];
    const record = (response?: ApiResponse) =>
      log.add(auditEntryOf(request, { response, at, before, after: store.revision }));
    const chain = [...interceptors].reduce<Handler>((next, interceptor) => (one) => interceptor(one, next), core);
    try {
      const response = await chain(request);
      record(response);
      return watches.follow(request, response);
    } catch (error) {
      record();
      throw error;
    }
  };
}

/** What a cluster begins with. */
interface Birth {
  readonly options: DrawnOptions;
  readonly keys: Keys;
  readonly kubelet: Kubelet;
  /** What it was asked. */
  readonly log: AuditLog;
  readonly from?: SnapshotState;
}

/** What stays while cores come and go. */
function frontOf(core: () => Core, log: AuditLog) {
  const { clock } = core().machinery;
  const interceptors = new Set<Interceptor>();
  const watches = createOpenWatches(clock);
  const box = createFaults(() => core().machinery, watches);
  const inner = box.handle((request) => core().handle(request));
  const handle = watched(inner, () => core().machinery, { interceptors, log, watches });
  const authenticate = authenticateBy({
    userOf: (...token) => core().machinery.tokens.userOf(...token),
    nobody: () => (core().machinery.authorizer.isOpen ? undefined : anonymous),
  });
  const dispatcherAs = (user: User): Dispatcher => createDispatcher({ handle, user, authenticate });
  const intercept = (interceptor: Interceptor): (() => void) => {
    interceptors.add(interceptor);
    return () => interceptors.delete(interceptor);
  };
  return { clock, intercept, audit: log.audit, watches, faults: box.faults, handle, authenticate, dispatcherAs };
}

type Life = Pick<Cluster, 'snapshot' | 'restore' | 'fork'>;

/** Puts cores in the place of others. */
function lifeOf({ options, keys, kubelet, log }: Birth, core: () => Core, replace: (next: Core) => void): Life {
  const taken = async () => {
    await core().settle();
    return core().snapshot();
  };
  return {
    snapshot: taken,
    async restore(snapshot, { revision = 'rise' } = {}) {
      const state = stateOf(snapshot);
      if (state.signingKey !== undefined) keys.signBy(state.signingKey);
      const { revision: seen } = core().machinery.store;
      const from = revision === 'rise' ? risen(state, seen) : state;
      replace(await createCore({ options, keys, kubelet, log, from, modes: core().modes() }));
    },
    async fork(others = {}) {
      const { state } = await taken();
      const chosen = { ...options, ...others };
      const own = {
        keys: createKeys(() => clockOf(chosen).now(), keys),
        kubelet: new Kubelet(kubelet.options),
        log: createAuditLog(),
      };
      return begin({ options: chosen, ...own, from: state });
    },
  };
}

const controllersOf = (core: () => Core): Controllers => ({
  mode: (name) => core().controllers.mode(name),
  set: (name, mode) => core().controllers.set(name, mode),
  step: (name) => core().controllers.step(name),
  waiting: (name) => core().controllers.waiting(name),
});

async function begin(birth: Birth): Promise<Cluster> {
  let core = await createCore(birth);
  const { faults, audit, ...front } = frontOf(() => core, birth.log);
  const life = lifeOf(
    birth,
    () => core,
    (next) => {
      core.stop();
      core = next;
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
    seed: birth.options.seed,
    get revision() {
      return core.machinery.store.revision;
    },
    audit,
    faults,
    ...life,
    get openWatches() {
      return front.watches.count;
    },
    get: (...which) => core.control.get(...which),
    list: (...which) => core.control.list(...which),
    async apply(object) {
      const result = await core.control.apply(object);
      await core.settle();
      return result;
    },
    async listen(listenOptions = {}) {
      const actions = async () => (await import('./actions.ts')).actionsOf(cluster, front.clock);
      const listener = { ...front, keys: birth.keys, adminToken: birth.options.adminToken, actions };
      const listening = await listen(listener, listenOptions);
      open.push(listening);
      return listening;
    },
    compact: () => core.machinery.store.compact(),
    intercept: front.intercept,
    controllers: controllersOf(() => core),
    kubelet: birth.kubelet.control(() => core.settle()),
    record: (writeLine) =>
      front.intercept(recorder(core.machinery.profile.gitVersion, core.machinery.rules.types, writeLine)),
    settle: () => core.settle(),
    async close() {
      core.stop();
      await Promise.all(open.splice(0).map((listening) => listening.close()));
    },
  };
  return cluster;
}

/** Starts a cluster: four namespaces with what every namespace has. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  refuseUnknown(options);
  const clock = clockOf(options);
  const kubelet = new Kubelet(kubeletOptionsOf(options));
  return begin({ options: drawn(options), keys: createKeys(() => clock.now()), kubelet, log: createAuditLog() });
}
