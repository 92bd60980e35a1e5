import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { userOfSubject } from '../auth/authenticate.ts';
import type { ApiRequest, User } from './message.ts';

/** A request of HTTP/1.1 or HTTP/2. */
export type Incoming = IncomingMessage | Http2ServerRequest;

/** Most requests only have headers: nothing is to be waited for then. */
export const hasBody = (request: Incoming): boolean =>
  'stream' in request
    ? !request.stream.endAfterHeaders
    : request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;

/** Rejects when the client goes before its body is here. */
export const bodyOf = (request: Incoming, mostBytes: number): Promise<Uint8Array | undefined> =>
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
export function certificates(): (request: Incoming) => User | undefined {
  const known = new WeakMap<TLSSocket, User | undefined>();
  return ({ socket }) => {
    const connection = socket as TLSSocket;
    if (!known.has(connection)) known.set(connection, certificateOn(connection));
    return known.get(connection);
  };
}

/** Its headers as the handler takes them. */
export const headersOf = (request: Incoming): ApiRequest['headers'] => {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (!name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  headers.host ??= request.headers[':authority'] as string | undefined;
  return headers;
};
