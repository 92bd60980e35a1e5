/** Serves a handler over HTTPS. */

import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import { type Authenticate, userOfSubject } from '../authn/authenticate.ts';
import type { Identity } from '../pki/certificate.ts';
import type { Handler, User } from '../requests/message.ts';
import { type ConnectionHandler, http1 } from './http1.ts';
import { createRequestServer } from './serve-request.ts';
import { WriteBatching } from './write-batching.ts';

/** Options of a server. */
export interface ServerOptions {
  readonly handle: Handler;
  readonly identity: Identity;
  /** Authority of accepted client certificates, in PEM. */
  readonly authority: string;
  readonly authenticate: Authenticate;
  /** Limit of a request body in bytes, by path; of a larger body one byte beyond the limit is kept. */
  readonly maxBytesOf: (path: string) => number;
  readonly port: number;
  readonly host: string;
  /** Time in which the head of a request must arrive, in ms. @default 32000, as in kube-apiserver */
  readonly headersTimeout?: number;
}

/** Listening server. */
export interface Server {
  readonly port: number;
  /** Closes all connections and stops listening. */
  close(): Promise<void>;
}

/** Returns the user that a connection's certificate names; undefined unless our authority signed it. */
function certificateUser(socket: TLSSocket): User | undefined {
  if (!socket.authorized) return undefined;
  // A resumed session without a certificate is authorized on Node 22, and its certificate is an empty object.
  const { CN, O } = (socket.getPeerCertificate().subject ?? {}) as { CN?: string; O?: string | string[] };
  return CN === undefined ? undefined : userOfSubject(CN, O);
}

/** Returns a cached lookup of users by connection. */
function cachedCertificateUsers(): (socket: TLSSocket) => User | undefined {
  const known = new WeakMap<TLSSocket, User | undefined>();
  return (socket) => {
    if (!known.has(socket)) known.set(socket, certificateUser(socket));
    return known.get(socket);
  };
}

const listening = (server: TlsServer, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

/** Returns a handler of connections for the HTTP version that each connection negotiates; HTTP/2 is loaded on first use. */
function createConnectionHandler(options: ServerOptions, sockets: ReadonlySet<Socket>): ConnectionHandler {
  const answer = createRequestServer({ ...options, batching: new WriteBatching() });
  const { headersTimeout = 32_000 } = options;
  const connections = { sockets, headersTimeout, userOn: cachedCertificateUsers() };
  const first = http1(answer, connections);
  const loadSecond = async () => (await import('./http2.ts')).http2(answer, connections);
  let second: ReturnType<typeof loadSecond> | undefined;
  const handle = (socket: TLSSocket) => {
    socket.on('error', () => {});
    if (socket.alpnProtocol !== 'h2') return first.handle(socket);
    second ??= loadSecond();
    void second.then((speakSecond) => speakSecond(socket));
  };
  return { handle: handle, close: first.close };
}

/** Serves the handler over HTTPS, with HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { certificate, key } = options.identity;
  const sockets = new Set<Socket>();
  const server = createTlsServer({
    ALPNProtocols: ['h2', 'http/1.1'],
    cert: certificate,
    key,
    ca: options.authority,
    requestCert: true,
    rejectUnauthorized: false,
    noDelay: true,
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const connectionHandler = createConnectionHandler(options, sockets);
  server.on('secureConnection', connectionHandler.handle);
  server.on('tlsClientError', () => {});
  await listening(server, options.port, options.host);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        connectionHandler.close();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
