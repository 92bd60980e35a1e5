/** An in-memory cluster with sequencers that run on command. */

import { createClient } from '../../sdk/client/http/create-client.ts';
import type { ProviderHost, Seal } from '../../sdk/host/index.ts';
import {
  type Client,
  createProviderHost,
  type GuardTimes,
  type Integration,
  type KubeObject,
  keyOf,
  type Result,
  requestFor,
  Workspace,
  type WorkspaceSpec,
} from '../../sdk/index.ts';
import { walk } from '../../sequencer/engine/walk.ts';
import { createManualClock, type ManualClock } from '../cluster/apimachinery/clock/manual-clock.ts';
import { type ApiRequest, type Cluster, createCluster } from '../cluster/index.ts';
import { aSeal } from './a-seal.ts';

/** An event recorded by an actor. */
export interface SeenEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly about: string;
}

/** A sequencer process without its engine: reconciles on command. */
export interface Actor {
  readonly host: ProviderHost;
  readonly events: readonly SeenEvent[];
  /** Reconciles the current workspace once, after that many failed walks. */
  walk(name?: string, failed?: number): Promise<Result>;
  /** Drops everything it sends and receives from now on. */
  die(): void;
}

/** A cluster with the Workspace kind, a manual clock and any number of actors. */
export interface TargetCluster {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly clock: ManualClock;
  actor(
    integrations: readonly Integration[],
    options?: {
      readonly holder?: string;
      readonly times?: Partial<GuardTimes>;
      /** @default aSeal */
      readonly seal?: Seal;
      /** Returns the integrations of each workspace, by the actor's client. @default `integrations` */
      readonly integrationsOf?: (client: Client) => (workspace: Workspace) => readonly Integration[];
    },
  ): Actor;
  /** Creates a workspace, named `shop` by default. */
  create(spec?: WorkspaceSpec, name?: string): Promise<Workspace>;
  read(name?: string): Promise<Workspace>;
  delete(name?: string): Promise<unknown>;
}

/** Returns the body of a request as text. */
export const textOf = ({ body }: ApiRequest): string => Buffer.from(body ?? []).toString();

/** Answers matching requests with that status until cancelled, without executing them. */
export function refusing(
  { cluster }: Pick<TargetCluster, 'cluster'>,
  matches: (request: ApiRequest) => boolean,
  { code, reason, message }: { readonly code: number; readonly reason: string; readonly message: string },
): { count: number; over: boolean } {
  const state = { count: 0, over: false };
  cluster.intercept((request, next) => {
    if (state.over || !matches(request)) return next(request);
    state.count += 1;
    const body = Buffer.from(
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code, message }),
    );
    return Promise.resolve({ status: code, headers: { 'content-type': 'application/json' }, body });
  });
  return state;
}

/** Creates one in memory, within milliseconds. */
export async function aTargetCluster(): Promise<TargetCluster> {
  const clock = createManualClock();
  const cluster = await createCluster({ clock });
  await cluster.apply((await Workspace.crd?.()) as KubeObject);
  await cluster.settle();
  return targetClusterOn(cluster, clock);
}

/** Lets actors run on a cluster with the Workspace kind. */
export function targetClusterOn(cluster: Cluster, clock: ManualClock): TargetCluster {
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher });
  const key = (name: string) => ({ namespace: 'default', name });
  const read = (name = 'shop') => client.get(Workspace, key(name));
  return {
    cluster,
    client,
    clock,
    read,
    create: (spec = {}, name = 'shop') => client.create(Workspace, { metadata: key(name), spec }),
    delete: (name = 'shop') => client.delete(Workspace, key(name)),
    actor: (integrations, { holder = 'one', times, seal = aSeal, integrationsOf } = {}) => {
      const events: SeenEvent[] = [];
      let dead = false;
      cluster.intercept((request, next) =>
        dead && request.headers['user-agent'] === holder ? new Promise(() => {}) : next(request),
      );
      const own = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, userAgent: holder, clock });
      const host = createProviderHost({
        client: own,
        clock,
        holder,
        seal: () => seal,
        ...(times && { times }),
        events: {
          event: (...[about, type, reason, message]) =>
            void events.push({ about: keyOf(about.metadata), type, reason, message }),
        },
      });
      const reconcile = walk({ host, integrations, ...(integrationsOf && { integrationsOf: integrationsOf(own) }) });
      return {
        host,
        events,
        die: () => {
          dead = true;
        },
        walk: async (name = 'shop', failed = 0) => {
          const object = await read(name).catch(() => undefined);
          return reconcile(requestFor(Workspace, object ?? key(name), { attempt: failed }));
        },
      };
    },
  };
}
