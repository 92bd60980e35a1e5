/** TCP servers that do what no server should. */

import { createServer, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import { longestAnswers } from '../../../integrations/guarded-stream.ts';

/** Writes without an end, as fast as the other side reads. */
export function withoutEnd(socket: Socket, chunk: Buffer | string): void {
  const fill = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', fill);
  fill();
}

/** A server, and what came of its connections. */
export interface HostileServer {
  readonly port: number;
  /** Resolves once no connection is open. */
  ended(): Promise<void>;
  /** Reports whether no more could be sent than buffers hold beyond what a guarded client reads. */
  wasCutOff(): boolean;
}

/** Serves TCP connections until the test ends. */
export async function aHostileServer(t: ExecutionContext, serve: (socket: Socket) => void): Promise<HostileServer> {
  const open = new Set<Socket>();
  const all: Socket[] = [];
  const server = createServer((socket) => {
    all.push(socket);
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)));
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as { port: number }).port,
    async ended() {
      while (open.size > 0) await new Promise(setImmediate);
    },
    wasCutOff: () => all.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0) < 64 * longestAnswers,
  };
}
