/** Sends requests to one API server, with credentials, retries and deadlines. */

import type { Dispatcher } from 'undici';
import type { Clock } from '../../clock.ts';
import { type RequestInfo, UnreachableError } from '../../errors.ts';
import { type CallOptions, callDefaults } from '../client.ts';
import type { Connection, Credentials } from '../config/connection.ts';
import { apiErrorOf, statusOf } from './api-errors.ts';
import { type ByteStream, openStream } from './byte-stream.ts';
import { exchangeHttp, type HttpOutcome, type HttpRequest, type HttpResponse } from './http-exchange.ts';
import { type ConnectionPools, createDialer, type Dialer } from './pools.ts';
import { retryAfterHeader, retryDelayOf } from './retry-after.ts';

/** Request to the API; `path` is relative to the server's URL. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Options of {@link Transport.open}. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** ms without any byte, the head of the response included, after which the server counts as unreachable. */
  readonly idleTimeout: number;
}

/** Sends requests to one server, with credentials and retries. Errors are those of sdk/errors.ts. */
export interface Transport {
  readonly server: string;
  /** Resolves with a successful response. Rejects with the signal's reason when it aborts. @throws ApiError, UnreachableError */
  call(call: ApiCall, options?: CallOptions): Promise<HttpResponse>;
  /** Opens the body of a successful response as a stream, over a separate connection. @throws ApiError, UnreachableError */
  open(call: ApiCall, options: OpenOptions): Promise<ByteStream>;
  /** Closes all connections; a dispatcher passed in stays open. */
  close(): Promise<void>;
}

/** Destination of requests: a server to connect to, or a dispatcher in its place. */
export type Target =
  | { readonly connection: Connection /** @default 16 */; readonly connections?: number }
  | { readonly server: string; readonly dispatcher: Dispatcher };

/** Options of {@link createTransport}. */
export interface TransportOptions {
  readonly target: Target;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Sends a request once. */
type Attempt<T> = (pools: ConnectionPools, request: HttpRequest) => Promise<HttpOutcome<T>>;

/** One attempt, and the limits of all attempts of a call. */
interface AttemptLimits<T> {
  readonly attempt: Attempt<T>;
  readonly signal: AbortSignal;
  /** Monotonic ms at which the wait for credentials ends, and after which there is no further attempt. */
  readonly until: number;
}

/** Resolved target: URL, credentials and connections. */
interface Route {
  readonly origin: string;
  /** Prefix of all paths. */
  readonly prefix: string;
  readonly connection: Connection;
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly random: () => number;
}

const noCredentials: Credentials = { headers: {}, tls: {} };

function dialerOf(target: Target): Dialer {
  if ('connection' in target) return createDialer({ connections: 16, ...target });
  const { dispatcher } = target;
  const both = Promise.resolve({ calls: dispatcher, streams: dispatcher, replace: () => undefined });
  return { dial: () => both, close: () => Promise.resolve() };
}

function routeTo({ target, clock, random }: TransportOptions): Route {
  const connection =
    'connection' in target ? target.connection : { server: target.server, credentials: () => noCredentials };
  const { origin, pathname } = new URL(connection.server);
  return { origin, prefix: pathname.replace(/\/+$/, ''), connection, dialer: dialerOf(target), clock, random };
}

/** Clock and limits of a wait for credentials, and the request that they are for. */
interface CredentialWait extends Pick<AttemptLimits<unknown>, 'signal' | 'until'> {
  readonly clock: Clock;
  readonly info: RequestInfo;
}

/** Bounds the wait for credentials: a plug-in that hangs must not hang the call. @throws UnreachableError on abort or at `until` */
function withinLimits<T>(work: T | Promise<T>, { clock, signal, until, info }: CredentialWait): T | Promise<T> {
  if (!(work instanceof Promise)) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = (cause: unknown): void => reject(new UnreachableError(info, cause, true));
  const onAbort = (): void => fail(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const left = Math.max(0, until - clock.monotonic());
  const cancel = clock.after(left, () => fail(new Error(`no credentials within ${Math.round(left)} ms`)));
  return Promise.race([work, promise]).finally(() => {
    cancel();
    signal.removeEventListener('abort', onAbort);
  });
}

const requestOf = ({ origin, prefix }: Route, call: ApiCall, { headers }: Credentials): HttpRequest => ({
  ...call,
  origin,
  path: prefix + call.path,
  headers: { ...call.headers, ...headers },
});

const brokenConnectionCodes: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'];

const isBrokenConnection = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && brokenConnectionCodes.includes(cause.code);

/** Reports whether a lost call can be sent again: it only reads, and the server may have closed an idle connection at that moment. */
const isResendable = ({ method }: ApiCall, cause: unknown): boolean => method === 'GET' && isBrokenConnection(cause);

/**
 * Sends a call until it succeeds or must not be retried: retried once after a 401, once after a broken connection if it only reads, and after each
 * throttling response.
 */
async function sendWithRetries<T>(
  route: Route,
  call: ApiCall,
  { attempt, signal, until }: AttemptLimits<T>,
): Promise<T> {
  const { connection, dialer, clock, random } = route;
  const info: RequestInfo = { method: call.method, path: call.path, server: connection.server };
  let renewed = false;
  let resent = false;
  let refusals = 0;
  for (;;) {
    const credentials = await withinLimits(connection.credentials({ renew: renewed, signal }), {
      clock,
      signal,
      until,
      info,
    });
    const outcome = await attempt(await dialer.dial(credentials.tls), requestOf(route, call, credentials));
    if (outcome.type === 'value') return outcome.value;
    if (outcome.type === 'lost') {
      if (resent || !isResendable(call, outcome.cause))
        throw new UnreachableError(info, outcome.cause, outcome.notSent);
      resent = true;
      continue;
    }
    const { status, headers, body } = outcome.answer;
    if (status === 401 && !renewed) {
      renewed = true;
      continue;
    }
    const delay = retryDelayOf({ status, headers, attempt: refusals, now: clock.now(), random });
    if (delay === undefined || clock.monotonic() + delay >= until) {
      const from = { location: headers.location, server: connection.server };
      throw apiErrorOf(statusOf(status, body.toString(), from), info, retryAfterHeader(headers, clock.now()));
    }
    refusals += 1;
    await clock.sleep(delay, signal);
  }
}

/** Creates a transport that connects with its first request. */
export function createTransport(options: TransportOptions): Transport {
  const route = routeTo(options);
  const { clock } = options;
  return {
    server: route.connection.server,
    call: async (call, { signal: outer, deadline = callDefaults.deadline } = {}) => {
      outer?.throwIfAborted();
      const limit = new AbortController();
      const { signal } = limit;
      const onAbort = (): void => limit.abort(outer?.reason);
      outer?.addEventListener('abort', onAbort, { once: true });
      const cancel = clock.after(deadline, () => limit.abort(new Error(`none within ${deadline} ms`)));
      const attempt: Attempt<HttpResponse> = async ({ calls, replace }, request) => {
        const outcome = await exchangeHttp(calls, request, signal);
        const isUnanswered = outcome.type === 'lost' && !outcome.notSent && signal.aborted && outer?.aborted !== true;
        if (isUnanswered) replace();
        return outcome;
      };
      try {
        return await sendWithRetries(route, call, { attempt, signal, until: clock.monotonic() + deadline });
      } catch (error) {
        outer?.throwIfAborted();
        throw error;
      } finally {
        cancel();
        outer?.removeEventListener('abort', onAbort);
      }
    },
    open: (call, { signal, idleTimeout }) =>
      sendWithRetries(route, call, {
        attempt: ({ streams }, request) => openStream(streams, request, { clock, idleTimeout, signal }),
        signal,
        until: clock.monotonic() + callDefaults.deadline,
      }),
    close: () => route.dialer.close(),
  };
}
