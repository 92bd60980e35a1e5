import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Identifies a connection; the socket below TLS has the same address as the one above. */
const addressOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Bounds the connections of a server: for each one beyond `most` the oldest without a request under way is closed, or the new one where there is none. A
 * request is under way once it was received as a whole. So a client that opens connections without an end, or sends its requests without one, takes
 * neither memory nor file descriptors, and keeps no probe out.
 */
export function boundConnections(server: Server, most: number): void {
  const open = new Map<string, Socket>();
  const answered = new Map<string, IncomingMessage>();
  server.on('request', (request, response) => {
    const address = addressOf(request.socket);
    answered.set(address, request);
    response.once('close', () => answered.delete(address));
  });
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    socket.once('close', () => {
      open.delete(address);
      answered.delete(address);
    });
    open.set(address, socket);
    if (open.size <= most) return;
    const [, oldest = socket] = [...open].find(([one]) => answered.get(one)?.complete !== true) ?? [];
    oldest.destroy();
  });
}
