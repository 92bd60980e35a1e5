/** Connects undici to the handler in process. */

import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { Dispatcher } from 'undici';
import type { Authenticate } from '../authn/authenticate.ts';
import { unauthorized } from '../encoding/representation.ts';
import type { ApiRequest, ApiResponse, Handler, User } from '../requests/message.ts';
import { isMultiValue } from '../requests/multi-value-headers.ts';

type Body = Dispatcher.DispatchOptions['body'];

async function bytesOf(body: Body): Promise<Uint8Array | undefined> {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) chunks.push(Buffer.from(chunk as string));
  return Buffer.concat(chunks);
}

type Headers = Record<string, string>;

function headersOf(given: Dispatcher.DispatchOptions['headers']): Headers {
  const headers: Headers = {};
  const set = (name: string, value: unknown) => {
    if (value === undefined || value === null) return;
    const key = name.toLowerCase();
    headers[key] = Array.isArray(value) ? value.join(isMultiValue(key) ? '\n' : ', ') : String(value);
  };
  if (Array.isArray(given)) {
    for (let index = 0; index + 1 < given.length; index += 2) set(String(given[index]), given[index + 1]);
  } else if (given && typeof (given as Iterable<unknown>)[Symbol.iterator] === 'function') {
    for (const [name, value] of given as Iterable<[string, string]>) set(name, value);
  } else {
    for (const [name, value] of Object.entries(given ?? {})) set(name, value);
  }
  return headers;
}

const queryText = (query: Dispatcher.DispatchOptions['query']): string =>
  query === undefined
    ? ''
    : `?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`;

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Exchange of a request and its answer: the DispatchController that undici sees. */
class Exchange implements Dispatcher.DispatchController {
  aborted = false;
  reason: Error | null = null;
  paused = false;
  rawHeaders: string[] = [];
  rawTrailers: string[] = [];
  readonly #handler: Dispatcher.DispatchHandler;
  #deferred: (() => void)[] = [];
  #stop: (() => void) | undefined;
  #over = false;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler;
  }

  abort(reason: Error): void {
    if (this.#over) return;
    this.aborted = true;
    this.reason = reason;
    this.#finish();
    this.#handler.onResponseError?.(this, reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    while (!this.paused && this.#deferred.length > 0) this.#deferred.shift()!();
  }

  /** Sets the raw headers of the answer and returns them by name. */
  #headersOf(response: ApiResponse): Record<string, string | string[]> {
    const headers: Record<string, string | string[]> = {};
    const rawHeaders: string[] = [];
    for (const name in response.headers) {
      const value = response.headers[name]!;
      if (typeof value === 'string') rawHeaders.push(name, value);
      else for (const one of value) rawHeaders.push(name, one);
      headers[name] = typeof value === 'string' || value.length > 1 ? (value as string | string[]) : value[0]!;
    }
    this.rawHeaders = rawHeaders;
    return headers;
  }

  /** Passes the answer to undici, at once or when it resumes. */
  respond(response: ApiResponse): void {
    if (this.#over) return;
    const headers = this.#headersOf(response);
    this.#handler.onResponseStart?.(this, response.status, headers);
    if (response.stream === undefined) {
      const body = typeof response.body === 'string' ? Buffer.from(response.body) : asBuffer(response.body);
      if (body.length > 0) this.#data(body);
      this.#end();
      return;
    }
    this.#stop = response.stream({
      write: (chunk) => this.#data(asBuffer(chunk)),
      end: () => this.#end(),
      abort: (error) => this.#do(() => this.abort(error)),
    });
    if (this.#over) this.#stop();
  }

  #do(step: () => void): void {
    if (this.paused || this.#deferred.length > 0) this.#deferred.push(step);
    else step();
  }

  #data(chunk: Buffer): void {
    this.#do(() => {
      if (!this.#over) this.#handler.onResponseData?.(this, chunk);
    });
  }

  #end(): void {
    this.#do(() => {
      if (this.#over) return;
      this.#finish();
      this.#handler.onResponseEnd?.(this, {});
    });
  }

  #finish(): void {
    this.#over = true;
    this.#deferred = [];
    this.#stop?.();
  }
}

const shorthands = ['compose', 'connect', 'pipeline', 'request', 'stream', 'upgrade'] as const;

/** Returns undici's convenience methods, which load undici on first use: 90 ms and 20 MB. */
function undiciShorthands(): object {
  const load = () => createRequire(import.meta.url)('undici') as typeof import('undici');
  const shorthand = (name: (typeof shorthands)[number]) =>
    function (this: Dispatcher, ...given: readonly unknown[]): unknown {
      const method = load().Dispatcher.prototype[name] as (...given: unknown[]) => unknown;
      return method.apply(this, [...given]);
    };
  return Object.fromEntries(shorthands.map((name) => [name, shorthand(name)]));
}

/** Handler of a dispatcher, and the identity of its requests. */
export interface InProcess {
  readonly handle: Handler;
  /** User of requests without an Authorization header. */
  readonly user: User;
  readonly authenticate: Authenticate;
}

async function exchangeWith(
  { handle, user, authenticate }: InProcess,
  request: Omit<ApiRequest, 'body' | 'user'> & { readonly body: Body },
  exchange: Exchange,
): Promise<void> {
  try {
    const { authorization } = request.headers;
    const asker = authorization === undefined ? user : await authenticate({ authorization });
    const body = await bytesOf(request.body);
    exchange.respond(asker === undefined ? unauthorized() : await handle({ ...request, body, user: asker }));
  } catch (error) {
    exchange.abort(error as Error);
  }
}

function settled(callback?: () => void): Promise<void> & void {
  const done = Promise.resolve();
  if (callback !== undefined) void done.then(callback);
  return done as Promise<void> & void;
}

/**
 * Creates a dispatcher that passes requests to the handler without a socket. It does not load undici and is no
 * `instanceof` its Dispatcher.
 */
export function createDispatcher(options: InProcess): Dispatcher {
  const own = {
    dispatch(
      { method, path, query, body, headers }: Dispatcher.DispatchOptions,
      handler: Dispatcher.DispatchHandler,
    ): boolean {
      const exchange = new Exchange(handler);
      handler.onRequestStart?.(exchange, {});
      const request = { method, url: path + queryText(query), headers: headersOf(headers), body };
      if (!exchange.aborted) void exchangeWith(options, request, exchange);
      return true;
    },
    close: settled,
    destroy: (error?: Error | null | (() => void), callback?: () => void) =>
      settled(typeof error === 'function' ? error : callback),
  };
  return Object.assign(new EventEmitter(), undiciShorthands(), own) as unknown as Dispatcher;
}
