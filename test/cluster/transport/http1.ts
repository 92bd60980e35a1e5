/** Serves HTTP/1.1. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, ApiResponse, User } from '../requests/message.ts';
import { withMultiValueHeaders } from '../requests/multi-value-headers.ts';
import type { Answer, Arrival, Flow, Outlet } from './exchange.ts';
import { headersOfUpgrade, upgradingOutlet } from './upgrade.ts';

/** An import would evaluate all exports of the module and load an HTTP client and WebSockets: 15 ms. */
const http = process.getBuiltinModule('node:http');

/** Properties of connections. */
export interface Connections {
  /** Time in which the head of a request must arrive, in ms. */
  readonly longestHead: number;
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

function open(out: ServerResponse, { status, headers }: ApiResponse, gone: () => void): Flow {
  out.writeHead(status, headers as Headers);
  out.flushHeaders();
  out.on('close', gone);
  return {
    // A single write of bytes that all watches share; the response itself would write its framing separately.
    deliver(parcel) {
      if (out.socket === null || !out.chunkedEncoding) out.write(parcel.bytes);
      else if (out.socket.writable) out.socket.write(parcel.framed);
    },
    backlog: () => out.writableLength,
    end: () => out.end(),
    cut: () => out.destroy(),
  };
}

function lose(out: ServerResponse, error: unknown, { sockets }: Connections): void {
  const { remotePort } = out.socket ?? {};
  const isReset = (error as { readonly code?: string }).code === 'ECONNRESET';
  const connection = isReset ? [...sockets].find((socket) => socket.remotePort === remotePort) : undefined;
  setImmediate(() => (connection === undefined ? out.destroy() : connection.resetAndDestroy()));
}

const outletOf = (out: ServerResponse, connections: Connections): Outlet => ({
  isOpen: () => !out.writableEnded && !out.destroyed,
  send: (response) => send(out, response),
  open: (response, gone) => open(out, response, gone),
  lose: (error) => lose(out, error, connections),
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
export interface Speaker {
  /** Serves a connection. */
  readonly speak: (socket: TLSSocket) => void;
  /** Stops its timers; connections are closed by their owner. */
  readonly close: () => void;
}

/** Serves HTTP/1.1 on given connections. Idle connections are kept open; a head that takes too long is answered with 408. */
export function http1(answer: Answer, connections: Connections): Speaker {
  const arrivalOf = ({ method, url, headers, rawHeaders, socket }: IncomingMessage): Omit<Arrival, 'body'> => ({
    method: method!,
    url: url!,
    // Only set-cookie, which no request has, is an array.
    headers: withMultiValueHeaders(headers as ApiRequest['headers'], rawHeaders),
    certificate: connections.userOn(socket as TLSSocket),
  });
  const { longestHead } = connections;
  const terms = { keepAliveTimeout: 0, headersTimeout: longestHead, connectionsCheckingInterval: longestHead / 2 };
  const server = http.createServer(terms, (request, response) => {
    const body = hasBody(request) ? request : undefined;
    answer({ ...arrivalOf(request), body }, outletOf(response, connections));
  });
  server.on('upgrade', (request, socket: Socket, early) => {
    const arrival = arrivalOf(request);
    const headers = headersOfUpgrade(arrival.headers);
    const plain = outletOf(lastResponse(request, socket), connections);
    answer({ ...arrival, headers, body: undefined }, upgradingOutlet(plain, { headers, socket, early }));
  });
  // Node starts its request timers when a server listens; this one is given its connections.
  server.emit('listening');
  return { speak: (socket) => server.emit('connection', socket), close: () => server.close() };
}
