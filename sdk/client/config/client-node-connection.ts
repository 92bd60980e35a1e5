/** Connection from a KubeConfig of @kubernetes/client-node. */

import type { KubeConfig } from '@kubernetes/client-node';
import { UserError } from '../../errors.ts';
import { messageOf } from '../../thrown.ts';
import type { Connection, Credentials, TlsOptions } from './connection.ts';
import { withCheckedProxy } from './proxy.ts';

/** Members of a `KubeConfig` of @kubernetes/client-node that a connection uses; the caller has loaded it. Structural, so that any copy of the library fits. */
export type ClientNodeKubeConfig = Pick<
  KubeConfig,
  'getCurrentContext' | 'getContextObject' | 'getCurrentCluster' | 'applyToHTTPSOptions'
>;

/** Request options that client-node fills in. */
interface ClientNodeRequestOptions {
  headers?: Readonly<Record<string, string | string[]>>;
  /** `user:password`. */
  auth?: string;
  ca?: TlsOptions['ca'];
  cert?: TlsOptions['cert'];
  key?: TlsOptions['key'];
  servername?: string;
  rejectUnauthorized?: boolean;
}

/** Converts buffers to strings, so that equal TLS options compare equal and keep their connections. */
const textOf = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString() : value);

/** Returns the TLS options that are set. */
function tlsIn({ ca, cert, key, servername, rejectUnauthorized }: ClientNodeRequestOptions): TlsOptions {
  const members = Object.entries({ ca, cert, key, servername, rejectUnauthorized });
  return Object.fromEntries(
    members.flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)]])),
  ) as TlsOptions;
}

function headersIn({ headers = {}, auth }: ClientNodeRequestOptions): Credentials['headers'] {
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const basic = auth !== undefined && { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
  return { ...basic, ...Object.fromEntries(lowerCase) };
}

/**
 * Returns the connection of a `KubeConfig` of @kubernetes/client-node: the cluster and user of its current context, with credentials that its
 * authenticators (tokens, exec plug-ins, OIDC) provide for each request and cache themselves. client-node itself is not loaded here.
 * A proxy is the cluster's `proxyUrl`; the environment is not read.
 * @throws UserError E#1003 without a current context, E#1004 when that has no cluster, E#1009 for its proxy. `credentials` throws E#1006 and E#1007
 */
export function clientNodeConnection(kubeConfig: ClientNodeKubeConfig): Connection {
  const context = kubeConfig.getCurrentContext();
  if (!context)
    throw new UserError('E#1003', 'the KubeConfig given has no current context', {
      hint: 'call its setCurrentContext(NAME) first',
    });
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster?.server)
    throw new UserError('E#1004', `the KubeConfig given has no cluster for its context ${context}`, {
      hint: 'add a cluster with a server under the name that the context gives',
    });
  const { server, caData, caFile, skipTLSVerify, tlsServerName, proxyUrl } = cluster;
  const entry = {
    ...(caData && { 'certificate-authority-data': caData }),
    ...(caFile && { 'certificate-authority': caFile }),
    ...(tlsServerName && { 'tls-server-name': tlsServerName }),
    'insecure-skip-tls-verify': skipTLSVerify,
  };
  let clusterTls: TlsOptions | undefined;
  return withCheckedProxy({
    server,
    ...(proxyUrl && { proxy: proxyUrl }),
    namespace: kubeConfig.getContextObject(context)?.namespace,
    async credentials() {
      clusterTls ??= await (await import('./kubeconfig-credentials.ts')).tlsOf(entry, {});
      const requestOptions: ClientNodeRequestOptions = {};
      try {
        await kubeConfig.applyToHTTPSOptions(requestOptions as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
      } catch (cause) {
        throw new UserError('E#1007', `the KubeConfig given failed to provide credentials: ${messageOf(cause)}`, {
          cause,
          hint: 'try `kubectl get --raw /version` with the same kubeconfig',
        });
      }
      return { headers: headersIn(requestOptions), tls: { ...clusterTls, ...tlsIn(requestOptions) } };
    },
  });
}
