import type { Socket } from 'node:net';
import type { Outlet } from './exchange.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import { handshakeAnswer, handshakeOf, isWebSocketRequest, serveWebSocket, withTokenOfProtocols } from './websocket.ts';

/** The headers of who asks for another protocol: those who want a WebSocket may show a token in their own way. */
export const headersOfUpgrade = (headers: ApiRequest['headers']): ApiRequest['headers'] =>
  isWebSocketRequest(headers) ? withTokenOfProtocols(headers) : headers;

/** What goes on by another protocol. */
export interface Upgrade {
  readonly headers: ApiRequest['headers'];
  readonly socket: Socket;
  /** What the client sent right after its request. */
  readonly early: Buffer;
}

/** Answers streams by WebSocket to those who want one, as soon as it is known that there is something to go on with; everything else as `plain` does. */
export function upgradingOutlet(plain: Outlet, { headers, socket, early }: Upgrade): Outlet {
  if (!isWebSocketRequest(headers)) return plain;
  const take = (response: ApiResponse, mostBuffered: number): boolean => {
    const { stream, framing } = response;
    // Only watches go on by WebSocket.
    if (stream === undefined || framing === undefined) return false;
    const handshake = handshakeOf(headers);
    const answer = handshakeAnswer(handshake);
    if ('status' in handshake) {
      socket.end(answer);
      return true;
    }
    socket.write(answer);
    serveWebSocket(stream, { socket, framing, early, mostBuffered, abort: plain.lose });
    return true;
  };
  return { ...plain, take };
}
