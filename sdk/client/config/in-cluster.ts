/** Connection of a pod to its API server. */

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { UserError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import type { Connection } from './connection.ts';
import { type CredentialFile, createCredentialFile } from './credential-file.ts';
import type { Environment } from './proxy.ts';

/** Environment and service account folder of a pod. */
export interface PodOptions {
  readonly env: Environment;
  /** Folder of `token`, `ca.crt` and `namespace`. */
  readonly folder: string;
  readonly clock: Clock;
}

/** Folder at which service accounts are mounted. */
export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Reports whether this process runs in a pod: the API server's address is in its environment and a service account is mounted. */
export const isPod = async (env: Environment, folder = serviceAccountFolder): Promise<boolean> =>
  Boolean(env.KUBERNETES_SERVICE_HOST) &&
  access(join(folder, 'token')).then(
    () => true,
    () => false,
  );

/**
 * Returns a connection to the pod's API server with its service account; token and CA are reread while in use, since both are rotated. @throws
 * UserError E#1008
 */
export async function inClusterConnection({ env, folder, clock }: PodOptions): Promise<Connection> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (!host)
    throw new UserError('E#1008', 'not in a cluster: KUBERNETES_SERVICE_HOST is not set', {
      hint: 'outside of a cluster, give a kubeconfig',
    });
  const [token, ca, namespace] = ['token', 'ca.crt', 'namespace'].map((file) =>
    createCredentialFile(join(folder, file), 'the service account', clock),
  ) as [CredentialFile, CredentialFile, CredentialFile];
  const unforced = { renew: false };
  await Promise.all([token.read(unforced), ca.read(unforced)]).catch((cause) => {
    throw new UserError('E#1008', `in a cluster, but without a service account: ${messageOf(cause)}`, {
      cause,
      hint: 'set automountServiceAccountToken: true for its pod',
    });
  });
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace: await namespace.read(unforced).catch(() => undefined),
    credentials: async ({ renew }) => {
      const [bearerToken, authority] = await Promise.all([token.read({ renew }), ca.read({ renew })]);
      return { headers: { authorization: `Bearer ${bearerToken.trim()}` }, tls: { ca: authority } };
    },
  };
}
