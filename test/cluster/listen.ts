import type { Authenticate } from './auth/authenticate.ts';
import type { Keys } from './auth/keys.ts';
import { mostBytes } from './http/body.ts';
import type { Identity } from './http/certificate.ts';
import type { ControlActions } from './http/control.ts';
import type { Handler, User } from './http/message.ts';
import type { ServerOptions } from './http/server.ts';

/** Where a listening cluster is found. */
export interface Listening {
  readonly url: string;
  readonly port: number;
  /** A kubeconfig: with a token for the administrator, or with a certificate for the user given. */
  kubeconfigYaml(user?: Pick<User, 'name' | 'groups'>): string;
  close(): Promise<void>;
}

/** How to listen. */
export interface ListenOptions {
  /** @default a free one */
  readonly port?: number;
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** Whether administrators may control the server itself by `POST /control/NAME`, as `sequencer control` does. @default false */
  readonly control?: boolean;
  /** What it shows to clients, who must know by themselves whom to trust. @default a certificate of the cluster's own authority, which kubeconfigs name */
  readonly identity?: Identity;
  /** Authorities, in PEM, whose client certificates count. @default the cluster's own, which signs those of kubeconfigs */
  readonly clientAuthorities?: string;
}

/** How large a snapshot may be that is sent. */
const mostBytesOfSnapshots = 1024 ** 3;

/** What listens. */
export interface Listener {
  readonly handle: Handler;
  readonly keys: Keys;
  readonly authenticate: Authenticate;
  /** The administrator's. */
  readonly adminToken: string;
  readonly actions: () => Promise<ControlActions>;
}

type Served = Pick<ServerOptions, 'handle' | 'mostBytesOf'>;

/** What is served besides the API to those who control the server, and how much they may send. */
async function controlled({ handle, actions }: Listener): Promise<Served> {
  const [{ isControl, withControl }, known] = await Promise.all([import('./http/control.ts'), actions()]);
  return {
    handle: withControl(handle, known),
    mostBytesOf: (path) => (isControl(path) ? mostBytesOfSnapshots : mostBytes),
  };
}

/** Serves over HTTPS: HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
export async function listen(
  listener: Listener,
  { port = 0, host = '127.0.0.1', control = false, identity, clientAuthorities }: ListenOptions,
): Promise<Listening> {
  const [{ createServer }, { kubeconfigOf }] = await Promise.all([
    import('./http/server.ts'),
    import('./http/kubeconfig.ts'),
  ]);
  const { keys, authenticate, handle } = listener;
  const served: Served = control ? await controlled(listener) : { handle, mostBytesOf: () => mostBytes };
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
