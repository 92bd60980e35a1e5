/** HTTP server for liveness, readiness and metrics. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../clock.ts';
import { messageOf } from '../thrown.ts';
import { createHttpListener, type HttpListener } from './http-listener.ts';
import type { Runnable } from './operator.ts';

/** Health check: returns the problems as sentences; empty when healthy. */
export type HealthCheck = () => readonly string[];

/** Options of {@link createHealthServer}. */
export interface HealthServerOptions {
  /** TCP port; 0 picks any free one. */
  readonly port: number;
  /** Address to listen on. @default all addresses of the machine */
  readonly host?: string;
  /** Check of `/livez`: problems that only a restart solves. @default none */
  readonly live?: HealthCheck;
  /** Check of `/readyz`: reasons why the process does not do its work now. @default none */
  readonly ready?: HealthCheck;
  /** Content of `/metrics`; absent: 404. */
  readonly metrics?: { readonly contentType: string; text(): Promise<string> };
  /** Timeout in ms of receiving a request, and of answering it. @default 5 000 */
  readonly deadline?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** HTTP server for the probes of a kubelet and the scrapes of Prometheus. */
export interface HealthServer extends Runnable {
  /** Resolves with the port once the server listens; rejects when it cannot. */
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

/** Returns the response of a page: 503 after the deadline, 500 if the page throws. */
async function answerWithin(page: ProbePage, deadline: number, clock: Clock): Promise<ProbeResponse> {
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
  readonly #listener: HttpListener;

  constructor(options: HealthServerOptions) {
    this.#options = options;
    this.#pages = pagesOf(options);
    const { port, host, logger } = options;
    this.#listener = createHttpListener({
      name: this.name,
      port,
      host,
      logger,
      about: { paths: Object.keys(this.#pages) },
    });
  }

  get listening(): Promise<number> {
    return this.#listener.listening;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { deadline = 5000 } = this.#options;
    const { createServer } = await import('node:http');
    const limits = { requestTimeout: deadline, headersTimeout: deadline, connectionsCheckingInterval: deadline };
    const server = createServer(limits, (request, response) => void this.#answer(request, response));
    await this.#listener.serve(server, signal);
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
    return answerWithin(page, deadline, clock);
  }
}

/**
 * Creates an HTTP server for `/livez`, `/readyz` and `/metrics`, as a runnable of an operator: it serves until the signal aborts, then closes all
 * connections. It has no authentication: expose it to the kubelet and Prometheus only.
 * `run` rejects when the port is in use.
 * @throws TypeError for an invalid port or deadline
 */
export function createHealthServer(options: HealthServerOptions): HealthServer {
  const { port, deadline = 1 } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError(`health server: port must be a whole number from 0 to 65535, found ${port}`);
  if (!(deadline > 0)) throw new TypeError(`health server: deadline must be more than 0 ms, found ${deadline}`);
  return new HealthListener(options);
}
