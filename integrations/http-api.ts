/** Requests to the HTTP API of a vendor, bounded in time, size and number. */

import { Semaphore } from 'async-mutex';
import {
  aborted,
  type Clock,
  errorOfRequest,
  errorOfResponse,
  messageOf,
  ThrottledError,
  withDeadline,
} from '../sdk/index.ts';
import { shortLine } from './quoted-text.ts';

/** Address, credential and bounds of an API. */
export interface HttpApiOptions {
  /** Vendor, for messages. */
  readonly vendor: string;
  /** Base address, without a trailing slash. */
  readonly url: string;
  /** Headers with the credential, or a function that returns them for the body of a request. */
  readonly headers: Readonly<Record<string, string>> | ((body: string) => Readonly<Record<string, string>>);
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** ms until a request fails. */
  readonly deadline: number;
  /** Maximum number of concurrent requests; others wait. */
  readonly concurrency: number;
  /** Returns the vendor's message in the body of a refusal. */
  readonly reasonOf: (body: unknown) => string | undefined;
  /** Advice by status, appended to the message of a refusal. @default none */
  readonly advice?: Readonly<Record<number, string>>;
  /** Maximum length of a response body in bytes. @default 1 MiB */
  readonly maxBody?: number;
}

/** One request. */
export interface HttpApiRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base address, with the query. */
  readonly path: string;
  /** Sent as JSON. @default none */
  readonly body?: object;
  readonly signal: AbortSignal;
  /** Statuses besides 200 to 299 that are returned instead of thrown. @default none */
  readonly expected?: readonly number[];
  /** The body of a success is returned as text instead of JSON. @default false */
  readonly isText?: boolean;
}

/** Response with its body as JSON; undefined when that is empty, as of a change or HEAD, and for an expected status when it is not JSON. */
export interface HttpApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** API with one credential. */
export interface HttpApi {
  /**
   * Sends a request once; it is never retried. After a 429 (or a 503 with Retry-After) nothing is sent before the named time, an hour at most.
   * A GET response without a body is a failure: it does not prove absence.
   * @throws DefiniteError when it had no effect, ThrottledError when it is to be sent later, another Error when the outcome is unknown
   */
  request(request: HttpApiRequest): Promise<HttpApiResponse>;
}

/** Default maximum length of a response body in bytes. */
const defaultMaxBody = 2 ** 20;
/** Maximum pause in ms that a Retry-After can cause. */
const maxPause = 3_600_000;

/** Reads a body of limited size. @throws Error when it is longer */
async function textOf({ body }: Response, maxBody: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBody) throw new Error(`returned more than ${maxBody} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Parses a body. @throws Error when it is not JSON */
function jsonOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('returned something that is not JSON');
  }
}

/** Describes a failed request: a `fetch` that fails tells the reason in its cause, which the code of a system's error stands for. */
function failureOf(error: unknown): string {
  const cause = error instanceof TypeError ? error.cause : undefined;
  const isTold = !(cause instanceof Error) || typeof (cause as NodeJS.ErrnoException).code === 'string';
  return isTold ? messageOf(error) : `${messageOf(error)}: ${shortLine(messageOf(cause))}`;
}

/** Describes where a redirect leads, without its query, which may hold a credential; undefined for another response. */
function redirection({ status, headers }: Response, url: string): string | undefined {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  return `it leads to ${shortLine(`${origin}${pathname}`, 200)}, and redirects are not followed: if that is right, set it as the address`;
}

/** Reads the body of a refusal as JSON; undefined when that fails, since the status suffices. */
const refusalBody = (response: Response): Promise<unknown> =>
  textOf(response, defaultMaxBody)
    .then(jsonOf)
    .catch(() => undefined);

/** Creates an API client; its limits apply to all of its requests together. Redirects are not followed: they could carry the credential elsewhere. */
export function httpApi(options: HttpApiOptions): HttpApi {
  const { vendor, url, headers, fetch, clock, deadline, concurrency, reasonOf, advice = {} } = options;
  const { maxBody = defaultMaxBody } = options;
  const semaphore = new Semaphore(concurrency);
  let pausedUntil = 0;

  const refusalOf = async (response: Response, what: string): Promise<Error> => {
    const reason = shortLine(reasonOf(await refusalBody(response)) ?? '');
    const next = advice[response.status] ?? redirection(response, url);
    const message = [what, `HTTP ${response.status}`, reason, next].filter(Boolean).join(': ');
    const error = errorOfResponse(response, message, clock.now());
    if (!(error instanceof ThrottledError) || error.retryAfter === undefined) return error;
    const pause = Math.min(error.retryAfter, maxPause);
    pausedUntil = Math.max(pausedUntil, clock.monotonic() + pause);
    return new ThrottledError(message, pause);
  };
  const send = async (request: HttpApiRequest, what: string, signal: AbortSignal) => {
    const { method, path, body, expected = [], isText = false } = request;
    const sent = body && { body: JSON.stringify(body) };
    const json = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    const own = typeof headers === 'function' ? headers(sent?.body ?? '') : headers;
    const init: RequestInit = { method, headers: { ...json, ...own }, redirect: 'manual', signal, ...sent };
    const response = await fetch(`${url}${path}`, init);
    const { ok, status, headers: responseHeaders } = response;
    if (expected.includes(status)) return { status, headers: responseHeaders, body: await refusalBody(response) };
    if (!ok) return refusalOf(response, what);
    const text = await textOf(response, maxBody);
    const content = isText ? text : jsonOf(text);
    if (method === 'GET' && content === undefined) throw new Error(`returned nothing (HTTP ${status})`);
    return { status, headers: responseHeaders, body: content };
  };

  return {
    async request(request) {
      const path = `${new URL(url).pathname.replace(/\/$/, '')}${request.path}`;
      const what = `${vendor}: ${request.method} ${path || '/'}`;
      const release = await acquireSlot(semaphore, request.signal);
      try {
        const pause = pausedUntil - clock.monotonic();
        if (pause > 0) throw new ThrottledError(`${what}: not sent: ${vendor} asked to wait`, pause);
        const sent = await withDeadline({ clock, deadline, signal: request.signal }, (signal) =>
          send(request, what, signal).catch((error: unknown) => {
            throw errorOfRequest(error, `${what}: ${failureOf(signal.aborted ? signal.reason : error)}`);
          }),
        );
        if (sent instanceof Error) throw sent;
        return sent;
      } finally {
        release();
      }
    },
  };
}

/** Acquires a slot; returns the function that releases it. @throws the reason of the signal when it aborts first */
async function acquireSlot(semaphore: Semaphore, signal: AbortSignal): Promise<() => void> {
  const acquisition = semaphore.acquire();
  await Promise.race([acquisition, aborted(signal)]);
  if (signal.aborted) {
    void acquisition.then(([, release]) => release());
    throw signal.reason;
  }
  const [, release] = await acquisition;
  return release;
}
