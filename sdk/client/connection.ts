import type { ConnectionOptions } from 'node:tls';

/** What a TLS connection to the server is made with. */
export type TlsOptions = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;

/** Who we are, for one request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** When a member changes, new connections are made. */
  readonly tls: TlsOptions;
}

/** How to reach one API server. */
export interface Connection {
  /** Its URL, maybe with a path that every request begins with. */
  readonly server: string;
  /** The URL of a proxy in front of it. */
  readonly proxy?: string | undefined;
  /** The namespace of the kubeconfig's context, or that of the pod. */
  readonly namespace?: string | undefined;
  /** `renew`: the server did not accept the last ones (401): nothing remembered may be used. @throws UserError */
  credentials(options: { readonly renew: boolean; readonly signal: AbortSignal }): Credentials | Promise<Credentials>;
}
