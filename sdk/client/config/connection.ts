/** Address and credentials of an API server. */

import type { ConnectionOptions } from 'node:tls';
import type { ClusterEntry, ContextEntry, UserEntry } from './kubeconfig.ts';

/** TLS options of a connection to the server. */
export type TlsOptions = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;

/** Credentials of one request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** TLS options; a change of a member replaces the connections. */
  readonly tls: TlsOptions;
}

/** Address of an API server and the credentials for it. */
export interface Connection {
  /** URL of the server; its path, if any, prefixes the path of each request. */
  readonly server: string;
  /** URL of the proxy to connect through. */
  readonly proxy?: string | undefined;
  /** Namespace of the kubeconfig's context, or of the pod. */
  readonly namespace?: string | undefined;
  /** Returns the current credentials. `renew`: the server rejected the last ones (401), so cached ones must not be used. @throws UserError */
  credentials(options: { readonly renew: boolean; readonly signal: AbortSignal }): Credentials | Promise<Credentials>;
}

/** A kubeconfig as data: the content of a file as kubectl writes it, parsed from YAML or JSON. */
export interface KubeconfigData {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly preferences?: object;
  readonly 'current-context'?: string;
  readonly contexts?: readonly { readonly name: string; readonly context: ContextEntry }[];
  readonly clusters?: readonly { readonly name: string; readonly cluster: ClusterEntry }[];
  readonly users?: readonly { readonly name: string; readonly user: UserEntry }[];
}
