/** Upgrades connections to WebSocket. */

import type { Socket } from 'node:net';
import type { ApiRequest, ApiResponse } from '../requests/message.ts';
import type { ResponseWriter } from './serve-request.ts';
import { handshakeAnswer, handshakeOf, isWebSocketRequest, serveWebSocket, withTokenOfProtocols } from './websocket.ts';

/** Returns the headers of an upgrade request, with the token that a WebSocket client may send as a protocol. */
export const headersOfUpgrade = (headers: ApiRequest['headers']): ApiRequest['headers'] =>
  isWebSocketRequest(headers) ? withTokenOfProtocols(headers) : headers;

/** Connection to upgrade. */
export interface Upgrade {
  readonly headers: ApiRequest['headers'];
  readonly socket: Socket;
  /** Bytes that the client sent after its request. */
  readonly early: Buffer;
}

/** Returns a response writer that sends watches over WebSocket where the client asks for it; all other answers go to `plain`. */
export function upgradingResponseWriter(plain: ResponseWriter, { headers, socket, early }: Upgrade): ResponseWriter {
  if (!isWebSocketRequest(headers)) return plain;
  const hijack = (response: ApiResponse, mostBuffered: number): boolean => {
    const { stream, framing } = response;
    // Only watches are upgraded.
    if (stream === undefined || framing === undefined) return false;
    const handshake = handshakeOf(headers);
    const answer = handshakeAnswer(handshake);
    if ('status' in handshake) {
      socket.end(answer);
      return true;
    }
    socket.write(answer);
    serveWebSocket(stream, { socket, framing, early, mostBuffered, abort: plain.abort });
    return true;
  };
  return { ...plain, hijack };
}
