import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, ApiResponse } from '../requests/message.ts';
import { withMultiValueHeaders } from '../requests/multi-value-headers.ts';
import type { Answer, Flow, Outlet } from './exchange.ts';
import type { Connections } from './http1.ts';

const headersOf = (given: IncomingHttpHeaders, raw: readonly string[]): ApiRequest['headers'] => {
  const headers: Record<string, string | undefined> = {};
  for (const name in given) {
    const value = given[name];
    if (name[0] !== ':') headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  headers.host ??= given[':authority'];
  return withMultiValueHeaders(headers, raw);
};

type Headers = Record<string, string>;

function send(stream: ServerHttp2Stream, isHead: boolean, { status, headers, body }: ApiResponse): void {
  const head = { ':status': status, ...(headers as Headers), 'content-length': Buffer.byteLength(body) };
  stream.respond(head, { endStream: isHead });
  if (!isHead) stream.end(body);
}

function open(stream: ServerHttp2Stream, { status, headers }: ApiResponse, gone: () => void): Flow {
  stream.respond({ ':status': status, ...(headers as Headers) });
  stream.on('close', gone);
  return {
    deliver(parcel) {
      if (stream.writable) stream.write(parcel.bytes);
    },
    backlog: () => stream.writableLength,
    end: () => stream.end(),
    cut: () => stream.close(constants.NGHTTP2_CANCEL),
  };
}

const outletOf = (stream: ServerHttp2Stream, isHead: boolean): Outlet => ({
  isOpen: () => !stream.destroyed && !stream.closed,
  send: (response) => send(stream, isHead, response),
  open: (response, gone) => open(stream, response, gone),
  lose: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
});

/** Serves HTTP/2 on given connections. */
export function http2(answer: Answer, { userOn }: Connections): (socket: TLSSocket) => void {
  const server = createServer();
  server.on('sessionError', () => {});
  server.on('session', (session) => {
    session.on('stream', (...[stream, headers, , raw]) => {
      stream.on('error', () => {});
      if (headers.expect === '100-continue') stream.additionalHeaders({ ':status': 100 });
      const arrival = {
        method: headers[':method'] ?? 'GET',
        url: headers[':path'] ?? '/',
        headers: headersOf(headers, raw),
        certificate: userOn(session.socket as TLSSocket),
        body: stream.endAfterHeaders ? undefined : stream,
      };
      answer(arrival, outletOf(stream, arrival.method === 'HEAD'));
    });
  });
  return (socket) => server.emit('connection', socket);
}
