/** TCP proxy that leaves connections half-open when told to. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** TCP proxy before one server, on the loopback address. */
export interface HalfOpenProxy {
  /** Address of the same scheme and path as the server's. */
  readonly url: string;
  /** Number of connections accepted so far. */
  readonly connections: number;
  /** From now on nothing passes over the connections that are open, and neither end is told, as after a firewall has forgotten them. New ones work. */
  stallOpen(): void;
  close(): Promise<void>;
}

/** Starts a proxy before the server of that address. */
export async function startHalfOpenProxy(target: string): Promise<HalfOpenProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy()).once('close', () => open.delete(from));
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href.replace(/\/$/, ''),
    get connections() {
      return connections;
    },
    stallOpen() {
      for (const socket of open) socket.unpipe().resume();
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
