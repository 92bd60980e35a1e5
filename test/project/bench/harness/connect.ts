/** Connects to the server that a kubeconfig names. */

import { type Client, createClient, loadConnection } from '../../../../sdk/index.ts';

/** Returns a client of the server that a kubeconfig names. */
export const clientOf = async (kubeconfigYaml: string): Promise<Client> =>
  createClient({ connection: await loadConnection({ kubeconfig: { yaml: kubeconfigYaml } }) });

/** Address and credentials for a program without the SDK. */
export interface Access {
  readonly server: string;
  readonly authorization: string;
  readonly ca: string;
}

/** Returns {@link Access} to the server that a kubeconfig names. */
export async function accessOf(kubeconfigYaml: string): Promise<Access> {
  const { server, credentials } = await loadConnection({ kubeconfig: { yaml: kubeconfigYaml } });
  const { headers, tls } = await credentials({ renew: false, signal: AbortSignal.timeout(10_000) });
  return { server, authorization: String(headers.authorization ?? ''), ca: String(tls.ca ?? '') };
}
