import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Identifies a connection; the socket below TLS has the same address as the one above. */
const addressOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Bounds the connections of a server: for each one beyond `most` the oldest without a request under way is closed, or the new one where there is none. So
 * a client that opens connections without an end takes neither memory nor file descriptors, and keeps no probe out.
 */
export function boundConnections(server: Server, most: number): void {
  const open = new Map<string, Socket>();
  const busy = new Set<string>();
  server.on('request', ({ socket }, response) => {
    const address = addressOf(socket);
    busy.add(address);
    response.once('close', () => busy.delete(address));
  });
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket);
    socket.once('close', () => {
      open.delete(address);
      busy.delete(address);
    });
    open.set(address, socket);
    if (open.size <= most) return;
    const [, oldest = socket] = [...open].find(([one]) => !busy.has(one)) ?? [];
    oldest.destroy();
  });
}
