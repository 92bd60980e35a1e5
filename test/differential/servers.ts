import { createCluster } from '../cluster/index.ts';
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

/** A cluster in memory without nodes, as an API server is, behind HTTPS. */
export async function startOurs({ controllers = false, rbac = false }: Needs): Promise<Started> {
  const cluster = await createCluster({
    rbac,
    tokens: { differential: { name: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] } },
    kubelet: false,
    ...(!controllers && { controllers: { others: 'off' } }),
  });
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
