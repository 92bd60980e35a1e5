/** Serves a cluster on a port. */

import type { Authenticate } from './authn/authenticate.ts';
import type { Keys } from './authn/keys.ts';
import { maxBytes } from './encoding/request-body.ts';
import type { Identity } from './pki/certificate.ts';
import type { Handler, User } from './requests/message.ts';
import type { ControlActions } from './transport/control-handler.ts';
import type { ServerOptions } from './transport/server.ts';

/** Listening server. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Returns a kubeconfig: with the administrator's token, or with a client certificate for the given user. */
  kubeconfigYaml(user?: Pick<User, 'name' | 'groups'>): string;
  close(): Promise<void>;
}

/** Options of {@link listen}. */
export interface ListenOptions {
  /** Port to listen on. @default a free one */
  readonly port?: number;
  /** Address to listen on. @default 127.0.0.1 */
  readonly host?: string;
  /** Lets administrators control the server by `POST /control/NAME`, as `sequencer control` does. @default false */
  readonly control?: boolean;
  /** Server certificate and key; clients need their own trust in it. @default a certificate of the cluster's own authority, which kubeconfigs name */
  readonly identity?: Identity;
  /** Authorities, in PEM, that client certificates are verified against. @default the cluster's own, which signs those of kubeconfigs */
  readonly clientAuthorities?: string;
}

/** Largest body of a control request, which may hold a snapshot, in bytes. */
const maxControlBodyBytes = 1024 ** 3;

/** Parts of a cluster that are served. */
export interface Listener {
  readonly handle: Handler;
  readonly keys: Keys;
  readonly authenticate: Authenticate;
  /** Bearer token of the administrator. */
  readonly adminToken: string;
  readonly actions: () => Promise<ControlActions>;
}

type RequestHandling = Pick<ServerOptions, 'handle' | 'maxBytesOf'>;

/** Adds the control endpoints to the API, with their own limit on body size. */
async function withControlEndpoints({ handle, actions }: Listener): Promise<RequestHandling> {
  const [{ isControl, withControl }, known] = await Promise.all([import('./transport/control-handler.ts'), actions()]);
  return {
    handle: withControl(handle, known),
    maxBytesOf: (path) => (isControl(path) ? maxControlBodyBytes : maxBytes),
  };
}

/** Serves over HTTPS: HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
export async function listen(
  listener: Listener,
  { port = 0, host = '127.0.0.1', control = false, identity, clientAuthorities }: ListenOptions,
): Promise<Listening> {
  const [{ createServer }, { kubeconfigOf }] = await Promise.all([
    import('./transport/server.ts'),
    import('./transport/kubeconfig.ts'),
  ]);
  const { keys, authenticate, handle } = listener;
  const served: RequestHandling = control
    ? await withControlEndpoints(listener)
    : { handle, maxBytesOf: () => maxBytes };
  const authority = keys.authority();
  const server = await createServer({
    ...served,
    identity: identity ?? authority.issue(['localhost', '127.0.0.1', host, 'kubernetes.default.svc']),
    authority: clientAuthorities ?? authority.certificate,
    authenticate,
    port,
    host,
  });
  const url = `https://${host}:${server.port}`;
  return {
    url,
    port: server.port,
    kubeconfigYaml: (user) => {
      const credentials = user === undefined ? { token: listener.adminToken } : authority.issueFor(user);
      return kubeconfigOf({ url, authority: authority.certificate, ...credentials });
    },
    close: server.close,
  };
}
