/** Sends single HTTP requests over undici dispatchers. */

import type { Dispatcher } from 'undici';

/** HTTP request, ready to be sent. */
export interface HttpRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | undefined;
}

/** Header values by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Receiver of a response: `start`, one `head`, chunks, then exactly one of `end` and `fail`; `fail` may come at any time. */
export interface ResponseSink {
  /** Called before the request is sent. */
  start(flow: Flow): void;
  head(status: number, headers: Headers): void;
  chunk(bytes: Buffer): void;
  end(): void;
  /** `notSent`: no byte of the request was sent, so it has had no effect. */
  fail(cause: unknown, notSent: boolean): void;
}

/** Request in progress. */
export interface Flow {
  /** Fails the sink and closes the connection; does nothing after the end of the response. */
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/** Disables undici's timeouts, since the caller's limits apply. */
const dispatchOptionsOf = ({ method, body, ...request }: HttpRequest): Dispatcher.DispatchOptions => ({
  ...request,
  method: method as Dispatcher.HttpMethod,
  body: body ?? null,
  headersTimeout: 0,
  bodyTimeout: 0,
});

/** Sends the request and passes the response to the sink. A request aborted while it waits for a connection is never sent. */
export function dispatchTo(dispatcher: Dispatcher, request: HttpRequest, sink: ResponseSink): void {
  let controller: Dispatcher.DispatchController | undefined;
  let ended: Error | true | undefined;
  const fail = (cause: Error): void => {
    if (ended !== undefined) return;
    ended = cause;
    sink.fail(cause, controller === undefined);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      if (ended instanceof Error) return started.abort(ended);
      controller = started;
    },
    onResponseStart(_, status, headers) {
      // 1xx responses precede the final one.
      if (ended === undefined && status >= 200) sink.head(status, headers);
    },
    onResponseData(_, chunk) {
      if (ended === undefined) sink.chunk(chunk);
    },
    onResponseEnd() {
      if (ended !== undefined) return;
      ended = true;
      sink.end();
    },
    onResponseError: (_, cause) => fail(cause),
  };
  sink.start({
    abort(reason) {
      const running = ended === undefined ? controller : undefined;
      fail(reason);
      running?.abort(reason);
    },
    pause: () => controller?.pause(),
    resume: () => controller?.resume(),
  });
  if (ended === undefined) dispatcher.dispatch(dispatchOptionsOf(request), handler);
}

/** Complete HTTP response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Result of one attempt: a value, a refusal by the server, or no response. */
export type HttpOutcome<T> =
  | { readonly type: 'value'; readonly value: T }
  | { readonly type: 'refused'; readonly answer: HttpResponse }
  | { readonly type: 'lost'; readonly cause: unknown; readonly notSent: boolean };

/** Joins the chunks of a body into one buffer; a single chunk is not copied. */
export const bodyOf = (chunks: readonly Buffer[]): Buffer =>
  (chunks.length === 1 && chunks[0]) || Buffer.concat(chunks);

/** Aborts the flow when the signal aborts; returns the function to call when the flow has ended. */
export function abortWith(flow: Flow, signal: AbortSignal): () => void {
  const onAbort = (): void =>
    flow.abort(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/** Longest body of a success in bytes: a page of a list may be as long as a text can be. */
export const maxBodyLength = 2 ** 29 - 25;
/** Longest body of a refusal in bytes; the rest is not read. */
export const maxRefusalLength = 2 ** 20;

/** Reports whether a status is a success. A redirect is none, and is not followed: it could carry the credentials elsewhere. */
export const isSuccess = (status: number): boolean => status < 300;

/** Sends the request and collects the whole response. Never rejects. */
export const exchangeHttp = (
  dispatcher: Dispatcher,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpOutcome<HttpResponse>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [status, length] = [0, 0];
    let headers: Headers = {};
    let flow: Flow | undefined;
    let removeAbortListener: (() => void) | undefined;
    const settle = (outcome: HttpOutcome<HttpResponse>): void => {
      removeAbortListener?.();
      resolve(outcome);
    };
    const end = (): void => {
      const answer = { status, headers, body: bodyOf(chunks) };
      settle(isSuccess(status) ? { type: 'value', value: answer } : { type: 'refused', answer });
    };
    dispatchTo(dispatcher, request, {
      start(started) {
        flow = started;
        removeAbortListener = abortWith(started, signal);
      },
      head(code, fields) {
        status = code;
        headers = fields;
      },
      chunk(bytes) {
        const longest = isSuccess(status) ? maxBodyLength : maxRefusalLength;
        length += bytes.length;
        if (length <= longest) return void chunks.push(bytes);
        if (!isSuccess(status)) end();
        chunks.length = 0;
        flow?.abort(new Error(`more than ${longest} bytes`));
      },
      end,
      fail: (cause, notSent) => settle({ type: 'lost', cause, notSent }),
    });
  });
