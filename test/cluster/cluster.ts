import type { Dispatcher } from 'undici';
import { type KubeObject, keyOf, type ObjectKey } from '../../sdk/api/object.ts';
import { type Clock, systemClock } from '../../sdk/clock.ts';
import { createAddresses } from './addresses.ts';
import { definitionController } from './controllers/definitions.ts';
import { type Controller, createLoop } from './controllers/loop.ts';
import { ClusterDispatcher } from './http/dispatcher.ts';
import { createHandler } from './http/handler.ts';
import type { ApiRequest, ApiResponse, Handler, User } from './http/message.ts';
import { createJsonCache } from './http/represent.ts';
import { builtinResources } from './kinds/builtin.ts';
import { type Machinery, randomFrom } from './machinery.ts';
import type { ApiObject, Fields } from './objects/object.ts';
import { createObject } from './objects/write.ts';
import { threeWayPatch } from './patch/merge.ts';
import { Registry, type Resource, resourceOf } from './registry.ts';
import { Store } from './store.ts';

/** What a cluster may be told; everything has a default. */
export interface ClusterOptions {
  /** Where its time comes from. @default the machine's clock */
  readonly clock?: Clock;
  /** In [0, 1). @default a generator seeded with `seed` */
  readonly random?: () => number;
  /** Makes uids, generated names and addresses repeatable. @default 1 */
  readonly seed?: number;
  /** How many changes are remembered for watches and pages. @default 10_000 */
  readonly historyLimit?: number;
  /** ms between bookmarks. @default 60_000 */
  readonly bookmarkInterval?: number;
  /** What it says it is. @default v1.34.1 */
  readonly version?: string;
}

/** One answered request. */
export interface AuditEntry {
  readonly method: string;
  readonly url: string;
  readonly user: string;
  readonly userAgent: string;
  readonly code: number;
}

/** Sees a request before the server does, and its answer before the client does. */
export type Interceptor = (request: ApiRequest, next: Handler) => Promise<ApiResponse>;

/** Where a listening cluster is found. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** A kubeconfig for an administrator. */
  kubeconfigYaml(): string;
  close(): Promise<void>;
}

/** A Kubernetes API in memory. */
export interface Cluster {
  /** For undici: talks to the cluster without a socket. */
  readonly dispatcher: Dispatcher;
  /** The server that `dispatcher` answers for. */
  readonly url: string;
  /** The revision of the last write. */
  readonly revision: number;
  /** The last requests, oldest first; at most 10 000. */
  readonly audit: readonly AuditEntry[];
  /** Serves over HTTPS, on a free port of the loopback interface unless told otherwise. */
  listen(options?: { readonly port?: number; readonly host?: string }): Promise<Listening>;
  /** Creates or changes an object as `kubectl apply` would; answers what the server then holds. Rejects with the server's message. */
  apply(object: KubeObject): Promise<ApiObject>;
  /** The current object, or undefined. */
  get(kind: Pick<KubeObject, 'apiVersion' | 'kind'>, key: ObjectKey): ApiObject | undefined;
  /** The current objects of a kind, in the order of their keys. */
  list(kind: Pick<KubeObject, 'apiVersion' | 'kind'>, namespace?: string): readonly ApiObject[];
  /** Forgets history, so that older watches and pages are told that they are too late. */
  compact(): void;
  /** Puts a function around every request: it may delay, answer, or lose it before or after. Returns how to take it away. */
  intercept(interceptor: Interceptor): () => void;
  /** Resolves when no controller has anything to do now. */
  settle(): Promise<void>;
  /** Stops listening, controllers and watches. */
  close(): Promise<void>;
}

const admin: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const auditLimit = 10_000;

function createMachinery(options: ClusterOptions): Machinery {
  const {
    clock = systemClock,
    seed = 1,
    random = randomFrom(seed),
    historyLimit,
    bookmarkInterval = 60_000,
    version = 'v1.34.1',
  } = options;
  return {
    store: new Store(historyLimit === undefined ? {} : { historyLimit }),
    registry: new Registry(),
    clock,
    random,
    jsonOf: createJsonCache(),
    addresses: createAddresses(random),
    bookmarkInterval,
    version,
  };
}

const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function populate(machinery: Machinery): void {
  const { registry } = machinery;
  for (const info of builtinResources) registry.add(resourceOf(info, `${info.group}/${info.plural}`));
  const namespaces = registry.find('v1', 'namespaces')!;
  for (const name of initialNamespaces) {
    createObject(machinery, { resource: namespaces }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

/** Starts a cluster: four namespaces and nothing else in it. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const machinery = createMachinery(options);
  populate(machinery);
  const { store, registry, clock } = machinery;
  store.compact();
  const controllers: Controller[] = [
    definitionController(machinery, registry.find('apiextensions.k8s.io/v1', 'customresourcedefinitions')!),
  ];
  const loop = createLoop(machinery, controllers, (error) => process.emitWarning(error as Error));
  const interceptors = new Set<Interceptor>();
  const audit: AuditEntry[] = [];
  const core = createHandler(machinery);
  const handle: Handler = async (request) => {
    const chain = [...interceptors].reduceRight<Handler>((next, interceptor) => (one) => interceptor(one, next), core);
    const response = await chain(request);
    audit.push({
      method: request.method,
      url: request.url,
      user: request.user.name,
      userAgent: request.headers['user-agent'] ?? '',
      code: response.status,
    });
    if (audit.length > auditLimit * 1.25) audit.splice(0, audit.length - auditLimit);
    return response;
  };
  const open = new Set<Listening>();
  const ask = async (
    method: string,
    url: string,
    body: object,
    contentType = 'application/json',
  ): Promise<{ status: number; object: Fields }> => {
    const response = await core({
      method,
      url,
      headers: { 'content-type': contentType },
      body: Buffer.from(JSON.stringify(body)),
      user: admin,
    });
    return { status: response.status, object: JSON.parse(response.body.toString()) as Fields };
  };
  const applied = new Map<string, KubeObject>();

  const resourceFor = (kind: Pick<KubeObject, 'apiVersion' | 'kind'>): Resource => {
    const resource = registry.ofKind(kind);
    if (resource === undefined)
      throw new Error(
        `the cluster serves no ${kind.kind} of ${kind.apiVersion}: apply its CustomResourceDefinition first`,
      );
    return resource;
  };
  const pathOf = ({ apiVersion, info }: Resource, namespace: string): string =>
    `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}/${info.namespaced ? `namespaces/${namespace}/` : ''}${info.plural}`;
  return {
    dispatcher: new ClusterDispatcher(handle, admin),
    url: 'https://in-memory.cluster',
    get revision() {
      return store.revision;
    },
    audit,
    async listen({ port = 0, host = '127.0.0.1' } = {}) {
      const [{ createServer }, { createServerIdentity }, { kubeconfigOf }] = await Promise.all([
        import('./http/server.ts'),
        import('./http/certificate.ts'),
        import('./http/kubeconfig.ts'),
      ]);
      const identity = createServerIdentity(['localhost', '127.0.0.1', host, 'kubernetes.default.svc'], clock.now());
      const token = 'in-memory-admin';
      const server = await createServer({
        handle,
        identity,
        port,
        host,
        authenticate: (header) => (header === undefined || header === `Bearer ${token}` ? admin : undefined),
      });
      const url = `https://${host}:${server.port}`;
      const listening: Listening = {
        url,
        port: server.port,
        kubeconfigYaml: () => kubeconfigOf({ url, authority: identity.authority, token }),
        close: async () => {
          open.delete(listening);
          await server.close();
        },
      };
      open.add(listening);
      return listening;
    },
    async apply(object) {
      const resource = resourceFor(object);
      const collection = pathOf(resource, object.metadata.namespace ?? 'default');
      const created = await ask('POST', collection, object);
      let result = created;
      const id = `${resource.collection} ${keyOf(object.metadata)}`;
      if (created.object.reason === 'AlreadyExists') {
        const patch = threeWayPatch(applied.get(id), object as unknown as Fields);
        result = await ask('PATCH', `${collection}/${object.metadata.name}`, patch, 'application/merge-patch+json');
      }
      if (result.status >= 400) throw new Error(String(result.object.message));
      applied.set(id, object);
      await loop.settle();
      return result.object as unknown as ApiObject;
    },
    get(kind, key) {
      const resource = resourceFor(kind);
      const stored = store.get(resource.collection, keyOf(key));
      return stored && resource.view(stored);
    },
    list(kind, namespace) {
      const resource = resourceFor(kind);
      return store
        .page(resource.collection, { prefix: namespace === undefined ? '' : `${namespace}/` })
        .objects.map(resource.view);
    },
    compact: () => store.compact(),
    intercept(interceptor) {
      interceptors.add(interceptor);
      return () => interceptors.delete(interceptor);
    },
    settle: () => loop.settle(),
    async close() {
      loop.stop();
      await Promise.all([...open].map((listening) => listening.close()));
    },
  };
}
