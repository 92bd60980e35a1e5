/** Serves watches over WebSocket. */

import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { ApiRequest, Sink } from '../requests/message.ts';
import type { Framing } from '../requests/watch-framing.ts';
import { closeFrame, createFrameReader, frameOf } from './websocket-frames.ts';

type Headers = ApiRequest['headers'];

/** Accepted WebSocket handshake. */
export interface Handshake {
  /** Value of Sec-WebSocket-Accept. */
  readonly accept: string;
  readonly protocol: string | undefined;
}

/** Refusal of a handshake. */
export interface HandshakeRefusal {
  readonly status: '400 Bad Request' | '403 Forbidden';
  readonly headers: string;
  readonly body: string;
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const tokenPrefix = 'base64url.bearer.authorization.k8s.io.';

/** Reports whether a request asks for a WebSocket. */
export const isWebSocketRequest = ({ upgrade, connection }: Headers): boolean =>
  upgrade?.toLowerCase() === 'websocket' && /(^|[,\s])upgrade($|[,\s])/i.test(connection ?? '');

const protocolsOf = (headers: Headers): readonly string[] =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * Reads the bearer token from the WebSocket protocols, as browsers cannot send an Authorization header; another
 * protocol must be offered beside it.
 */
export function withTokenOfProtocols(headers: Headers): Headers {
  const protocols = protocolsOf(headers);
  const bearer = protocols.find((name) => name.startsWith(tokenPrefix));
  if (bearer === undefined || protocols.length < 2 || headers.authorization !== undefined) return headers;
  const token = Buffer.from(bearer.slice(tokenPrefix.length), 'base64url').toString();
  return {
    ...headers,
    authorization: `Bearer ${token}`,
    'sec-websocket-protocol': protocols.filter((name) => name !== bearer).join(', '),
  };
}

const refused = (body: string, headers = ''): HandshakeRefusal => ({ status: '400 Bad Request', headers, body });

/** Checks a handshake in the server's order, with its errors. */
export function handshakeOf(headers: Headers): Handshake | HandshakeRefusal {
  const { origin, 'sec-websocket-key': key = '', 'sec-websocket-version': version } = headers;
  if (key === '') return refused('mismatch challenge/response');
  if (version !== '13') return refused('missing or bad WebSocket Version', 'Sec-WebSocket-Version: 13\r\n');
  if (origin === undefined || !URL.canParse(origin)) return { status: '403 Forbidden', headers: '', body: '' };
  const protocols = protocolsOf(headers);
  if (protocols.length > 1) return refused('');
  const accept = createHash('sha1').update(`${key}${guid}`).digest('base64');
  return { accept, protocol: protocols[0] };
}

/** Formats the answer to a handshake. */
export function handshakeAnswer(handshake: Handshake | HandshakeRefusal): string {
  if ('status' in handshake) return `HTTP/1.1 ${handshake.status}\r\n${handshake.headers}\r\n${handshake.body}`;
  const { accept, protocol } = handshake;
  const chosen = protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${chosen}\r\n`;
}

/** Options of a watch over WebSocket. */
export interface WebSocketOptions {
  readonly socket: Duplex;
  /** Framing of the stream's events. */
  readonly framing: Framing;
  /** Bytes that the client sent after its request. */
  readonly early: Buffer;
  /** Backlog at which the reader is disconnected, in bytes. */
  readonly mostBuffered: number;
  abort(error: Error): void;
}

/** Sends each watch event as a message, until either side closes. */
export function serveWebSocket(stream: (sink: Sink) => () => void, options: WebSocketOptions): void {
  const { socket, framing, early, mostBuffered, abort } = options;
  const read = createFrameReader();
  const leave = (code: number) => void (socket.writable && socket.end(closeFrame(code)));
  const write = (chunk: Uint8Array) => {
    if (socket.writableLength > mostBuffered) socket.destroy();
    if (!socket.writable) return;
    socket.cork();
    for (const { kind, payload } of framing.framesOf(chunk).map(framing.messageOf)) {
      socket.write(frameOf(kind, payload));
    }
    socket.uncork();
  };
  const stop = stream({ write, end: () => leave(1000), abort });
  const receive = (chunk: Buffer) => {
    for (const reaction of read(chunk)) {
      if (typeof reaction === 'object') socket.write(reaction.pong);
      else leave(reaction === 'leave' ? 1000 : 1002);
    }
  };
  socket.on('data', receive);
  socket.on('end', () => leave(1000));
  socket.on('close', stop);
  if (early.length > 0) receive(early);
}
