/** Effects of faults on requests. */

import type { Clock } from '../../../sdk/clock.ts';
import { invalidOptions } from '../apimachinery/status.ts';
import { jsonResponse } from '../encoding/representation.ts';
import type { ApiRequest, ApiResponse, Handler, Sink } from '../requests/message.ts';

/** Connection lost before the answer arrived. */
export class ConnectionLostError extends Error {
  override readonly name = 'SocketError';
  readonly code: 'UND_ERR_SOCKET' | 'ECONNRESET';

  constructor(how: 'closed' | 'reset') {
    super(how === 'closed' ? 'other side closed' : 'read ECONNRESET');
    this.code = how === 'closed' ? 'UND_ERR_SOCKET' : 'ECONNRESET';
  }
}

/** Breaks the connection of a stream. */
export function breakConnection(sink: Sink, how: 'closed' | 'reset'): void {
  if (sink.abort === undefined) sink.end();
  else sink.abort(new ConnectionLostError(how));
}

/** Injected error response. */
export interface FaultStatus {
  /** HTTP status code. */
  readonly code: number;
  /** Reason of the Status. @default the usual one of the code */
  readonly reason?: string;
  /** Message of the Status. @default a text that names the injected fault */
  readonly message?: string;
  /** Value of the Retry-After header and `details.retryAfterSeconds`, in seconds. */
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

/** Returns the Status object of an injected error. */
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

/** Effect on a request; `next` continues to the server. */
export type Effect = (request: ApiRequest, next: Handler) => Promise<ApiResponse>;

/** Moment of an effect: before the server handles the request, or after, before it answers. */
export type Moment = 'before' | 'after';

/** Returns the answer of a server without streaming lists. */
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

const throwConnectionLost = (how: 'closed' | 'reset'): never => {
  throw new ConnectionLostError(how);
};

/** Loses the connection. */
export const disconnectEffect = (moment: Moment, how: 'closed' | 'reset'): Effect =>
  moment === 'before'
    ? async () => throwConnectionLost(how)
    : async (request, next) => {
        await next(request);
        return throwConnectionLost(how);
      };

/** Answers with an error. */
export function answerEffect(moment: Moment, status: FaultStatus): Effect {
  const { retryAfter } = status;
  const headers: ApiResponse['headers'] = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const answer = (): ApiResponse => jsonResponse(status.code, statusOf(status), headers);
  if (moment === 'before') return async () => answer();
  return async (request, next) => {
    await next(request);
    return answer();
  };
}

/** Delays the request or the answer by the cluster's clock. */
export const delayEffect = (moment: Moment, clock: Clock, ms: number): Effect =>
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

/** Cuts the answer in half, then closes the connection. */
export const cutEffect: Effect = async (request, next) => {
  const { body, headers, status } = await next(request);
  const bytes = Buffer.from(body as Uint8Array);
  return {
    status,
    headers,
    body: '',
    stream: (sink) => {
      sink.write(bytes.subarray(0, bytes.length >> 1));
      breakConnection(sink, 'closed');
      return () => {};
    },
  };
};

/** Refuses watches with `sendInitialEvents`, as a server without streaming lists does. */
export const refuseStreamingEffect: Effect = async (request, next) => {
  const query = new URLSearchParams(request.url.split('?', 2)[1]);
  return query.has('sendInitialEvents') ? streamingRefused() : next(request);
};

/** Answers lists with `resourceVersion=0` from an older revision. */
export const staleListEffect =
  (revision: () => number): Effect =>
  (request, next) => {
    const [path = '', text] = request.url.split('?', 2);
    const query = new URLSearchParams(text);
    const isRecent = query.get('resourceVersion') !== '0' || query.has('resourceVersionMatch');
    if (isRecent) return next(request);
    query.delete('limit');
    query.set('resourceVersion', String(revision()));
    query.set('resourceVersionMatch', 'Exact');
    return next({ ...request, url: `${path}?${query}` });
  };

const writes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Crashes the client at its n-th write: that write is executed, then no request or answer gets through. `onCrash` is called once. */
export function crashEffect(after: number, onCrash: () => void): Effect {
  let count = 0;
  let isDown = false;
  return async (request, next) => {
    if (isDown) return throwConnectionLost('closed');
    if (!writes.has(request.method)) return next(request);
    count += 1;
    const isLast = count === after;
    isDown ||= isLast;
    const response = await next(request);
    if (!isLast) return response;
    onCrash();
    return throwConnectionLost('closed');
  };
}
