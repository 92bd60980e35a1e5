import { type IncomingMessage, ServerResponse } from 'node:http';
import { constants, createSecureServer, type Http2SecureServer, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Authenticate } from '../auth/authenticate.ts';
import type { Identity } from './certificate.ts';
import { bodyOf, certificates, hasBody, headersOf, type Incoming } from './incoming.ts';
import type { ApiRequest, ApiResponse, Handler, User } from './message.ts';
import { unauthorized } from './represent.ts';
import { handshakeAnswer, handshakeOf, isWebSocketRequest, serveWebSocket, withTokenOfProtocols } from './websocket.ts';

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

type Response = ServerResponse | Http2ServerResponse;

/** One request with its answer, among all connections. */
interface Exchange {
  readonly request: Incoming;
  readonly response: Response;
  /** Who the certificate of its connection names. */
  readonly certificate: User | undefined;
  readonly connections: ReadonlySet<Socket>;
  /** What came right after a request to go on by another protocol; such a request has no body. */
  readonly early?: Buffer;
}

/** A reader that lets this much pile up is cut off, as the real server does with slow watchers. */
const mostBuffered = 64 * 1024 * 1024;

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
  const { socket } = response as ServerResponse;
  const isReset = (error as { readonly code?: string }).code === 'ECONNRESET';
  // Below TLS there is the socket that can be reset.
  const below = ({ remotePort }: Socket) => remotePort === socket?.remotePort;
  const connection = isReset ? [...connections].find(below) : undefined;
  setImmediate(() => (connection === undefined ? response.destroy() : connection.resetAndDestroy()));
}

/** Only streams of lines, as watches are, go on by WebSocket; `undefined` is a plain answer. */
const streamOf = ({ stream, headers }: ApiResponse) =>
  headers['content-type'] === 'application/json' ? stream : undefined;

/** Answers who wants to go on by WebSocket, as soon as it is known that there is something to go on with. */
function goOn(exchange: Exchange, headers: ApiRequest['headers'], stream: NonNullable<ApiResponse['stream']>): void {
  const { socket } = exchange.response as ServerResponse;
  if (socket === null) return;
  const handshake = handshakeOf(headers);
  const answer = handshakeAnswer(handshake);
  if ('status' in handshake) {
    socket.end(answer);
    return;
  }
  socket.write(answer);
  const abort = (error: Error) => lose(exchange, error);
  serveWebSocket(stream, { socket, early: exchange.early ?? Buffer.alloc(0), mostBuffered, abort });
}

async function serve({ handle, authenticate, mostBytesOf }: ServerOptions, exchange: Exchange): Promise<void> {
  const { request, response, certificate, early } = exchange;
  const sent = headersOf(request);
  const goesOn = early !== undefined && isWebSocketRequest(sent);
  const headers = goesOn ? withTokenOfProtocols(sent) : sent;
  const user = await authenticate({ authorization: headers.authorization, ...(certificate && { certificate }) });
  const most = user === undefined ? 0 : mostBytesOf(request.url ?? '');
  const body = early === undefined && hasBody(request) ? await bodyOf(request, most) : undefined;
  if (user === undefined) return send(exchange, unauthorized());
  const answer = await handle({ method: request.method ?? 'GET', url: request.url ?? '/', headers, body, user });
  if (response.writableEnded || (response as ServerResponse).destroyed) return;
  const stream = goesOn ? streamOf(answer) : undefined;
  if (stream === undefined) send(exchange, answer);
  else goOn(exchange, headers, stream);
}

/** Where to answer who asks for another protocol: its connection takes no other request after that. */
function lastResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.on('finish', () => socket.destroySoon());
  socket.on('error', () => {});
  return response;
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
  server.on('upgrade', (request: IncomingMessage, socket: Socket, early: Buffer) => {
    const response = lastResponse(request, socket);
    const exchange = { request, response, certificate: certificateOf(request), connections: sockets, early };
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
