import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Runnable } from './operator.ts';

/** Says what is wrong, as sentences; nothing when nothing is. */
export type HealthCheck = () => readonly string[];

/** What {@link createHealthServer} takes. */
export interface HealthServerOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** @default all addresses of the machine */
  readonly host?: string;
  /** `/livez`: what only a restart mends. @default nothing */
  readonly live?: HealthCheck;
  /** `/readyz`: why it does not do its work now. @default nothing */
  readonly ready?: HealthCheck;
  /** `/metrics`; absent: there is no such path. */
  readonly metrics?: { readonly contentType: string; text(): Promise<string> };
  /** ms within which a request must have come in, and be answered. @default 5 000 */
  readonly deadline?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** A server that a kubelet and a Prometheus ask. */
export interface HealthServer extends Runnable {
  /** Resolves with the port when it listens; rejects when it cannot. */
  readonly listening: Promise<number>;
}

interface ProbeResponse {
  readonly status: number;
  readonly type?: string;
  readonly text: string;
}

const answerOf = (problems: readonly string[]): ProbeResponse =>
  problems.length === 0 ? { status: 200, text: 'ok\n' } : { status: 503, text: `${problems.join('\n')}\n` };

type ProbePage = () => ProbeResponse | Promise<ProbeResponse>;

function pagesOf({
  live = () => [],
  ready = () => [],
  metrics,
}: HealthServerOptions): Readonly<Record<string, ProbePage>> {
  return {
    '/livez': () => answerOf(live()),
    '/readyz': () => answerOf(ready()),
    ...(metrics && {
      '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
    }),
  };
}

/** Whatever it takes or throws: an answer, in time. */
async function within(page: ProbePage, deadline: number, clock: Clock): Promise<ProbeResponse> {
  const late = Promise.withResolvers<ProbeResponse>();
  const cancel = clock.after(deadline, () => late.resolve({ status: 503, text: `no answer within ${deadline} ms\n` }));
  try {
    return await Promise.race([page(), late.promise]);
  } catch (error) {
    return { status: 500, text: `${messageOf(error)}\n` };
  } finally {
    cancel();
  }
}

class HealthListener implements HealthServer {
  readonly name = 'health server';
  readonly #options: HealthServerOptions;
  readonly #pages: Readonly<Record<string, ProbePage>>;
  readonly #listening = Promise.withResolvers<number>();

  constructor(options: HealthServerOptions) {
    this.#options = options;
    this.#pages = pagesOf(options);
    this.listening.catch(() => undefined);
  }

  get listening(): Promise<number> {
    return this.#listening.promise;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { port, host, logger, deadline = 5000 } = this.#options;
    const { createServer } = await import('node:http');
    const ended = Promise.withResolvers<void>();
    const server = createServer({ requestTimeout: deadline, headersTimeout: deadline }, (request, response) => {
      void this.#answer(request, response);
    });
    server.once('error', (error) => {
      this.#listening.reject(error);
      ended.reject(error);
    });
    const close = (): void => this.#close(server, () => ended.resolve());
    signal.addEventListener('abort', close, { once: true });
    server.listen({ port, host }, () => {
      const { address, port: bound } = server.address() as AddressInfo;
      this.#listening.resolve(bound);
      logger?.info({ address, port: bound, paths: Object.keys(this.#pages) }, 'health server listens');
    });
    if (signal.aborted) close();
    try {
      await ended.promise;
    } finally {
      signal.removeEventListener('abort', close);
      this.#listening.reject(new Error('the health server was stopped'));
    }
  }

  #close(server: Server, ended: () => void): void {
    server.close(ended);
    server.closeAllConnections();
  }

  async #answer({ method = 'GET', url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, text } = await this.#answerTo(method, url.replace(/\?.*/, ''));
    response.writeHead(status, { 'content-type': type ?? 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    response.end(method === 'HEAD' ? undefined : text);
  }

  async #answerTo(method: string, path: string): Promise<ProbeResponse> {
    const { deadline = 5000, clock = systemClock } = this.#options;
    const page = Object.hasOwn(this.#pages, path) ? this.#pages[path] : undefined;
    if (page === undefined) return { status: 404, text: `${Object.keys(this.#pages).join(' ')}\n` };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'GET or HEAD\n' };
    return within(page, deadline, clock);
  }
}

/**
 * A small HTTP server for `/livez`, `/readyz` and `/metrics`, as a part of an operator: it runs until the signal aborts, and then closes
 * all its connections. It has no authentication: let it listen where only a kubelet and a Prometheus reach it.
 * Its `run` rejects when the port is taken.
 */
export function createHealthServer(options: HealthServerOptions): HealthServer {
  const { port, deadline = 1 } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError(`health server: port must be a whole number from 0 to 65535, found ${port}`);
  if (!(deadline > 0)) throw new TypeError(`health server: deadline must be more than 0 ms, found ${deadline}`);
  return new HealthListener(options);
}
