/** HTTP/2 transport. */

import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, ApiResponse } from '../requests/message.ts';
import { withMultiValueHeaders } from '../requests/multi-value-headers.ts';
import type { ConnectionContext } from './http1.ts';
import type { ResponseStream, ResponseWriter, ServeRequest } from './serve-request.ts';

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

function open(stream: ServerHttp2Stream, { status, headers }: ApiResponse, gone: () => void): ResponseStream {
  stream.respond({ ':status': status, ...(headers as Headers) });
  stream.on('close', gone);
  return {
    flush(batch) {
      if (stream.writable) stream.write(batch.bytes);
    },
    backlog: () => stream.writableLength,
    end: () => stream.end(),
    destroy: () => stream.close(constants.NGHTTP2_CANCEL),
  };
}

const responseWriterOf = (stream: ServerHttp2Stream, isHead: boolean): ResponseWriter => ({
  isOpen: () => !stream.destroyed && !stream.closed,
  send: (response) => send(stream, isHead, response),
  open: (response, gone) => open(stream, response, gone),
  abort: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
});

/** Serves HTTP/2 on given connections. */
export function http2(serve: ServeRequest, { userOn }: ConnectionContext): (socket: TLSSocket) => void {
  const server = createServer();
  server.on('sessionError', () => {});
  server.on('session', (session) => {
    session.on('stream', (...[stream, headers, , raw]) => {
      stream.on('error', () => {});
      if (headers.expect === '100-continue') stream.additionalHeaders({ ':status': 100 });
      const incoming = {
        method: headers[':method'] ?? 'GET',
        url: headers[':path'] ?? '/',
        headers: headersOf(headers, raw),
        certificate: userOn(session.socket as TLSSocket),
        body: stream.endAfterHeaders ? undefined : stream,
      };
      serve(incoming, responseWriterOf(stream, incoming.method === 'HEAD'));
    });
  });
  return (socket) => server.emit('connection', socket);
}
