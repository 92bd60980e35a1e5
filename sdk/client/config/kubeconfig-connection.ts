/** Connection from a kubeconfig as data. */

import { resolve } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Connection, KubeconfigData } from './connection.ts';
import { kubeconfigOf, selectContext } from './kubeconfig.ts';
import { withCheckedProxy } from './proxy.ts';

/**
 * Returns the connection of the current context of a kubeconfig given as data. Relative file names are those of the working folder.
 * Files are read, and @kubernetes/client-node is loaded for plug-ins, with the first request. A proxy is the cluster's `proxy-url`; the environment is
 * ignored.
 * @throws UserError E#1002 for an invalid kubeconfig, E#1003 without a current context, E#1004 for its cluster or user, E#1009 for its proxy. `credentials` throws
 * E#1006 and E#1007
 */
export function kubeconfigConnection(data: KubeconfigData, clock: Clock): Connection {
  const selected = selectContext(kubeconfigOf(data, { source: 'given as an object', folder: resolve('.') }), undefined);
  const { namespace, cluster } = selected;
  let loaded: Promise<Connection['credentials']> | undefined;
  const load = async (): Promise<Connection['credentials']> => {
    try {
      const { kubeconfigCredentials } = await import('./kubeconfig-credentials.ts');
      return await kubeconfigCredentials(selected, clock);
    } catch (error) {
      loaded = undefined;
      throw error;
    }
  };
  return withCheckedProxy({
    server: cluster.server,
    proxy: cluster['proxy-url'] || undefined,
    namespace,
    async credentials(options) {
      loaded ??= load();
      return (await loaded)(options);
    },
  });
}
