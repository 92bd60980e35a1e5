/** Servers for tests in virtual time. */

import test from 'ava';
import type { Kind } from '../../../sdk/api/kind.ts';
import type { ObjectKey } from '../../../sdk/api/object.ts';
import type { Client } from '../../../sdk/client/client.ts';
import { ensureCrds } from '../../../sdk/client/crds/ensure-crds.ts';
import { createClient } from '../../../sdk/client/http/create-client.ts';
import { type Cluster, createCluster, createManualClock, type ManualClock } from '../../cluster/index.ts';
import { until } from '../../system/real/until.ts';
import { aNamespace, isReal, theRealServer } from './a-server.ts';
import { createRelay } from './relay.ts';

/** A Kubernetes API with clients in virtual time and a namespace for one test. */
export interface ServerInVirtualTime {
  /** Advances when all requests are answered and all watches have delivered what was written. */
  readonly clock: ManualClock;
  /** Address, dispatcher, interceptors and audit of every request. */
  readonly cluster: Pick<Cluster, 'url' | 'dispatcher' | 'intercept' | 'audit'>;
  readonly client: Client;
  readonly namespace: string;
  /** Returns the key of an object in that namespace. */
  key(name: string): ObjectKey;
  /** Compacts all history up to now: older watches have to list again. */
  forget(): Promise<void>;
}

export interface VirtualTimeOptions {
  /** Further kinds. @default [] */
  readonly kinds?: readonly Kind[];
  readonly random?: () => number;
}

const closing: (() => Promise<void>)[] = [];

test.after.always('relays close', async () => {
  await Promise.all(closing.map((close) => close()));
});

type Backing = Pick<ServerInVirtualTime, 'clock' | 'namespace' | 'forget'> & { readonly cluster: Cluster };

const clusterOn = (clock: ManualClock): Promise<Cluster> =>
  createCluster({ clock, kubelet: false, namespaceController: false, garbageCollector: false });

async function inMemory(kinds: readonly Kind[]): Promise<Backing> {
  const clock = createManualClock();
  const cluster = await clusterOn(clock);
  for (const kind of kinds) await cluster.apply((await kind.crd!()) as never);
  if (kinds.length > 0) await clock.advance(100);
  return { clock, cluster, namespace: 'default', forget: async () => cluster.compact() };
}

/** The in-memory cluster lets interceptors and the audit see requests; the real server answers them. */
async function onRealServer(kinds: readonly Kind[]): Promise<Backing> {
  const subject = await theRealServer();
  await ensureCrds(subject.client, kinds);
  const namespace = await aNamespace(subject);
  const { server } = subject;
  const relay = createRelay(server);
  closing.push(relay.close);
  const clock = createManualClock(undefined, relay.quiet);
  const cluster = await clusterOn(clock);
  cluster.intercept(relay.interceptor);
  const forget = async (): Promise<void> => {
    await server.kill();
    await server.compact();
    await server.restart();
    const message = (error: unknown) => `does not serve ${kinds.map(({ kind }) => kind)} again: ${error}`;
    // The server is ready before its custom resources are.
    await until(async () => ensureCrds(subject.client, kinds), { message });
  };
  return { clock, cluster, namespace, forget };
}

/** In memory; under `test/system/real/ava.config.mjs` a new namespace on the real server, there too in virtual time. */
export async function aServerInVirtualTime({
  kinds = [],
  random = () => 0,
}: VirtualTimeOptions = {}): Promise<ServerInVirtualTime> {
  const { cluster, ...world } = await (isReal ? onRealServer : inMemory)(kinds);
  const { clock, namespace } = world;
  const client = createClient({ server: cluster.url, dispatcher: cluster.dispatcher, clock, random });
  return { ...world, cluster, client, key: (name) => ({ namespace, name }) };
}
