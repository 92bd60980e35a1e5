/** Serves HTTP/1.1. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, ApiResponse, User } from '../requests/message.ts';
import { withMultiValueHeaders } from '../requests/multi-value-headers.ts';
import type { IncomingRequest, ResponseStream, ResponseWriter, ServeRequest } from './serve-request.ts';
import { headersOfUpgrade, upgradingResponseWriter } from './websocket-upgrade.ts';

/** An import would evaluate all exports of the module and load an HTTP client and WebSockets: 15 ms. */
const http = process.getBuiltinModule('node:http');

/** Properties of connections. */
export interface ConnectionContext {
  /** Time in which the head of a request must arrive, in ms. */
  readonly headersTimeout: number;
  /** Sockets below TLS, where connections can be reset. */
  readonly sockets: ReadonlySet<Socket>;
  /** Returns the user that a connection's client certificate names. */
  readonly userOn: (socket: TLSSocket) => User | undefined;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

type Headers = Record<string, string>;

function send(out: ServerResponse, { status, headers, body }: ApiResponse): void {
  out.writeHead(status, { ...(headers as Headers), 'content-length': Buffer.byteLength(body) });
  out.end(body);
}

function open(out: ServerResponse, { status, headers }: ApiResponse, gone: () => void): ResponseStream {
  out.writeHead(status, headers as Headers);
  out.flushHeaders();
  out.on('close', gone);
  return {
    // A single write of bytes that all watches share; the response itself would write its framing separately.
    flush(batch) {
      if (out.socket === null || !out.chunkedEncoding) out.write(batch.bytes);
      else if (out.socket.writable) out.socket.write(batch.framed);
    },
    backlog: () => out.writableLength,
    end: () => out.end(),
    destroy: () => out.destroy(),
  };
}

function abort(out: ServerResponse, error: unknown, { sockets }: ConnectionContext): void {
  const { remotePort } = out.socket ?? {};
  const isReset = (error as { readonly code?: string }).code === 'ECONNRESET';
  const connection = isReset ? [...sockets].find((socket) => socket.remotePort === remotePort) : undefined;
  setImmediate(() => (connection === undefined ? out.destroy() : connection.resetAndDestroy()));
}

const responseWriterOf = (out: ServerResponse, connections: ConnectionContext): ResponseWriter => ({
  isOpen: () => !out.writableEnded && !out.destroyed,
  send: (response) => send(out, response),
  open: (response, gone) => open(out, response, gone),
  abort: (error) => abort(out, error, connections),
});

/** Returns the response to an upgrade request; its connection takes no further request. */
function lastResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new http.ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.destroySoon());
  return response;
}

/** Server of one version of HTTP. */
export interface ConnectionHandler {
  /** Serves a connection. */
  readonly handle: (socket: TLSSocket) => void;
  /** Stops its timers; connections are closed by their owner. */
  readonly close: () => void;
}

/** Serves HTTP/1.1 on given connections. Idle connections are kept open; a head that takes too long is answered with 408. */
export function http1(serve: ServeRequest, connections: ConnectionContext): ConnectionHandler {
  const incomingOf = ({
    method,
    url,
    headers,
    rawHeaders,
    socket,
  }: IncomingMessage): Omit<IncomingRequest, 'body'> => ({
    method: method!,
    url: url!,
    // Only set-cookie, which no request has, is an array.
    headers: withMultiValueHeaders(headers as ApiRequest['headers'], rawHeaders),
    certificate: connections.userOn(socket as TLSSocket),
  });
  const { headersTimeout } = connections;
  const terms = { keepAliveTimeout: 0, headersTimeout, connectionsCheckingInterval: headersTimeout / 2 };
  const server = http.createServer(terms, (request, response) => {
    const body = hasBody(request) ? request : undefined;
    serve({ ...incomingOf(request), body }, responseWriterOf(response, connections));
  });
  server.on('upgrade', (request, socket: Socket, early) => {
    const incoming = incomingOf(request);
    const headers = headersOfUpgrade(incoming.headers);
    const plain = responseWriterOf(lastResponse(request, socket), connections);
    serve({ ...incoming, headers, body: undefined }, upgradingResponseWriter(plain, { headers, socket, early }));
  });
  // Node starts its request timers when a server listens; this one is given its connections.
  server.emit('listening');
  return { handle: (socket) => server.emit('connection', socket), close: () => server.close() };
}
