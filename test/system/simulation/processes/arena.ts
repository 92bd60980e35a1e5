/** Runs one simulated cluster for many lives in turn. */

import { createClient } from '../../../../sdk/client/http/create-client.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import { type Client, type KubeObject, type ObjectKey, Secret, Workspace } from '../../../../sdk/index.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Cluster,
  createCluster,
  type Snapshot,
} from '../../../cluster/index.ts';
import { workspaceKeys } from './replica.ts';

type Next = (request: ApiRequest) => Promise<ApiResponse>;

/** Routes and identity of one life inside the arena. */
export interface Occupant {
  readonly clock: Clock;
  readonly random: () => number;
  /** Routes a request of the named process; undefined lets it pass at once. */
  route(name: string, request: ApiRequest, next: Next): Promise<ApiResponse> | undefined;
}

/** One cluster for many lives, one after the other; state does not leak from one life into the next. */
export interface Arena {
  readonly cluster: Cluster;
  /** Client of users and foreign writers: its requests are carried out at once. */
  readonly foreign: Client;
  clientOf(process: { readonly name: string; readonly clock: Clock }, random: () => number): Client;
  /** Returns the workspace as the server holds it now. */
  workspace(key: ObjectKey): Workspace | undefined;
  /** Returns all workspaces; the same array as long as none has changed. */
  workspaces(): readonly Workspace[];
  /** Keeps all that the server stores, as a backup of etcd does. */
  backUp(): Promise<void>;
  /** Restores the last backup and drops everything written since; does nothing without a backup. */
  restore(): Promise<void>;
  /** Empties the cluster and assigns it to the occupant. */
  enter(occupant: Occupant): Promise<void>;
}

const still: Clock = {
  now: () => Date.UTC(2026, 0, 1),
  monotonic: () => 0,
  sleep: () => Promise.resolve(),
  after: () => () => {},
};
const vacant: Occupant = { clock: still, random: () => 0.5, route: () => undefined };
const foreigner = 'foreigner';
const kind = { apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace' };

async function empty(cluster: Cluster, client: Client): Promise<void> {
  for (const key of workspaceKeys) {
    if (cluster.get(kind, key) === undefined) continue;
    await client.delete(Workspace, key);
    if (cluster.get(kind, key) !== undefined)
      await client.patch(Workspace, key, { type: 'merge', value: { metadata: { finalizers: null } } });
  }
  const { items } = await client.list(Secret);
  for (const { metadata } of items) await client.delete(Secret, metadata as ObjectKey);
}

/** Starts the cluster and installs its definitions. */
export async function createArena(): Promise<Arena> {
  let occupant = vacant;
  const clock: Clock = {
    now: () => occupant.clock.now(),
    monotonic: () => occupant.clock.monotonic(),
    sleep: (...args) => occupant.clock.sleep(...args),
    after: (...args) => occupant.clock.after(...args),
  };
  const off = { kubelet: false, garbageCollector: false, namespaceController: false };
  const cluster = await createCluster({ clock, random: () => occupant.random(), ...off });
  await cluster.apply((await Workspace.crd?.()) as KubeObject);
  await cluster.settle();
  cluster.intercept((request, next) => {
    const name = request.headers['user-agent'] ?? '';
    return (name === foreigner ? undefined : occupant.route(name, request, next)) ?? next(request);
  });
  for (const name of new Set(workspaceKeys.map(({ namespace }) => namespace)))
    if (name !== 'default')
      await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as KubeObject);
  let seen: readonly Workspace[] = [];
  let backup: Snapshot | undefined;
  const workspace = (key: ObjectKey) => cluster.get(kind, key) as unknown as Workspace | undefined;
  const target = { server: cluster.url, dispatcher: cluster.dispatcher };
  const foreign = createClient({ ...target, userAgent: foreigner, clock: still });
  return {
    cluster,
    foreign,
    clientOf: ({ name, clock: own }, random) => createClient({ ...target, userAgent: name, clock: own, random }),
    workspace,
    workspaces() {
      const now = workspaceKeys.map(workspace).filter((one) => one !== undefined);
      if (now.length !== seen.length || now.some((one, index) => one !== seen[index])) seen = now;
      return seen;
    },
    async backUp() {
      backup = await cluster.snapshot();
    },
    async restore() {
      if (backup !== undefined) await cluster.restore(backup);
    },
    async enter(next) {
      occupant = vacant;
      backup = undefined;
      await empty(cluster, foreign);
      occupant = next;
    },
  };
}
