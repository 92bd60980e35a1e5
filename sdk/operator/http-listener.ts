/** Listener that runs an HTTP server until a signal aborts. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../clock.ts';
import { boundConnections } from './bounded-connections.ts';

/** Options of {@link createHttpListener}. */
export interface HttpListenerOptions {
  /** Name in errors and logs, such as `health server`. */
  readonly name: string;
  /** TCP port; 0 picks any free one. */
  readonly port: number;
  /** Address to listen on. @default all addresses of the machine */
  readonly host?: string | undefined;
  /** ms that requests under way may take after the signal has aborted, before their connections are closed. @default 0 */
  readonly drain?: number;
  /** Maximum number of open connections; beyond it the oldest idle ones are closed. @default 1000 */
  readonly maxConnections?: number;
  readonly clock?: Clock;
  readonly logger?: { info(about: object, text: string): void } | undefined;
  /** Fields of the log line, besides address and port. @default none */
  readonly about?: object;
}

/** Listener of one HTTP server. */
export interface HttpListener {
  /** Resolves with the port once the server listens; rejects when it cannot, or when the signal aborts before. */
  readonly listening: Promise<number>;
  /** Listens until the signal aborts, and resolves when all connections are closed. Rejects when the port is in use. Call it once. */
  serve(server: Server, signal: AbortSignal): Promise<void>;
}

/** Creates a listener; nothing listens before `serve`. */
export function createHttpListener(options: HttpListenerOptions): HttpListener {
  const { name, port, host, drain = 0, maxConnections = 1000, clock = systemClock, logger, about } = options;
  const listening = Promise.withResolvers<number>();
  listening.promise.catch(() => undefined);
  return {
    listening: listening.promise,
    async serve(server, signal) {
      const ended = Promise.withResolvers<void>();
      let cancel = (): void => undefined;
      const close = (): void => {
        server.close(() => ended.resolve());
        if (drain > 0) cancel = clock.after(drain, () => server.closeAllConnections());
        else server.closeAllConnections();
      };
      const closeIdle = (): void => {
        if (signal.aborted) setImmediate(() => server.closeIdleConnections());
      };
      boundConnections(server, maxConnections);
      server.on('request', (_request, response) => response.once('close', closeIdle));
      server.once('error', (error) => {
        listening.reject(error);
        ended.reject(error);
      });
      signal.addEventListener('abort', close, { once: true });
      server.listen({ port, host }, () => {
        const { address, port: bound } = server.address() as AddressInfo;
        listening.resolve(bound);
        logger?.info({ address, port: bound, ...about }, `${name} listens`);
      });
      if (signal.aborted) close();
      try {
        await ended.promise;
      } finally {
        cancel();
        signal.removeEventListener('abort', close);
        listening.reject(new Error(`the ${name} was stopped`));
      }
    },
  };
}
