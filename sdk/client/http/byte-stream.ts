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
const maxHeld = 1024 * 1024;

interface Waiting {
  resolve(chunks: readonly Buffer[] | undefined): void;
  reject(cause: unknown): void;
}

/** Buffer of chunks that have arrived and were not read yet. */
class Inbox implements ByteStream {
  #flow: Flow | undefined;
  #held: Buffer[] = [];
  #bytes = 0;
  #over: { readonly cause?: unknown } | undefined;
  #waiting: Waiting | undefined;

  fedBy(flow: Flow): void {
    this.#flow = flow;
  }

  get paused(): boolean {
    return this.#bytes > maxHeld;
  }

  put(chunk: Buffer): void {
    this.#held.push(chunk);
    this.#bytes += chunk.length;
    if (this.#waiting !== undefined) this.#hand(this.#waiting);
    else if (this.paused) this.#flow?.pause();
  }

  finish(over: { readonly cause?: unknown }): void {
    this.#over ??= over;
    if (this.#waiting !== undefined) this.#hand(this.#waiting);
  }

  next(): Promise<readonly Buffer[] | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      if (this.#held.length > 0 || this.#over !== undefined) this.#hand(waiting);
      else this.#waiting = waiting;
    });
  }

  close(): void {
    this.#held = [];
    this.finish({});
    this.abort(new Error('the reader was cancelled'));
  }

  abort(reason: Error): void {
    this.#flow?.abort(reason);
  }

  #hand(to: Waiting): void {
    const { paused } = this;
    const chunks = this.#held;
    this.#waiting = undefined;
    this.#held = [];
    this.#bytes = 0;
    if (chunks.length > 0) to.resolve(chunks);
    else if (this.#over !== undefined && 'cause' in this.#over) to.reject(this.#over.cause);
    else to.resolve(undefined);
    if (paused) this.#flow?.resume();
  }
}

interface IdleTimerOptions {
  readonly clock: Clock;
  readonly timeout: number;
  /** Reports whether reading is paused on this side, so that silence is not the server's fault. */
  readonly paused: () => boolean;
  readonly expired: () => void;
}

/** Calls `expired` after `timeout` ms without activity. Uses one timer at a time. */
function createIdleTimer({ clock, timeout, paused, expired }: IdleTimerOptions) {
  let heardAt = clock.monotonic();
  const heard = (): void => {
    heardAt = clock.monotonic();
  };
  const check = (): void => {
    if (paused()) heard();
    const left = heardAt + timeout - clock.monotonic();
    if (left <= 0) expired();
    else cancel = clock.after(left, check);
  };
  let cancel = clock.after(timeout, check);
  return { heard, cancel: (): void => cancel() };
}

/** Sends the request; resolves with the body as soon as a successful response's head arrives, or with the whole refusal. */
export const openStream = (
  dispatcher: Dispatcher,
  request: HttpRequest,
  { clock, idleTimeout: timeout, signal }: StreamLimits,
): Promise<HttpOutcome<ByteStream>> =>
  new Promise((resolve) => {
    const inbox = new Inbox();
    const expired = (): void => inbox.abort(new Error(`no data for ${timeout} ms`));
    const idle = createIdleTimer({ clock, timeout, paused: () => inbox.paused, expired });
    const refusal: Buffer[] = [];
    let status = 0;
    let headers: Headers = {};
    let forget: (() => void) | undefined;
    const over = (how: { readonly cause?: unknown }): void => {
      idle.cancel();
      forget?.();
      inbox.finish(how);
    };
    dispatchTo(dispatcher, request, {
      start(flow) {
        inbox.fedBy(flow);
        forget = abortWith(flow, signal);
      },
      head(code, fields) {
        idle.heard();
        status = code;
        headers = fields;
        if (status < 400) resolve({ type: 'value', value: inbox });
      },
      chunk(bytes) {
        idle.heard();
        if (status < 400) inbox.put(bytes);
        else refusal.push(bytes);
      },
      end() {
        over({});
        resolve({ type: 'refused', answer: { status, headers, body: bodyOf(refusal) } });
      },
      fail(cause, notSent) {
        over({ cause });
        resolve({ type: 'lost', cause, notSent });
      },
    });
  });
