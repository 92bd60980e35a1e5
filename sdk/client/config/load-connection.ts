/** Connection from a kubeconfig, the environment or the pod. */

import { access, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { type Clock, systemClock } from '../../clock.ts';
import { UserError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import type { Connection } from './connection.ts';
import { inClusterConnection, serviceAccountFolder } from './in-cluster.ts';
import { type Kubeconfig, mergeKubeconfigs, parseKubeconfig, selectContext } from './kubeconfig.ts';
import { kubeconfigCredentials } from './kubeconfig-credentials.ts';
import { type Environment, environmentProxy, withCheckedProxy } from './proxy.ts';

/** Options of {@link loadConnection}. */
export interface ConnectionSource {
  /**
   * Kubeconfig file, or its text. @default the files in `env.KUBECONFIG`, else `~/.kube/config`, else the cluster of the pod that this process runs in.
   */
  readonly kubeconfig?: string | { readonly yaml: string };
  /** @default the kubeconfig's current context */
  readonly context?: string;
  /** `true`: in-cluster configuration only; kubeconfigs are ignored. */
  readonly inCluster?: boolean;
  /** Environment of the process: KUBECONFIG, HOME, KUBERNETES_SERVICE_HOST and _PORT, HTTPS_PROXY, NO_PROXY. @default empty */
  readonly env?: Environment;
  /** Folder of the pod's service account. @default /var/run/secrets/kubernetes.io/serviceaccount */
  readonly serviceAccount?: string;
  readonly clock?: Clock;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function readKubeconfig(file: string): Promise<Kubeconfig> {
  const source = resolve(file);
  let text: string;
  try {
    text = await readFile(source, 'utf8');
  } catch (cause) {
    const problem = isMissing(cause) ? 'there is no such file' : messageOf(cause);
    throw new UserError('E#1001', `kubeconfig ${source}: ${problem}`, {
      hint: 'name one that is there by --kubeconfig FILE or KUBECONFIG',
      cause,
    });
  }
  return parseKubeconfig(text, { source, folder: dirname(source) });
}

/** Reads the files of KUBECONFIG that exist and skips the others, as kubectl does. @throws UserError E#1001 when none exists */
async function readKubeconfigList(list: string): Promise<Kubeconfig> {
  const files = list.split(delimiter).filter((file) => file !== '');
  const outcomes = await Promise.allSettled(files.map(readKubeconfig));
  const found: Kubeconfig[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') found.push(outcome.value);
    else if (!isMissing((outcome.reason as Error).cause)) throw outcome.reason;
  }
  if (found.length === 0)
    throw new UserError('E#1001', `KUBECONFIG names no file that exists: ${files.join(', ')}`, {
      hint: 'unset it for ~/.kube/config, or name one that is there',
    });
  return mergeKubeconfigs(found);
}

async function findKubeconfig({ kubeconfig, env = {} }: ConnectionSource): Promise<Kubeconfig | undefined> {
  if (typeof kubeconfig === 'object')
    return parseKubeconfig(kubeconfig.yaml, { source: 'given as text', folder: resolve('.') });
  if (kubeconfig !== undefined) return readKubeconfig(kubeconfig);
  if (env.KUBECONFIG) return readKubeconfigList(env.KUBECONFIG);
  const defaultFile = join(env.HOME || homedir(), '.kube', 'config');
  const exists = await access(defaultFile).then(
    () => true,
    () => false,
  );
  return exists ? readKubeconfig(defaultFile) : undefined;
}

/** Finds the API server and the credentials for it; makes no connection. @throws UserError E#1001 to E#1009 */
export async function loadConnection(options: ConnectionSource = {}): Promise<Connection> {
  const { env = {}, clock = systemClock, inCluster = false, serviceAccount: folder = serviceAccountFolder } = options;
  const config = inCluster ? undefined : await findKubeconfig(options);
  if (config === undefined) {
    if (!inCluster && !env.KUBERNETES_SERVICE_HOST)
      throw new UserError('E#1005', 'no cluster is configured: there is no kubeconfig, and this is not a pod', {
        hint: 'give a kubeconfig, set KUBECONFIG, or write ~/.kube/config',
      });
    const pod = await inClusterConnection({ env, folder, clock });
    return withCheckedProxy({ ...pod, proxy: environmentProxy(pod.server, env) });
  }
  const selected = selectContext(config, options.context);
  const { server, 'proxy-url': proxyUrl } = selected.cluster;
  const proxy = proxyUrl || environmentProxy(server, env);
  const credentials = await kubeconfigCredentials(selected, clock);
  return withCheckedProxy({ server, proxy, namespace: selected.namespace, credentials });
}
