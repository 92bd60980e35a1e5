import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { type RequestInfo, UnreachableError } from '../errors.ts';
import { apiErrorOf, statusOf } from './api-errors.ts';
import { type ByteStream, openStream } from './byte-stream.ts';
import type { CallOptions } from './client.ts';
import type { Connection, Credentials } from './connection.ts';
import { type Answer, exchange, type HttpRequest, type Outcome } from './exchange.ts';
import { patienceOf, retryAfterOf } from './patience.ts';
import { createDialer, type Dialer } from './pools.ts';

/** A request to the API: `path` begins at the server's URL. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** How a stream is opened. */
export interface OpenOptions {
  readonly signal: AbortSignal;
  /** ms without any byte, the head of the answer included, after which the server counts as unreachable. */
  readonly idleTimeout: number;
}

/** Requests to one server, with its credentials and patience. Errors are ours, from sdk/errors.ts. */
export interface Transport {
  readonly server: string;
  /** A whole good answer. Rejects with the signal's reason when it aborts. @throws ApiError, UnreachableError */
  call(call: Call, options?: CallOptions): Promise<Answer>;
  /** The body of a good answer, as it comes, over a connection of its own. @throws ApiError, UnreachableError */
  open(call: Call, options: OpenOptions): Promise<ByteStream>;
  /** Ends all connections; does not touch a dispatcher that was handed in. */
  close(): Promise<void>;
}

/** Where requests go: a server to connect to, or a dispatcher that stands for one. */
export type Target =
  | { readonly connection: Connection /** @default 16 */; readonly connections?: number }
  | { readonly server: string; readonly dispatcher: Dispatcher };

/** What {@link createTransport} needs. */
export interface TransportOptions {
  readonly target: Target;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Something sent once over a dispatcher. */
type Attempt<T> = (
  dispatchers: { readonly calls: Dispatcher; readonly streams: Dispatcher },
  request: HttpRequest,
) => Promise<Outcome<T>>;

interface Limits {
  readonly signal: AbortSignal;
  /** Monotonic ms after which nothing is tried again. */
  readonly until: number;
}

const usualDeadline = 30_000;
const nobody: Credentials = { headers: {}, tls: {} };

function reach(target: Target): { readonly connection: Connection; readonly dialer: Dialer } {
  if ('connection' in target)
    return {
      connection: target.connection,
      dialer: createDialer({ connection: target.connection, connections: target.connections ?? 16 }),
    };
  const both = Promise.resolve({ calls: target.dispatcher, streams: target.dispatcher });
  return {
    connection: { server: target.server, credentials: () => nobody },
    dialer: { dial: () => both, close: () => Promise.resolve() },
  };
}

/** A plug-in that hangs must not hang the call. */
function unlessAborted<T>(work: T | Promise<T>, signal: AbortSignal, info: RequestInfo): T | Promise<T> {
  if (!(work instanceof Promise)) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new UnreachableError(info, signal.reason, true));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** A transport that connects with its first request. */
export function createTransport({ target, clock, random }: TransportOptions): Transport {
  const { connection, dialer } = reach(target);
  const { origin, pathname } = new URL(connection.server);
  const prefix = pathname.replace(/\/+$/, '');

  const requestOf = (call: Call, { headers }: Credentials): HttpRequest => ({
    ...call,
    origin,
    path: prefix + call.path,
    headers: { ...call.headers, ...headers },
  });

  async function insist<T>(call: Call, { signal, until }: Limits, attempt: Attempt<T>): Promise<T> {
    const info: RequestInfo = { method: call.method, path: call.path, server: connection.server };
    let renewed = false;
    let resent = false;
    for (let attempts = 0; ; ) {
      const credentials = await unlessAborted(connection.credentials({ renew: renewed, signal }), signal, info);
      const outcome = await attempt(await dialer.dial(credentials.tls), requestOf(call, credentials));
      if (outcome.type === 'value') return outcome.value;
      if (outcome.type === 'lost') {
        // A connection kept alive may have been closed by the server just then: a read is sent once more.
        if (call.method !== 'GET' || resent || outcome.notSent || signal.aborted)
          throw new UnreachableError(info, outcome.cause, outcome.notSent);
        resent = true;
        continue;
      }
      const { status, headers, body } = outcome.answer;
      if (status === 401 && !renewed) {
        renewed = true;
        continue;
      }
      const delay = patienceOf({ status, headers, attempt: attempts, now: clock.now(), random });
      if (delay === undefined || clock.monotonic() + delay >= until)
        throw apiErrorOf(statusOf(status, body.toString()), info, retryAfterOf(headers, clock.now()));
      attempts += 1;
      await clock.sleep(delay, signal);
    }
  }

  return {
    server: connection.server,
    call: async (call, { signal, deadline = usualDeadline } = {}) => {
      signal?.throwIfAborted();
      const limit = new AbortController();
      const onAbort = (): void => limit.abort(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const cancel = clock.after(deadline, () => limit.abort(new Error(`none within ${deadline} ms`)));
      try {
        const limits = { signal: limit.signal, until: clock.monotonic() + deadline };
        return await insist(call, limits, ({ calls }, request) => exchange(calls, request, limit.signal));
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        cancel();
        signal?.removeEventListener('abort', onAbort);
      }
    },
    open: (call, { signal, idleTimeout }) =>
      insist(call, { signal, until: clock.monotonic() + usualDeadline }, ({ streams }, request) =>
        openStream(streams, request, { clock, idleTimeout, signal }),
      ),
    close: () => dialer.close(),
  };
}
