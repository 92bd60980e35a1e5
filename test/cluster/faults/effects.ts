import type { Clock } from '../../../sdk/clock.ts';
import type { ApiRequest, ApiResponse, Handler, Sink } from '../http/message.ts';
import { jsonResponse } from '../http/represent.ts';
import { invalidOptions } from '../status.ts';

/** The connection is gone, and with it whatever would have been answered. */
export class ConnectionLostError extends Error {
  override readonly name = 'SocketError';
  readonly code: 'UND_ERR_SOCKET' | 'ECONNRESET';

  constructor(how: 'closed' | 'reset') {
    super(how === 'closed' ? 'other side closed' : 'read ECONNRESET');
    this.code = how === 'closed' ? 'UND_ERR_SOCKET' : 'ECONNRESET';
  }
}

/** Breaks the connection of a stream. */
export function breakOff(sink: Sink, how: 'closed' | 'reset'): void {
  if (sink.abort === undefined) sink.end();
  else sink.abort(new ConnectionLostError(how));
}

/** A refusal that the server would not have made. */
export interface FaultStatus {
  /** The HTTP status. */
  readonly code: number;
  /** @default the one that goes with the code */
  readonly reason?: string;
  /** @default a text that says that a test has made this up */
  readonly message?: string;
  /** Seconds, for the Retry-After header and `details.retryAfterSeconds`. */
  readonly retryAfter?: number;
}

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The Status that a refusal answers with. */
export function statusOf({ code, reason = reasons[code] ?? '', message, retryAfter }: FaultStatus): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: message ?? `a fault was injected: HTTP ${code}`,
    ...(reason !== '' && { reason }),
    ...(retryAfter !== undefined && { details: { retryAfterSeconds: retryAfter } }),
    code,
  };
}

/** What happens to a request: it gets the way on, and may go it or not. */
export type Effect = (request: ApiRequest, next: Handler) => Promise<ApiResponse>;

/** When something happens: before the server does anything, or after it has done all but answer. */
export type Moment = 'before' | 'after';

/** What a server without streaming lists says. */
const streamingRefused = (): ApiResponse => {
  const { status, code } = invalidOptions('ListOptions', [
    {
      type: 'Forbidden',
      field: 'sendInitialEvents',
      detail: 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    },
  ]);
  return jsonResponse(code, status);
};

const lose = (how: 'closed' | 'reset'): never => {
  throw new ConnectionLostError(how);
};

/** The connection goes down. */
export const losing = (moment: Moment, how: 'closed' | 'reset'): Effect =>
  moment === 'before'
    ? async () => lose(how)
    : async (request, next) => {
        await next(request);
        return lose(how);
      };

/** Something else is answered. */
export function answering(moment: Moment, status: FaultStatus): Effect {
  const { retryAfter } = status;
  const headers: ApiResponse['headers'] = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const answer = (): ApiResponse => jsonResponse(status.code, statusOf(status), headers);
  if (moment === 'before') return async () => answer();
  return async (request, next) => {
    await next(request);
    return answer();
  };
}

/** It takes longer, by the cluster's clock. */
export const delaying = (moment: Moment, clock: Clock, ms: number): Effect =>
  moment === 'before'
    ? async (request, next) => {
        await clock.sleep(ms);
        return next(request);
      }
    : async (request, next) => {
        const response = await next(request);
        await clock.sleep(ms);
        return response;
      };

/** Half of the answer comes, then the connection goes down. */
export const cutting: Effect = async (request, next) => {
  const { body, headers, status } = await next(request);
  const bytes = Buffer.from(body as Uint8Array);
  return {
    status,
    headers,
    body: '',
    stream: (sink) => {
      sink.write(bytes.subarray(0, bytes.length >> 1));
      breakOff(sink, 'closed');
      return () => {};
    },
  };
};

/** Watches that want their initial events streamed are refused, as by a server that cannot do that. */
export const refusingStreaming: Effect = async (request, next) => {
  const query = new URLSearchParams(request.url.split('?', 2)[1]);
  return query.has('sendInitialEvents') ? streamingRefused() : next(request);
};

/** Lists that do not mind how old they are are answered from a former state. */
export const answeringOld =
  (revision: () => number): Effect =>
  (request, next) => {
    const [path = '', text] = request.url.split('?', 2);
    const query = new URLSearchParams(text);
    const minds = query.get('resourceVersion') !== '0' || query.has('resourceVersionMatch');
    if (minds) return next(request);
    query.delete('limit');
    query.set('resourceVersion', String(revision()));
    query.set('resourceVersionMatch', 'Exact');
    return next({ ...request, url: `${path}?${query}` });
  };

const writes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** After so many writes the client is down: the last one is carried out, and nothing reaches it or comes from it any more. `onCrash` is called once. */
export function crashing(after: number, onCrash: () => void): Effect {
  let count = 0;
  let isDown = false;
  return async (request, next) => {
    if (isDown) return lose('closed');
    if (!writes.has(request.method)) return next(request);
    count += 1;
    const isLast = count === after;
    isDown ||= isLast;
    const response = await next(request);
    if (!isLast) return response;
    onCrash();
    return lose('closed');
  };
}
