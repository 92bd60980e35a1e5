import { createClient } from '../../sdk/client/http-client.ts';
import type { Clock } from '../../sdk/clock.ts';
import { type Client, type KubeObject, Workspace } from '../../sdk/index.ts';
import { type ApiRequest, type ApiResponse, type Cluster, createCluster } from '../cluster/index.ts';
import { workspaceKey } from './replica.ts';

type Next = (request: ApiRequest) => Promise<ApiResponse>;

/** What one life brings into the arena. */
export interface Occupant {
  readonly clock: Clock;
  readonly random: () => number;
  /** What becomes of a request of the process of that name; undefined lets it pass at once. */
  route(name: string, request: ApiRequest, next: Next): Promise<ApiResponse> | undefined;
}

/** One cluster for many lives, one after the other: nothing of one is seen by the next. */
export interface Arena {
  readonly cluster: Cluster;
  /** For users and foreign writers: its requests are carried out at once. */
  readonly foreign: Client;
  clientOf(process: { readonly name: string; readonly clock: Clock }, random: () => number): Client;
  /** The workspace as the server holds it now. */
  workspace(): Workspace | undefined;
  /** Empties the cluster and hands it over. */
  enter(occupant: Occupant): Promise<void>;
}

const still: Clock = {
  now: () => Date.UTC(2026, 0, 1),
  monotonic: () => 0,
  sleep: () => Promise.resolve(),
  after: () => () => {},
};
const nobody: Occupant = { clock: still, random: () => 0.5, route: () => undefined };
const foreigner = 'foreigner';
const kind = { apiVersion: 'se.quencer.io/v1alpha1', kind: 'Workspace' };

async function empty(cluster: Cluster, client: Client): Promise<void> {
  const left = cluster.get(kind, workspaceKey);
  if (left === undefined) return;
  await client.delete(Workspace, workspaceKey);
  if (cluster.get(kind, workspaceKey) !== undefined)
    await client.patch(Workspace, workspaceKey, { type: 'merge', value: { metadata: { finalizers: null } } });
}

/** Starts the cluster and its definitions. */
export async function createArena(): Promise<Arena> {
  let occupant = nobody;
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
  const target = { server: cluster.url, dispatcher: cluster.dispatcher };
  const foreign = createClient({ ...target, userAgent: foreigner, clock: still });
  return {
    cluster,
    foreign,
    clientOf: ({ name, clock: own }, random) => createClient({ ...target, userAgent: name, clock: own, random }),
    workspace: () => cluster.get(kind, workspaceKey) as unknown as Workspace | undefined,
    async enter(next) {
      occupant = nobody;
      await empty(cluster, foreign);
      occupant = next;
    },
  };
}
