/** Core of a cluster: API machinery and controllers, replaced as a whole by a restore. */

import type { ApiObject } from './apimachinery/object.ts';
import type { SeededRandom } from './apimachinery/seeded-random.ts';
import { heldByService } from './apis/core/services/service-strategy.ts';
import type { AuditLog } from './audit/audit.ts';
import { administrator, type ClusterOptions } from './bootstrap/options.ts';
import { createServerContext, populate, type ServerSetup } from './bootstrap/server-setup.ts';
import { type Controllers, createControllerManager } from './controllers/engine/controller-manager.ts';
import type { ControllerContext } from './controllers/engine/controller-registry.ts';
import { type Modes, modesOf } from './controllers/engine/modes.ts';
import type { Kubelet } from './controllers/kubelet/kubelet.ts';
import { type AdminClient, createAdminClient } from './objects/admin-client.ts';
import type { Handler } from './requests/message.ts';
import { createHandler } from './routing/handler.ts';
import type { ServerContext } from './server/server-context.ts';
import { type SnapshotState, snapshotOf, type TakenSnapshot } from './snapshot.ts';
import type { Store } from './storage/store.ts';

/** Machinery, handler and controllers of a cluster. */
export interface ApiServer {
  readonly context: ServerContext;
  readonly handle: Handler;
  readonly control: AdminClient;
  readonly controllers: Controllers;
  /** Current modes of the controllers. */
  modes(): Modes;
  /** Resolves when every controller is idle. */
  settle(): Promise<void>;
  snapshot(): Promise<TakenSnapshot>;
  /** Stops the controllers. */
  stop(): void;
}

/** Options of {@link createApiServer}. */
export type ApiServerOptions = Omit<ServerSetup, 'state' | 'requests'> & {
  readonly kubelet: Kubelet;
  readonly log: AuditLog;
  /** Modes of the controllers. @default the modes in the options */
  readonly modes?: Modes;
  /** State to start from. @default an empty cluster with its initial namespaces */
  readonly from?: SnapshotState;
};

interface StoredObject {
  readonly collection: string;
  readonly key: string;
  readonly object: ApiObject;
}

const definitionsCollection = 'apiextensions.k8s.io/customresourcedefinitions';

/** Lists all objects of a store: definitions first, then owners before their dependents, so that garbage collection sees no orphans. */
function ownersFirst(store: Store): readonly StoredObject[] {
  const { collections } = store.state();
  const names = [...collections.keys()].sort(
    (a, b) => Number(b === definitionsCollection) - Number(a === definitionsCollection),
  );
  const all = names.flatMap((collection): StoredObject[] =>
    collections
      .get(collection)!
      .keys.all()
      .map((key) => ({ collection, key, object: store.get(collection, key)! })),
  );
  const byUid = new Map(all.map((found) => [found.object.metadata.uid, found]));
  const ordered = new Set<StoredObject>();
  const visiting = new Set<StoredObject>();
  const visit = (found: StoredObject): void => {
    if (ordered.has(found) || visiting.has(found)) return;
    visiting.add(found);
    for (const { uid } of found.object.metadata.ownerReferences ?? []) {
      const owner = byUid.get(uid);
      if (owner !== undefined) visit(owner);
    }
    ordered.add(found);
  };
  for (const found of all) visit(found);
  return [...ordered];
}

/** Allocates the addresses and ports of existing Services and IPAddresses. */
function allocateExistingAddresses({ store, serviceAllocator }: ServerContext): void {
  for (const service of store.page('/services', { prefix: '' }).objects) {
    const { ips, ports } = heldByService(service);
    for (const ip of ips) serviceAllocator.allocateIp(ip);
    for (const port of ports) serviceAllocator.allocatePort(port);
  }
  for (const { metadata } of store.page('networking.k8s.io/ipaddresses', { prefix: '' }).objects)
    serviceAllocator.allocateIp(metadata.name);
}

const seededRandomOf = ({ random }: ServerContext): SeededRandom | undefined =>
  'state' in random ? (random as SeededRandom) : undefined;

const contextOf = (
  server: ServerContext,
  handle: Handler,
  { options, kubelet }: { readonly options: ClusterOptions; readonly kubelet: Kubelet },
): ControllerContext => ({
  server,
  handle,
  kubelet,
  namespaces: typeof options.namespaceController === 'object' ? options.namespaceController : {},
  onError: (error) => process.emitWarning(error as Error),
});

/** Creates a core and resolves once its controllers are idle. */
export async function createApiServer({
  options,
  keys,
  from,
  kubelet,
  log,
  modes = modesOf(options),
}: ApiServerOptions): Promise<ApiServer> {
  const server = await createServerContext({ options, keys, requests: log.totals, ...(from && { state: from.store }) });
  const { store, clock } = server;
  const applied = new Map(from?.applied);
  const handle = createHandler(server);
  const control = createAdminClient(server, { handle, user: administrator, applied });
  const loop = createControllerManager(contextOf(server, handle, { options, kubelet }), modes);
  const random = seededRandomOf(server);
  if (from === undefined) {
    await populate(server, options, modes);
    await loop.settle();
    store.compact();
  } else {
    if (random !== undefined && from.random !== undefined) random.state = from.random;
    allocateExistingAddresses(server);
    if (from.nodes !== undefined) kubelet.take(from.nodes);
    store.notifyExisting(ownersFirst(store));
    await loop.settle();
  }
  return {
    context: server,
    handle,
    control,
    controllers: loop.controllers,
    modes: loop.modes,
    settle: () => loop.settle(),
    async snapshot() {
      const signingKey = (await keys.knownSigner())?.key;
      const nodes = kubelet.kept();
      const state = { store: store.state(), applied: new Map(applied), random: random?.state, signingKey, nodes };
      return snapshotOf(state, clock.now());
    },
    stop: () => loop.stop(),
  };
}
