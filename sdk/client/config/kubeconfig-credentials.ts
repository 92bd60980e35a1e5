/** TLS options and credentials of a kubeconfig's user. */

import type { Clock } from '../../clock.ts';
import type { Connection, Credentials, TlsOptions } from './connection.ts';
import { createCredentialFile, pemOf } from './credential-file.ts';
import type { ClusterEntry, SelectedContext, UserEntry } from './kubeconfig.ts';

/** Drops unset members, so that Node's defaults apply. */
const withoutUnset = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== '')) as T;

/** Returns the TLS options of a cluster and user; reads the files that they name. @throws UserError E#1006 */
export async function tlsOf(cluster: ClusterEntry, user: UserEntry): Promise<TlsOptions> {
  const [ca, cert, key] = await Promise.all([
    pemOf(cluster, 'certificate-authority'),
    pemOf(user, 'client-certificate'),
    pemOf(user, 'client-key'),
  ]);
  const rejectUnauthorized = cluster['insecure-skip-tls-verify'] ? false : undefined;
  return withoutUnset({ ca, cert, key, servername: cluster['tls-server-name'], rejectUnauthorized });
}

/** Returns the impersonation headers of a user. */
export const impersonationOf = (user: UserEntry): Credentials['headers'] =>
  withoutUnset({
    'impersonate-user': user.as ?? '',
    'impersonate-uid': user['as-uid'] ?? '',
    ...(user['as-groups'] && { 'impersonate-group': [...user['as-groups']] }),
    ...Object.fromEntries(
      Object.entries(user['as-user-extra'] ?? {}).map(([name, values]) => [
        `impersonate-extra-${encodeURIComponent(name).toLowerCase()}`,
        [...values],
      ]),
    ),
  });

const basicAuthorization = ({ username, password = '' }: UserEntry): string | undefined =>
  username && `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const needsPlugin = (user: UserEntry): boolean => user.exec !== undefined || user['auth-provider'] !== undefined;

/**
 * Returns the credentials of a kubeconfig's user. Loads @kubernetes/client-node only for plug-ins (exec, OIDC and other providers). @throws UserError
 * E#1006, E#1007
 */
export async function kubeconfigCredentials(
  selected: SelectedContext,
  clock: Clock,
): Promise<Connection['credentials']> {
  const { cluster, user } = selected;
  const tls = await tlsOf(cluster, user);
  const impersonation = impersonationOf(user);
  if (needsPlugin(user)) {
    const { pluginCredentials } = await import('./plugin-credentials.ts');
    return pluginCredentials({ selected, tls, headers: impersonation, clock });
  }
  const { tokenFile } = user;
  if (tokenFile) {
    const file = createCredentialFile(tokenFile, 'tokenFile of the kubeconfig', clock);
    return async (options) => ({
      headers: { ...impersonation, authorization: `Bearer ${(await file.read(options)).trim()}` },
      tls,
    });
  }
  const authorization = user.token ? `Bearer ${user.token}` : basicAuthorization(user);
  const credentials = { headers: { ...impersonation, ...(authorization && { authorization }) }, tls };
  return () => credentials;
}
