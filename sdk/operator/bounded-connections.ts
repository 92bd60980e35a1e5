/** Limits the number of connections of an HTTP server. */

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Returns the address of a connection, which identifies it: a TLS socket and its TCP socket have the same one. */
const addressOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Limits the number of connections of a server to `most`. Beyond it the oldest connection without a request under way is closed, or the new one if
 * all have one. A request is under way once it was received completely. This bounds the memory and file descriptors of clients that open many
 * connections or never complete a request, and keeps the server reachable for probes.
 */
export function boundConnections(server: Server, most: number): void {
  const open = new Map<string, Socket>();
  const requests = new Map<string, IncomingMessage>();
  server.on('request', (request, response) => {
    const address = addressOf(request.socket);
    requests.set(address, request);
    response.once('close', () => requests.delete(address));
  });
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    socket.once('close', () => {
      open.delete(address);
      requests.delete(address);
    });
    open.set(address, socket);
    if (open.size <= most) return;
    const [, oldest = socket] = [...open].find(([address]) => requests.get(address)?.complete !== true) ?? [];
    oldest.destroy();
  });
}
