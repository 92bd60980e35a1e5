/** Starts the servers to compare. */

import { type Cluster, createCluster } from '../../../cluster/index.ts';
import { startRealServer } from '../../real/server.ts';
import { addressIn } from '../../stories/servers.ts';
import { ask, type Peer, peerAt } from './ask.ts';
import { startHooks } from './hooks.ts';
import type { Family } from './scenario.ts';

/** A running server, and a function that stops it. */
export interface Started {
  readonly peer: Peer;
  close(): Promise<void>;
}

type Needs = Pick<Family, 'before' | 'controllers' | 'rbac' | 'hooks' | 'headers'>;

async function prepare(peer: Peer, { before = [] }: Needs): Promise<void> {
  for (const step of before) await ask(peer, step, { ns: 'default', answers: [] });
}

/** Adds the webhooks that a family needs. */
async function withHooks(started: Started, { hooks = false }: Needs): Promise<Started> {
  if (!hooks) return started;
  const server = await startHooks();
  const close = async (): Promise<void> => {
    await started.close();
    await server.close();
  };
  return { peer: { ...started.peer, hooks: server }, close };
}

/** User of the requests to both servers. */
const administrator = { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** Starts a cluster without nodes, like a lone API server. */
const startCluster = ({ controllers = false, rbac = false }: Needs): Promise<Cluster> =>
  createCluster({
    rbac,
    tokens: { differential: administrator },
    kubelet: false,
    ...(controllers === false && { controllers: { others: 'off' } }),
  });

/** A cluster in memory, without a socket. */
export async function startInProcess(needs: Needs): Promise<Started> {
  const cluster = await startCluster(needs);
  const { headers } = needs;
  const peer = { url: cluster.url, token: '', dispatcher: cluster.dispatcherAs(administrator), headers };
  await prepare(peer, needs);
  return withHooks({ peer, close: () => cluster.close() }, needs);
}

/** An in-memory cluster over HTTPS. */
export async function startOurs(needs: Needs): Promise<Started> {
  const cluster = await startCluster(needs);
  const listening = await cluster.listen();
  const address = { ...addressIn(listening.kubeconfigYaml()), token: 'differential' };
  const peer = { ...peerAt(address), headers: needs.headers };
  await prepare(peer, needs);
  const close = async (): Promise<void> => {
    await peer.dispatcher.destroy();
    await cluster.close();
  };
  return withHooks({ peer, close }, needs);
}

/** The real server; it takes about 5 s to start. */
export async function startTheirs(needs: Needs): Promise<Started> {
  const { controllers = false, rbac = false } = needs;
  const real = await startRealServer({ controllers, rbac });
  const peer = { ...peerAt(real), headers: needs.headers };
  await prepare(peer, needs);
  const close = async (): Promise<void> => {
    await peer.dispatcher.destroy();
    await real.close();
  };
  return withHooks({ peer, close }, needs);
}
