import type { Authenticate } from './auth/authenticate.ts';
import type { Keys } from './auth/keys.ts';
import { mostBytes } from './http/body.ts';
import type { ControlActions } from './http/control.ts';
import type { Handler, User } from './http/message.ts';
import { administrator } from './start.ts';

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
}

/** How large a snapshot may be that is sent. */
const mostBytesOfSnapshots = 1024 ** 3;

/** What listens. */
export interface Listener {
  readonly handle: Handler;
  readonly keys: Keys;
  readonly authenticate: Authenticate;
  readonly actions: () => Promise<ControlActions>;
}

/** Serves over HTTPS: HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
export async function listen(
  { handle, keys, authenticate, actions }: Listener,
  { port = 0, host = '127.0.0.1', control = false }: ListenOptions,
): Promise<Listening> {
  const [{ createServer }, { kubeconfigOf }, { isControl, withControl }] = await Promise.all([
    import('./http/server.ts'),
    import('./http/kubeconfig.ts'),
    import('./http/control.ts'),
  ]);
  const authority = keys.authority();
  const server = await createServer({
    handle: control ? withControl(handle, await actions()) : handle,
    identity: authority.issue(['localhost', '127.0.0.1', host, 'kubernetes.default.svc']),
    authority: authority.certificate,
    authenticate,
    mostBytesOf: (path) => (control && isControl(path) ? mostBytesOfSnapshots : mostBytes),
    port,
    host,
  });
  const url = `https://${host}:${server.port}`;
  return {
    url,
    port: server.port,
    kubeconfigYaml: (user) => {
      const credentials = user === undefined ? { token: administrator.token } : authority.issueFor(user);
      return kubeconfigOf({ url, authority: authority.certificate, ...credentials });
    },
    close: server.close,
  };
}
