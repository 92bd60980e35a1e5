/** HTTP server for the webhooks of a code host. */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  type Clock,
  createBodyReader,
  createHttpListener,
  type HeldBody,
  type HttpListener,
  messageOf,
  type Runnable,
} from '../../sdk/index.ts';
import { type CodeHost, UnsignedDeliveryError, type WebhookDelivery } from '../code-host/code-host.ts';

/** Options of {@link createWebhookServer}. */
export interface WebhookServerOptions {
  readonly host: Pick<CodeHost, 'delivery'>;
  /** TCP port; 0 picks any free one. */
  readonly port: number;
  /** Address to listen on. @default all addresses of the machine */
  readonly address?: string | undefined;
  /** @default '/webhook' */
  readonly path?: string | undefined;
  /** Called once for each delivery with a right signature; returns false for a repository that is not ours. */
  readonly onDelivery: (delivery: WebhookDelivery) => boolean;
  readonly clock: Clock;
  readonly logger?: { info(about: object, text: string): void; warn(about: object, text: string): void } | undefined;
}

/** Webhook server. */
export interface WebhookServer extends Runnable {
  /** Resolves with the port once it listens; rejects when it cannot. */
  readonly listening: Promise<number>;
}

/** Bounds of bodies in bytes. */
const bounds = { each: 2 ** 20, all: 16 * 2 ** 20 };
/** Texts to the statuses of bodies that are refused. */
const refusals = { 413: `more than ${bounds.each} bytes`, 503: 'too many deliveries at a time' } as const;
/** ms within which a request has to be received. */
const deadline = 10_000;
/** Maximum number of concurrent connections and of remembered deliveries. */
const [maxConnections, maxDeliveries] = [100, 1000];
/** ms between two log lines about deliveries that were refused. */
const quiet = 60_000;

/** Response: status and one line. */
type HttpAnswer = readonly [status: number, text: string];

class WebhookListener implements WebhookServer {
  readonly name = 'webhook server';
  readonly #options: WebhookServerOptions;
  readonly #listener: HttpListener;
  readonly #bodies = createBodyReader(bounds);
  /** Ids of deliveries, oldest first. */
  readonly #seen = new Set<string>();
  readonly #refused = { count: 0, toldAt: Number.NEGATIVE_INFINITY };

  constructor(options: WebhookServerOptions) {
    this.#options = options;
    const { port, address: host, path = '/webhook', logger } = options;
    this.#listener = createHttpListener({ name: this.name, port, host, maxConnections, logger, about: { path } });
  }

  get listening(): Promise<number> {
    return this.#listener.listening;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { createServer } = await import('node:http');
    const limits = { requestTimeout: deadline, headersTimeout: deadline, connectionsCheckingInterval: deadline };
    const server = createServer(limits, (request, response) => void this.#handle(request, response));
    await this.#listener.serve(server, signal);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, text] = await this.#answer(request).catch((error): HttpAnswer => this.#failed(error));
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      ...(!request.complete && { connection: 'close' }),
    });
    response.end(`${text}\n`, () => {
      if (!request.complete) request.destroy();
    });
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer> {
    const { method, url = '/', headers } = request;
    const { path = '/webhook', onDelivery } = this.#options;
    if (url.replace(/\?.*/, '') !== path) return [404, 'not found'];
    if (method !== 'POST') return [405, 'POST only'];
    const held = await this.#bodies.read(request);
    if ('status' in held) return [held.status, refusals[held.status]];
    const delivery = await this.#read(headers, held);
    if (delivery === undefined) return [200, 'nothing to do'];
    if (this.#seen.has(delivery.id)) return [200, 'seen before'];
    this.#remember(delivery.id);
    return onDelivery(delivery) ? [202, 'accepted'] : [200, 'not a repository of this config'];
  }

  async #read(headers: IncomingHttpHeaders, { body, release }: Extract<HeldBody, { body: Buffer }>) {
    try {
      return await this.#options.host.delivery({ headers, body });
    } finally {
      release();
    }
  }

  #remember(id: string): void {
    this.#seen.add(id);
    for (const oldest of this.#seen) {
      if (this.#seen.size <= maxDeliveries) break;
      this.#seen.delete(oldest);
    }
  }

  /** Responds to an untrusted or failed request; untrusted ones are logged at a limited rate. */
  #failed(error: unknown): HttpAnswer {
    const { clock, logger } = this.#options;
    const refused = this.#refused;
    refused.count += 1;
    if (clock.monotonic() - refused.toldAt >= quiet) {
      logger?.warn({ reason: messageOf(error), requests: refused.count }, 'webhook refused');
      Object.assign(refused, { count: 0, toldAt: clock.monotonic() });
    }
    return error instanceof UnsignedDeliveryError ? [401, messageOf(error)] : [500, 'the delivery could not be read'];
  }
}

/**
 * Creates an HTTP server that accepts deliveries until the signal aborts. A delivery needs a valid signature, has a bounded size, must arrive in time, and is
 * accepted once, as far as the server remembers the last ones. `run` rejects when the port is taken.
 */
export const createWebhookServer = (options: WebhookServerOptions): WebhookServer => new WebhookListener(options);
