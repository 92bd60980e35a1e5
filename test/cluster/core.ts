/** Core of a cluster: API machinery and controllers, replaced as a whole by a restore. */

import type { AuditLog } from './audit/audit.ts';
import { type Control, createControl } from './control.ts';
import type { CatalogContext } from './controllers/catalog.ts';
import type { Kubelet } from './controllers/kubelet/kubelet.ts';
import { type Modes, modesOf } from './controllers/modes.ts';
import { type Controllers, createSwitchboard } from './controllers/switchboard.ts';
import { createHandler } from './http/handler.ts';
import type { Handler } from './http/message.ts';
import type { Machinery } from './machinery.ts';
import type { ApiObject } from './objects/object.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type SnapshotState, snapshotOf, type TakenSnapshot } from './snapshot.ts';
import { administrator, type Beginning, type ClusterOptions, createMachinery, populate } from './start.ts';
import type { Store } from './store.ts';
import { heldByService } from './strategies/service.ts';

/** Machinery, handler and controllers of a cluster. */
export interface Core {
  readonly machinery: Machinery;
  readonly handle: Handler;
  readonly control: Control;
  readonly controllers: Controllers;
  /** Current modes of the controllers. */
  modes(): Modes;
  /** Resolves when every controller is idle. */
  settle(): Promise<void>;
  snapshot(): Promise<TakenSnapshot>;
  /** Stops the controllers. */
  stop(): void;
}

/** Options of {@link createCore}. */
export type CoreOptions = Omit<Beginning, 'state' | 'requests'> & {
  readonly kubelet: Kubelet;
  readonly log: AuditLog;
  /** Modes of the controllers. @default the modes in the options */
  readonly modes?: Modes;
  /** State to start from. @default an empty cluster with its initial namespaces */
  readonly from?: SnapshotState;
};

interface Found {
  readonly collection: string;
  readonly key: string;
  readonly object: ApiObject;
}

const first = 'apiextensions.k8s.io/customresourcedefinitions';

/** Lists all objects of a store: definitions first, then owners before their dependents, so that garbage collection sees no orphans. */
function inOrderOfOwnership(store: Store): readonly Found[] {
  const { collections } = store.state();
  const names = [...collections.keys()].sort((a, b) => Number(b === first) - Number(a === first));
  const all = names.flatMap((collection): Found[] =>
    collections
      .get(collection)!
      .keys.all()
      .map((key) => ({ collection, key, object: store.get(collection, key)! })),
  );
  const byUid = new Map(all.map((found) => [found.object.metadata.uid, found]));
  const ordered = new Set<Found>();
  const visiting = new Set<Found>();
  const visit = (found: Found): void => {
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
function takeAddresses({ store, addresses }: Machinery): void {
  for (const service of store.page('/services', { prefix: '' }).objects) {
    const { ips, ports } = heldByService(service);
    for (const ip of ips) addresses.takeIp(ip);
    for (const port of ports) addresses.takePort(port);
  }
  for (const { metadata } of store.page('networking.k8s.io/ipaddresses', { prefix: '' }).objects)
    addresses.takeIp(metadata.name);
}

const seededOf = ({ random }: Machinery): SeededRandom | undefined =>
  'state' in random ? (random as SeededRandom) : undefined;

const contextOf = (
  machinery: Machinery,
  handle: Handler,
  { options, kubelet }: { readonly options: ClusterOptions; readonly kubelet: Kubelet },
): CatalogContext => ({
  machinery,
  handle,
  kubelet,
  namespaces: typeof options.namespaceController === 'object' ? options.namespaceController : {},
  onError: (error) => process.emitWarning(error as Error),
});

/** Creates a core and resolves once its controllers are idle. */
export async function createCore({
  options,
  keys,
  from,
  kubelet,
  log,
  modes = modesOf(options),
}: CoreOptions): Promise<Core> {
  const machinery = await createMachinery({ options, keys, requests: log.totals, ...(from && { state: from.store }) });
  const { store, clock } = machinery;
  const applied = new Map(from?.applied);
  const handle = createHandler(machinery);
  const control = createControl(machinery, { handle, user: administrator, applied });
  const loop = createSwitchboard(contextOf(machinery, handle, { options, kubelet }), modes);
  const random = seededOf(machinery);
  if (from === undefined) {
    await populate(machinery, options, modes);
    await loop.settle();
    store.compact();
  } else {
    if (random !== undefined && from.random !== undefined) random.state = from.random;
    takeAddresses(machinery);
    if (from.nodes !== undefined) kubelet.take(from.nodes);
    store.announce(inOrderOfOwnership(store));
    await loop.settle();
  }
  return {
    machinery,
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
