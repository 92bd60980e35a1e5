import type { Dispatcher } from 'undici';
import { type AuditEntry, auditEntryOf } from './audit.ts';
import { authenticateBy } from './auth/authenticate.ts';
import { type Control, createControl } from './control.ts';
import { createLoop } from './controllers/loop.ts';
import { createFaults, type Faults } from './faults/create-faults.ts';
import { createOpenWatches, type OpenWatches } from './faults/open-watches.ts';
import { createDispatcher } from './http/dispatcher.ts';
import { createHandler } from './http/handler.ts';
import type { ApiRequest, ApiResponse, Handler, User } from './http/message.ts';
import type { Machinery } from './machinery.ts';
import {
  administrator,
  type ClusterOptions,
  controllersOf,
  createMachinery,
  populate,
  refuseUnknown,
} from './start.ts';

/** Sees a request before the server does, and its answer before the client does. */
export type Interceptor = (request: ApiRequest, next: Handler) => Promise<ApiResponse>;

/** Where a listening cluster is found. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** A kubeconfig: with a token for the administrator, or with a certificate for the user given. */
  kubeconfigYaml(user?: Pick<User, 'name' | 'groups'>): string;
  close(): Promise<void>;
}

/** How to listen. */
export interface ListenOptions {
  /** @default a free one */
  readonly port?: number;
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** Whether administrators may `POST /control/compact`, to forget history as {@link Cluster.compact} does. @default false */
  readonly control?: boolean;
}

/** A Kubernetes API in memory. */
export interface Cluster extends Control {
  /** For undici: talks to the cluster without a socket. */
  readonly dispatcher: Dispatcher;
  /** For undici, as somebody else: requests without an Authorization header are theirs. */
  dispatcherAs(user: User): Dispatcher;
  /** The server that `dispatcher` answers for. */
  readonly url: string;
  /** The revision of the last write. */
  readonly revision: number;
  /** The last requests, oldest first; about 10 000 are kept. */
  readonly audit: readonly AuditEntry[];
  /** Serves over HTTPS: HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Forgets history, so that older watches and pages are told that they are too late. */
  compact(): void;
  /** Breaks it on demand: `faults.on('patch', 'workspaces/status').after('commit').drop({ times: 1 })`. */
  readonly faults: Faults;
  /** Puts a function around every request: it may delay, answer, or lose it before or after. Returns how to take it away. */
  intercept(interceptor: Interceptor): () => void;
  /** Resolves when no controller has anything to do now. */
  settle(): Promise<void>;
  /** Stops listening, and stops the controllers. */
  close(): Promise<void>;
}

const auditLimit = 10_000;

/** What lies around the core. */
interface Surroundings {
  readonly interceptors: ReadonlySet<Interceptor>;
  readonly audit: AuditEntry[];
  readonly watches: OpenWatches;
}

/** The handler with interceptors around it, the last one outermost, and a record of what was answered. */
function watched(core: Handler, { interceptors, audit, watches }: Surroundings): Handler {
  return async (request) => {
    const chain = [...interceptors].reduce<Handler>((next, interceptor) => (one) => interceptor(one, next), core);
    const response = await chain(request);
    audit.push(auditEntryOf(request, response));
    if (audit.length > auditLimit * 1.25) audit.splice(0, audit.length - auditLimit);
    return watches.follow(request, response);
  };
}

async function listen(
  machinery: Machinery,
  core: Handler,
  { port = 0, host = '127.0.0.1', control = false }: ListenOptions,
): Promise<Listening> {
  const [{ createServer }, { kubeconfigOf }, { withControl }] = await Promise.all([
    import('./http/server.ts'),
    import('./http/kubeconfig.ts'),
    import('./http/control.ts'),
  ]);
  const compact = () => {
    machinery.store.compact();
    return { revision: machinery.store.revision };
  };
  const handle = control ? withControl(core, { compact }) : core;
  const authority = machinery.authority();
  const identity = authority.issue(['localhost', '127.0.0.1', host, 'kubernetes.default.svc']);
  const authenticate = authenticateBy(machinery.tokens);
  const server = await createServer({ handle, identity, authority: authority.certificate, authenticate, port, host });
  const url = `https://${host}:${server.port}`;
  return {
    url,
    port: server.port,
    kubeconfigYaml: (user) => {
      const credentials = user === undefined ? { token: administrator.token } : authority.issueFor(user);
      return kubeconfigOf({ url, authority: authority.certificate, ...credentials });
    },
    close: server.close,
  };
}

/** Starts a cluster: four namespaces with what every namespace has. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  refuseUnknown(options);
  const machinery = await createMachinery(options);
  const { store } = machinery;
  const loop = createLoop(machinery, await controllersOf(machinery, options), (error) =>
    process.emitWarning(error as Error),
  );
  await populate(machinery);
  await loop.settle();
  store.compact();
  const interceptors = new Set<Interceptor>();
  const audit: AuditEntry[] = [];
  const core = createHandler(machinery);
  const watches = createOpenWatches();
  const box = createFaults(machinery, watches);
  const handle = watched(box.handle(core), { interceptors, audit, watches });
  const control = createControl(machinery, core, administrator.user);
  const open: Listening[] = [];
  let dispatcher: Dispatcher | undefined;
  const dispatcherFor = (user: User) =>
    createDispatcher({ handle, user, authenticate: authenticateBy(machinery.tokens) });
  return {
    get dispatcher() {
      dispatcher ??= dispatcherFor(administrator.user);
      return dispatcher;
    },
    dispatcherAs: dispatcherFor,
    url: 'https://in-memory.cluster',
    get revision() {
      return store.revision;
    },
    audit,
    faults: box.faults,
    ...control,
    async apply(object) {
      const result = await control.apply(object);
      await loop.settle();
      return result;
    },
    async listen(listenOptions = {}) {
      const listening = await listen(machinery, handle, listenOptions);
      open.push(listening);
      return listening;
    },
    compact: () => store.compact(),
    intercept(interceptor) {
      interceptors.add(interceptor);
      return () => interceptors.delete(interceptor);
    },
    settle: () => loop.settle(),
    async close() {
      loop.stop();
      await Promise.all(open.splice(0).map((listening) => listening.close()));
    },
  };
}
