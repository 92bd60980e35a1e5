import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Authenticate, userOfSubject } from '../auth/authenticate.ts';
import type { Identity } from './certificate.ts';
import type { ApiRequest, ApiResponse, Handler, User } from './message.ts';
import { unauthorized } from './represent.ts';

/** How to listen. */
export interface ServerOptions {
  readonly handle: Handler;
  readonly identity: Identity;
  /** Whose certificates clients may show, in PEM. */
  readonly authority: string;
  readonly authenticate: Authenticate;
  /** How many bytes the body of a request may have, by its path; of larger ones only as many are kept, and one. */
  readonly mostBytesOf: (path: string) => number;
  readonly port: number;
  readonly host: string;
}

/** A server that listens. */
export interface Server {
  readonly port: number;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

/** One request with its answer, among all connections. */
interface Exchange {
  readonly request: Request;
  readonly response: Response;
  /** Who the certificate of its connection names. */
  readonly certificate: User | undefined;
  readonly connections: ReadonlySet<Socket>;
}

/** A reader that lets this much pile up is cut off, as the real server does with slow watchers. */
const mostBuffered = 64 * 1024 * 1024;

/** Most requests only have headers: nothing is to be waited for then. */
const hasBody = (request: Request): boolean =>
  'stream' in request
    ? !request.stream.endAfterHeaders
    : request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;

/** Rejects when the client goes before its body is here. */
const bodyOf = (request: Request, mostBytes: number): Promise<Uint8Array | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes + 1) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size === 0) resolve(undefined);
      else if (size > mostBytes) resolve(Buffer.alloc(mostBytes + 1));
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('error', reject);
    const leave = () => {
      if (!request.complete) reject(new Error('the client went before its request was here'));
    };
    request.on('close', leave);
    if (request.destroyed) leave();
  });

/** Who the certificate of a connection names; undefined without one that our authority vouches for. */
function certificateOn(socket: TLSSocket): User | undefined {
  if (!socket.authorized) return undefined;
  const { CN, O } = socket.getPeerCertificate().subject as { CN?: string; O?: string | string[] };
  return CN === undefined ? undefined : userOfSubject(CN, O);
}

/** The same of a request; certificates are read once for each connection. */
function certificates(): (request: Request) => User | undefined {
  const known = new WeakMap<TLSSocket, User | undefined>();
  return ({ socket }) => {
    const connection = socket as TLSSocket;
    if (!known.has(connection)) known.set(connection, certificateOn(connection));
    return known.get(connection);
  };
}

const headersOf = (request: Request): ApiRequest['headers'] => {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  headers.host ??= request.headers[':authority'] as string | undefined;
  return headers;
};

/** Lets everything that is written in this turn of the event loop go out at once: a watch costs by writes to its socket, not by events. */
function gather(out: ServerResponse): void {
  if (out.writableCorked > 0) return;
  out.cork();
  setImmediate(() => out.uncork());
}

function send(exchange: Exchange, { status, headers, body, stream }: ApiResponse): void {
  const out = exchange.response as ServerResponse;
  if (stream === undefined) {
    out.writeHead(status, { ...(headers as Record<string, string>), 'content-length': Buffer.byteLength(body) });
    out.end(body);
    return;
  }
  out.writeHead(status, headers as Record<string, string>);
  out.flushHeaders?.();
  const stop = stream({
    write: (chunk) => {
      if (out.writableLength > mostBuffered) {
        out.destroy();
        return;
      }
      gather(out);
      out.write(chunk);
    },
    end: () => out.end(),
    abort: (error) => lose(exchange, error),
  });
  out.on('close', stop);
}

/** Breaks off an answer: resets the connection where the error says so, else closes it once everything written is out. Of HTTP/2 only the one stream is reset. */
function lose({ response, connections }: Exchange, error: unknown): void {
  const { stream } = response as Http2ServerResponse;
  if (stream !== undefined) {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  const out = response as ServerResponse;
  const { remotePort } = out.socket ?? {};
  const isReset = (error as { readonly code?: string }).code === 'ECONNRESET';
  // Below TLS there is the socket that can be reset.
  const connection = isReset ? [...connections].find((socket) => socket.remotePort === remotePort) : undefined;
  setImmediate(() => (connection === undefined ? out.destroy() : connection.resetAndDestroy()));
}

async function serve({ handle, authenticate, mostBytesOf }: ServerOptions, exchange: Exchange): Promise<void> {
  const { request, response, certificate } = exchange;
  const headers = headersOf(request);
  const user = await authenticate({ authorization: headers.authorization, ...(certificate && { certificate }) });
  const most = user === undefined ? 0 : mostBytesOf(request.url ?? '');
  const body = hasBody(request) ? await bodyOf(request, most) : undefined;
  if (user === undefined) return send(exchange, unauthorized());
  const answer = await handle({ method: request.method ?? 'GET', url: request.url ?? '/', headers, body, user });
  if (!response.writableEnded && !(response as ServerResponse).destroyed) send(exchange, answer);
}

const listening = (server: Http2SecureServer, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

/** Serves the handler over HTTPS, HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { certificate, key } = options.identity;
  const server = createSecureServer({
    allowHTTP1: true,
    cert: certificate,
    key,
    ca: options.authority,
    requestCert: true,
    rejectUnauthorized: false,
  });
  const sockets = new Set<Socket>();
  const certificateOf = certificates();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    const exchange = { request, response, certificate: certificateOf(request), connections: sockets };
    serve(options, exchange).catch((error) => lose(exchange, error));
  });
  server.on('sessionError', () => {});
  server.on('tlsClientError', () => {});
  await listening(server, options.port, options.host);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
