/** Sends spans to an OpenTelemetry collector by OTLP over HTTP, in JSON. */

import type { Attributes } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../clock.ts';
import { withDeadline } from '../deadline.ts';
import { backoffDelay, backoffs } from '../retry.ts';
import { type EndedSpan, exportRequestOf } from './otlp-json.ts';

/** Options of an exporter. */
export interface ExporterOptions {
  /** Address of the collector, such as http://collector:4318; spans go to `/v1/traces` below it. */
  readonly url: string;
  /** Further headers of each request. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Attributes of this process. @default { 'service.name': 'sequencer' } */
  readonly resource?: Attributes;
  /** Redacts a text that is sent: a span's name, its status message, or the value of an attribute. @default no redaction */
  readonly redact?: (text: string) => string;
  readonly logger?: Logger | undefined;
  readonly clock?: Clock;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** Maximum number of queued spans and of spans of a request; ms until queued spans are sent, until a request fails, and until `close` gives up. */
const limits = { queue: 4096, batch: 512, wait: 5000, request: 10_000, close: 5000 } as const;

/** Statuses after which the same spans may be sent again. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends spans in batches, one request at a time. While the collector is unavailable, up to 4 096 spans are kept and sent later. */
export class OtlpExporter {
  readonly #options: ExporterOptions;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #queue: EndedSpan[] = [];
  #dropped = 0;
  #failures = 0;
  #sending: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Number of dropped spans: the queue was full, or the collector refused them. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Queues a span; it is dropped when the queue is full. */
  add(span: EndedSpan): void {
    if (this.#queue.length >= limits.queue || this.#stop.signal.aborted) this.#dropped += 1;
    else this.#queue.push(span);
    if (this.#failures === 0 && this.#queue.length >= limits.batch) this.#send();
    else this.#sendAfter(limits.wait);
  }

  /** Sends the pending spans within `limits.close`. */
  async close(): Promise<void> {
    const cancel = this.#clock.after(limits.close, () => this.#stop.abort(new Error('the exporter is closed')));
    this.#failures = 0;
    do {
      this.#send();
      await this.#sending;
    } while (this.#queue.length > 0 && this.#failures === 0);
    this.#cancelTimer?.();
    cancel();
    this.#dropped += this.#queue.splice(0).length;
    this.#stop.abort(new Error('the exporter is closed'));
  }

  #sendAfter(ms: number): void {
    if (this.#sending !== undefined || this.#stop.signal.aborted) return;
    this.#cancelTimer ??= this.#clock.after(ms, () => {
      this.#cancelTimer = undefined;
      this.#send();
    });
  }

  #send(): void {
    if (this.#sending !== undefined || this.#queue.length === 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const batch = this.#queue.splice(0, limits.batch);
    this.#sending = this.#export(batch).then((isSent) => {
      this.#sending = undefined;
      if (this.#queue.length === 0 || this.#stop.signal.aborted) return;
      if (isSent && this.#queue.length >= limits.batch) this.#send();
      else this.#sendAfter(isSent ? limits.wait : backoffDelay(backoffs.spanExport, this.#failures - 1, Math.random));
    });
  }

  /** Sends a batch. Never throws. @returns false if its spans are queued again */
  async #export(batch: readonly EndedSpan[]): Promise<boolean> {
    try {
      const status = await this.#post(batch);
      if (status < 400) this.#accepted();
      else if (retryableStatuses.has(status)) return this.#failed(batch, `it answers ${status}`);
      else this.#refused(batch, status);
      return true;
    } catch (error) {
      return this.#failed(batch, error);
    }
  }

  async #post(batch: readonly EndedSpan[]): Promise<number> {
    const { url, headers, fetch = globalThis.fetch, redact = (text) => text } = this.#options;
    const { resource = { 'service.name': 'sequencer' } } = this.#options;
    const body = JSON.stringify(exportRequestOf(batch, { resource, scope: 'workspace-sequencer', redact }));
    const target = `${url.replace(/\/+$/, '')}/v1/traces`;
    const requestLimits = { clock: this.#clock, deadline: limits.request, signal: this.#stop.signal };
    return withDeadline(requestLimits, async (signal) => {
      const requestHeaders = { 'content-type': 'application/json', ...headers };
      const answer = await fetch(target, { method: 'POST', headers: requestHeaders, body, signal, redirect: 'error' });
      await answer.body?.cancel();
      return answer.status;
    });
  }

  #accepted(): void {
    const { logger } = this.#options;
    if (this.#failures > 0) logger?.info({ dropped: this.#dropped }, 'the collector takes spans again');
    this.#failures = 0;
  }

  #refused(batch: readonly EndedSpan[], status: number): void {
    this.#dropped += batch.length;
    this.#log({ status });
    this.#failures += 1;
  }

  #failed(batch: readonly EndedSpan[], error: unknown): false {
    const capacity = Math.max(0, limits.queue - this.#queue.length);
    this.#queue.unshift(...batch.slice(0, capacity));
    this.#dropped += Math.max(0, batch.length - capacity);
    this.#log({ err: error });
    this.#failures += 1;
    return false;
  }

  /** Logs a failure unless the previous request failed as well. */
  #log(reason: object): void {
    const { logger, url } = this.#options;
    if (this.#failures === 0) logger?.warn({ ...reason, url, dropped: this.#dropped }, 'the collector takes no spans');
  }
}
