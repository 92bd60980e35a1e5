import { type Cluster, createCluster } from '../cluster/index.ts';
import { startRealServer } from '../real/server.ts';
import { addressIn } from '../stories/servers.ts';
import { type Peer, peerAt } from './ask.ts';
import type { Family } from './scenario.ts';

/** A server that is asked, and how to stop it. */
export interface Started {
  readonly peer: Peer;
  close(): Promise<void>;
}

type Needs = Pick<Family, 'controllers' | 'rbac'>;

/** As whom both are asked. */
const administrator = { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** Without nodes, as an API server is. */
const startCluster = ({ controllers = false, rbac = false }: Needs): Promise<Cluster> =>
  createCluster({
    rbac,
    tokens: { differential: administrator },
    kubelet: false,
    ...(!controllers && { controllers: { others: 'off' } }),
  });

/** A cluster in memory, without a socket. */
export async function startInProcess(needs: Needs): Promise<Started> {
  const cluster = await startCluster(needs);
  return {
    peer: { url: cluster.url, token: '', dispatcher: cluster.dispatcherAs(administrator) },
    close: () => cluster.close(),
  };
}

/** A cluster in memory behind HTTPS. */
export async function startOurs(needs: Needs): Promise<Started> {
  const cluster = await startCluster(needs);
  const listening = await cluster.listen();
  const peer = peerAt({ ...addressIn(listening.kubeconfigYaml()), token: 'differential' });
  const close = async (): Promise<void> => {
    await peer.dispatcher.destroy();
    await cluster.close();
  };
  return { peer, close };
}

/** The real server; takes about 5 s. */
export async function startTheirs({ controllers = false, rbac = false }: Needs): Promise<Started> {
  const real = await startRealServer({ controllers, rbac });
  const peer = peerAt(real);
  const close = async (): Promise<void> => {
    await peer.dispatcher.destroy();
    await real.close();
  };
  return { peer, close };
}
