/** HTTPS server of webhooks. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Logger } from 'pino';
import { resourceOf } from '../api/kind.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createBodyReader } from '../operator/body-reader.ts';
import type { Observer } from '../operator/engine/observer.ts';
import { createHttpListener, type HttpListener } from '../operator/http-listener.ts';
import type { Runnable } from '../operator/operator.ts';
import { messageOf } from '../thrown.ts';
import { answerDefaults, answerValidation, type ReviewAnswer } from './admission.ts';
import type { CertificatePair, CertificateSource } from './certificates/certificate-source.ts';
import { answerConversion } from './conversion.ts';
import { type Webhook, webhookPath } from './declarations.ts';
import { checkInstallation, type WebhookInstallation } from './installation.ts';
import { reviewDeadline } from './review-deadline.ts';
import { ReviewError } from './reviews.ts';

/** Options of {@link createWebhooks}. */
export interface WebhooksOptions extends WebhookInstallation {
  /** TCP port; 0 picks any free one. */
  readonly port: number;
  /** Address to listen on. @default all addresses of the machine */
  readonly host?: string;
  /** Certificate of the server: {@link ownCertificates}, or {@link certificateFiles}. */
  readonly certificates: CertificateSource;
  /** Maximum size of a review in bytes; a larger one is answered with 413. @default 7 MiB: two objects of the maximum size of API servers */
  readonly maxBody?: number;
  /** ms that reviews in progress have to end once it is stopped. @default 10 000 */
  readonly drain?: number;
  readonly observer?: Pick<Observer, 'reviewed'>;
  readonly clock?: Clock;
  readonly logger?: Logger | undefined;
}

/** Server of webhooks: a runnable of an operator, in each of its replicas. */
export interface Webhooks extends Runnable {
  /** Resolves with the port once it listens with a certificate; rejects when it cannot. */
  readonly listening: Promise<number>;
  /** Returns the reasons why it is not ready; for `ready` of a health server. */
  problems(): readonly string[];
}

/** Maximum number of connections, and ms until a request must be received. */
const [maxConnections, requestTime] = [1000, 10_000];
const defaults = { maxBody: 7 * 2 ** 20, drain: 10_000 };

/** Response: status, JSON or text, and the outcome of the review. */
interface WebhookAnswer {
  readonly status: number;
  readonly body: object | string;
  readonly outcome: ReviewAnswer['outcome'] | 'failed' | 'late' | 'refused';
}

const refusal = (status: number, body: string): WebhookAnswer => ({ status, body, outcome: 'refused' });

/** Name in messages, such as `validate of sites.example.com`. */
const nameOf = ({ type, kind }: Webhook): string => `${type} of ${resourceOf(kind)}`;

async function answerOf(webhook: Webhook, body: unknown, signal: AbortSignal): Promise<ReviewAnswer> {
  if (webhook.type === 'validate') return answerValidation(webhook, body, signal);
  return webhook.type === 'default' ? answerDefaults(webhook, body, signal) : answerConversion(webhook, body);
}

class ReviewServer implements Webhooks {
  readonly name = 'webhooks';
  readonly #options: WebhooksOptions;
  readonly #clock: Clock;
  readonly #webhooks: ReadonlyMap<string, Webhook>;
  readonly #bodies: ReturnType<typeof createBodyReader>;
  readonly #listener: HttpListener;
  #problem: string | undefined = 'webhooks: there is no certificate yet';

  constructor(options: WebhooksOptions) {
    this.#options = options;
    const { port, host, drain = defaults.drain, maxBody = defaults.maxBody, clock = systemClock, logger } = options;
    this.#clock = clock;
    this.#webhooks = new Map(options.webhooks.map((webhook) => [webhookPath(webhook), webhook]));
    this.#bodies = createBodyReader({ each: maxBody, all: Math.max(64 * 2 ** 20, 2 * maxBody) });
    const about = { paths: [...this.#webhooks.keys()] };
    this.#listener = createHttpListener({ name: this.name, port, host, drain, clock, logger, about });
  }

  get listening(): Promise<number> {
    return this.#listener.listening;
  }

  problems(): readonly string[] {
    return this.#problem === undefined ? [] : [this.#problem];
  }

  async run(signal: AbortSignal): Promise<void> {
    const { logger } = this.#options;
    const { createServer } = await import('node:https');
    const listenerEnded = new AbortController();
    const until = AbortSignal.any([signal, listenerEnded.signal]);
    const limits = {
      requestTimeout: requestTime,
      headersTimeout: requestTime,
      connectionsCheckingInterval: requestTime,
    };
    const server = createServer(limits, (request, response) => void this.#handle(request, response));
    server.maxConnections = maxConnections;
    server.on('tlsClientError', (error) =>
      logger?.debug({ reason: messageOf(error) }, 'TLS handshake of a webhook failed'),
    );
    const firstPair = Promise.withResolvers<void>();
    const certificates = this.#certificates(until, (pair) => {
      if (this.#serveWith(server, pair)) firstPair.resolve();
    });
    try {
      await Promise.race([firstPair.promise, certificates]);
      await Promise.all([this.#listener.serve(server, until).finally(() => listenerEnded.abort()), certificates]);
    } finally {
      this.#problem = 'webhooks: stopped';
      listenerEnded.abort();
      await certificates.catch(() => undefined);
    }
  }

  /** Runs the source of certificates. @throws Error when it ends though it was not stopped */
  async #certificates(signal: AbortSignal, onPair: (pair: CertificatePair) => void): Promise<void> {
    await this.#options.certificates.run(signal, { installation: this.#options, onPair });
    if (!signal.aborted) throw new Error('webhooks: the source of certificates has ended');
  }

  /** Serves new connections with a pair; an unusable pair is ignored and the previous one kept. */
  #serveWith(server: Server, { certificate, key }: CertificatePair): boolean {
    try {
      server.setSecureContext({ cert: certificate, key });
      this.#problem = undefined;
      return true;
    } catch (error) {
      this.#options.logger?.error({ err: error }, 'the certificate of the webhooks cannot be used');
      this.#problem &&= `webhooks: the certificate cannot be used: ${messageOf(error)}`;
      return false;
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method } = request;
    const webhook = this.#webhooks.get(url.replace(/\?.*/s, ''));
    if (webhook === undefined)
      return this.#send(request, response, refusal(404, `known are ${[...this.#webhooks.keys()].join(' ')}`));
    if (method !== 'POST') return this.#send(request, response, refusal(405, 'POST only'));
    const start = this.#clock.monotonic();
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const answer = await this.#answer(webhook, request, disconnected.signal);
    const { status, outcome } = answer;
    this.#options.observer?.reviewed?.({
      webhook: webhookPath(webhook),
      status,
      outcome,
      took: this.#clock.monotonic() - start,
    });
    this.#send(request, response, answer);
  }

  async #answer(webhook: Webhook, request: IncomingMessage, signal: AbortSignal): Promise<WebhookAnswer> {
    const received = await this.#bodies.read(request).catch(() => undefined);
    if (received === undefined) return refusal(400, 'the body has ended early');
    if ('status' in received)
      return refusal(
        received.status,
        received.status === 413 ? 'the review is too long' : 'too many reviews at a time',
      );
    try {
      return await this.#answerInTime(
        webhook,
        { text: received.body.toString(), deadline: reviewDeadline(request.url ?? '/') },
        signal,
      );
    } catch (error) {
      if (error instanceof ReviewError || error instanceof SyntaxError) return refusal(400, messageOf(error));
      this.#options.logger?.error({ err: error, webhook: webhookPath(webhook) }, 'a webhook failed');
      return {
        status: 500,
        body: `${nameOf(webhook)} failed; the log of its server shows the reason`,
        outcome: 'failed',
      };
    } finally {
      received.release();
    }
  }

  /** Returns the response to a review, or that of a timeout; a late handler continues, and its result is ignored. */
  async #answerInTime(
    webhook: Webhook,
    { text, deadline }: { readonly text: string; readonly deadline: number },
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    const timeout = new AbortController();
    const timedOut = Promise.withResolvers<WebhookAnswer>();
    const cancel = this.#clock.after(deadline, () => {
      timeout.abort(new Error(`${nameOf(webhook)} had ${deadline} ms`));
      this.#options.logger?.error({ webhook: webhookPath(webhook), deadline }, 'a webhook exceeded its deadline');
      timedOut.resolve({
        status: 500,
        body: `${nameOf(webhook)} has not answered within ${deadline} ms`,
        outcome: 'late',
      });
    });
    const answered = answerOf(webhook, JSON.parse(text), AbortSignal.any([signal, timeout.signal])).then(
      ({ review, outcome }): WebhookAnswer => ({ status: 200, body: review, outcome }),
    );
    try {
      return await Promise.race([answered, timedOut.promise]);
    } finally {
      cancel();
      answered.catch(() => undefined);
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, { status, body }: WebhookAnswer): void {
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
      ...(!request.complete && { connection: 'close' }),
    });
    response.end(isText ? `${body}\n` : JSON.stringify(body), () => {
      if (!request.complete) request.destroy();
    });
  }
}

/**
 * Creates the HTTPS server of webhooks. It serves until the signal aborts and then completes the reviews in progress. Each webhook has its own path
 * (`webhookPath`).
 * A handler that throws or is late results in status 500 with the handler's name, which API servers report to the user, and in the `failurePolicy`.
 * Thrown errors are only logged. `run` rejects when the port is in use.
 * @throws TypeError for two webhooks of one type and kind
 */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  checkInstallation(options);
  return new ReviewServer(options);
}
