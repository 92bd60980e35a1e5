/** Streams an HTTP response body with flow control and an idle timeout. */

import type { Dispatcher } from 'undici';
import type { Clock } from '../../clock.ts';
import {
  abortWith,
  bodyOf,
  dispatchTo,
  type Flow,
  type Headers,
  type HttpOutcome,
  type HttpRequest,
  isSuccess,
  maxRefusalLength,
} from './http-exchange.ts';

/** Response body that is read while it arrives. */
export interface ByteStream {
  /**
   * Resolves with the chunks that arrived since the last call, or waits for some; undefined at the end. @throws the error that ended the stream early
   */
  next(): Promise<readonly Buffer[] | undefined>;
  /** Closes the connection; a pending `next` resolves undefined. */
  close(): void;
}

/** Clock, idle timeout and signal of a stream. */
export interface StreamLimits {
  readonly clock: Clock;
  /** ms without any byte after which the connection counts as dead. */
  readonly idleTimeout: number;
  readonly signal: AbortSignal;
}

/** Bytes buffered for a slow reader before the connection is paused (TCP backpressure). */
const maxBuffered = 1024 * 1024;

interface PendingRead {
  resolve(chunks: readonly Buffer[] | undefined): void;
  reject(cause: unknown): void;
}

/** Chunks that have arrived and have not been read. */
class ChunkBuffer implements ByteStream {
  #flow: Flow | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #end: { readonly cause?: unknown } | undefined;
  #pendingRead: PendingRead | undefined;

  attach(flow: Flow): void {
    this.#flow = flow;
  }

  get paused(): boolean {
    return this.#bytes > maxBuffered;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#pendingRead !== undefined) this.#deliver(this.#pendingRead);
    else if (this.paused) this.#flow?.pause();
  }

  finish(end: { readonly cause?: unknown }): void {
    this.#end ??= end;
    if (this.#pendingRead !== undefined) this.#deliver(this.#pendingRead);
  }

  next(): Promise<readonly Buffer[] | undefined> {
    return new Promise((resolve, reject) => {
      const read = { resolve, reject };
      if (this.#chunks.length > 0 || this.#end !== undefined) this.#deliver(read);
      else this.#pendingRead = read;
    });
  }

  close(): void {
    this.#chunks = [];
    this.finish({});
    this.abort(new Error('the reader was cancelled'));
  }

  abort(reason: Error): void {
    this.#flow?.abort(reason);
  }

  #deliver(read: PendingRead): void {
    const { paused } = this;
    const chunks = this.#chunks;
    this.#pendingRead = undefined;
    this.#chunks = [];
    this.#bytes = 0;
    if (chunks.length > 0) read.resolve(chunks);
    else if (this.#end !== undefined && 'cause' in this.#end) read.reject(this.#end.cause);
    else read.resolve(undefined);
    if (paused) this.#flow?.resume();
  }
}

interface IdleTimerOptions {
  readonly clock: Clock;
  readonly timeout: number;
  /** Reports whether reading is paused here, so that silence says nothing about the server. */
  readonly paused: () => boolean;
  readonly expired: () => void;
}

/** Calls `expired` after `timeout` ms without activity. Uses one timer at a time. */
function createIdleTimer({ clock, timeout, paused, expired }: IdleTimerOptions) {
  let lastActivityAt = clock.monotonic();
  const recordActivity = (): void => {
    lastActivityAt = clock.monotonic();
  };
  const check = (): void => {
    if (paused()) recordActivity();
    const left = lastActivityAt + timeout - clock.monotonic();
    if (left <= 0) expired();
    else cancel = clock.after(left, check);
  };
  let cancel = clock.after(timeout, check);
  return { recordActivity, cancel: (): void => cancel() };
}

/** Sends the request; resolves with the body when the head of a successful response arrives, or with a complete failed response. */
export const openStream = (
  dispatcher: Dispatcher,
  request: HttpRequest,
  { clock, idleTimeout: timeout, signal }: StreamLimits,
): Promise<HttpOutcome<ByteStream>> =>
  new Promise((resolve) => {
    const buffer = new ChunkBuffer();
    const expired = (): void => {
      if (status !== 0 && !isSuccess(status)) refuse(); // the status suffices
      buffer.abort(new Error(`no data for ${timeout} ms`));
    };
    const idle = createIdleTimer({ clock, timeout, paused: () => buffer.paused, expired });
    const refusal: Buffer[] = [];
    let [status, length] = [0, 0];
    let headers: Headers = {};
    let removeAbortListener: (() => void) | undefined;
    const finish = (end: { readonly cause?: unknown }): void => {
      idle.cancel();
      removeAbortListener?.();
      buffer.finish(end);
    };
    const refuse = (): void => resolve({ type: 'refused', answer: { status, headers, body: bodyOf(refusal) } });
    dispatchTo(dispatcher, request, {
      start(flow) {
        buffer.attach(flow);
        removeAbortListener = abortWith(flow, signal);
      },
      head(code, fields) {
        idle.recordActivity();
        status = code;
        headers = fields;
        if (isSuccess(status)) resolve({ type: 'value', value: buffer });
      },
      chunk(bytes) {
        if (isSuccess(status)) {
          idle.recordActivity();
          return buffer.push(bytes);
        }
        length += bytes.length;
        if (length <= maxRefusalLength) return void refusal.push(bytes);
        refuse();
        buffer.abort(new Error(`more than ${maxRefusalLength} bytes`));
      },
      end() {
        finish({});
        refuse();
      },
      fail(cause, notSent) {
        finish({ cause });
        resolve({ type: 'lost', cause, notSent });
      },
    });
  });
