import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { failure } from '../status.ts';
import { mostBytes } from './body.ts';
import type { Identity } from './certificate.ts';
import type { ApiRequest, ApiResponse, Handler, User } from './message.ts';
import { jsonResponse } from './represent.ts';

/** How to listen. */
export interface ServerOptions {
  readonly handle: Handler;
  readonly identity: Identity;
  /** Who a request comes from; undefined: its credentials are wrong. */
  readonly authenticate: (authorization: string | undefined) => User | undefined;
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

/** A reader that lets this much pile up is cut off, as the real server does with slow watchers. */
const mostBuffered = 64 * 1024 * 1024;

async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= mostBytes + 1) chunks.push(chunk as Buffer);
  }
  if (size === 0) return undefined;
  if (size > mostBytes) return Buffer.alloc(mostBytes + 1);
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

const unauthorized = (): ApiResponse => jsonResponse(401, failure('Unauthorized', 'Unauthorized').status);

const headersOf = (request: Request): ApiRequest['headers'] => {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  headers.host ??= request.headers[':authority'] as string | undefined;
  return headers;
};

function send(response: Response, { status, headers, body, stream }: ApiResponse): void {
  const out = response as ServerResponse;
  if (stream === undefined) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    out.writeHead(status, { ...(headers as Record<string, string>), 'content-length': bytes.length });
    out.end(bytes);
    return;
  }
  out.writeHead(status, headers as Record<string, string>);
  out.flushHeaders?.();
  const stop = stream({
    write: (chunk) => {
      if (out.writableLength > mostBuffered) out.destroy();
      else out.write(chunk);
    },
    end: () => out.end(),
  });
  out.on('close', stop);
}

async function serve({ handle, authenticate }: ServerOptions, request: Request, response: Response): Promise<void> {
  const headers = headersOf(request);
  const user = authenticate(headers.authorization);
  const body = await bodyOf(request);
  if (user === undefined) return send(response, unauthorized());
  const answer = await handle({ method: request.method ?? 'GET', url: request.url ?? '/', headers, body, user });
  if (!response.writableEnded && !(response as ServerResponse).destroyed) send(response, answer);
}

const listening = (server: Http2SecureServer, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

/** Serves the handler over HTTPS, HTTP/1.1 and HTTP/2. Rejects when the port is taken. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { certificate, key } = options.identity;
  const server = createSecureServer({ allowHTTP1: true, cert: certificate, key });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    serve(options, request, response).catch(() => (response as unknown as ServerResponse).destroy());
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
