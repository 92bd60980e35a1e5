/** Answers HTTP requests with a handler, over any version of HTTP. */

import type { Readable } from 'node:stream';
import type { Authenticate } from '../authn/authenticate.ts';
import { unauthorized } from '../encoding/representation.ts';
import type { ApiRequest, ApiResponse, Handler, User } from '../requests/message.ts';
import type { FlushBatch, WriteBatching } from './write-batching.ts';

/** Most bytes that may be buffered for a reader. Slower readers are disconnected, as slow watchers are by the real server. */
const maxBufferedBytes = 64 * 1024 * 1024;

/** Incoming request, of any version of HTTP. */
export interface IncomingRequest extends Pick<ApiRequest, 'method' | 'url' | 'headers'> {
  /** User that the client certificate names. */
  readonly certificate: User | undefined;
  /** Request body; undefined when there is none, as for most requests. */
  readonly body: Readable | undefined;
}

/** Streamed response body. */
export interface ResponseStream {
  readonly flush: FlushBatch;
  /** Bytes that the reader has not yet taken. */
  readonly backlog: () => number;
  readonly end: () => void;
  /** Closes the connection, or the stream in HTTP/2. */
  readonly destroy: () => void;
}

/** Destination of an answer. */
export interface ResponseWriter {
  /** Reports whether the client is still connected. */
  readonly isOpen: () => boolean;
  /** Sends a complete answer. */
  readonly send: (response: ApiResponse) => void;
  /** Sends the head of a streamed answer; `gone` is called when the reader disconnects. */
  readonly open: (response: ApiResponse, gone: () => void) => ResponseStream;
  /**
   * Answers in another protocol and returns true, or returns false; readers with more than `mostBuffered` bytes of
   * backlog are disconnected.
   */
  readonly hijack?: (response: ApiResponse, mostBuffered: number) => boolean;
  /**
   * Aborts the exchange: resets the connection where the error demands it, else closes it after pending writes.
   * In HTTP/2 only the stream is reset.
   */
  readonly abort: (error: unknown) => void;
}

/** Dependencies of answering requests. */
export interface RequestServing {
  readonly handle: Handler;
  readonly authenticate: Authenticate;
  /** Limit of a request body in bytes, by path; of a larger body one byte beyond the limit is kept. */
  readonly maxBytesOf: (path: string) => number;
  readonly batching: WriteBatching;
}

/** Reads a body. Rejects when the client disconnects before its end. */
const bytesOf = (body: Readable, mostBytes: number): Promise<Uint8Array | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isComplete = false;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes + 1) chunks.push(chunk);
    });
    body.on('end', () => {
      isComplete = true;
      if (size === 0) resolve(undefined);
      else if (size > mostBytes) resolve(Buffer.alloc(mostBytes + 1));
      else resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    });
    body.on('error', reject);
    const leave = () => {
      if (!isComplete) reject(new Error('the client went before its request was here'));
    };
    body.on('close', leave);
    if (body.destroyed) leave();
  });

/** Streams an answer until its reader disconnects or falls too far behind. */
function startStream(writer: ResponseWriter, response: ApiResponse, batching: WriteBatching): void {
  let stop = (): void => {};
  const { flush, backlog, end, destroy } = writer.open(response, () => {
    batching.drop(flush);
    stop();
  });
  stop = response.stream!({
    write(chunk) {
      if (backlog() > maxBufferedBytes) destroy();
      else batching.add(flush, chunk);
    },
    end() {
      batching.flushNow(flush);
      end();
    },
    abort(error) {
      batching.flushNow(flush);
      writer.abort(error);
    },
  });
}

/** Answers one request. Rejects when the connection is lost or must be closed. */
async function serveRequest(
  { handle, authenticate, maxBytesOf, batching }: RequestServing,
  incoming: IncomingRequest,
  writer: ResponseWriter,
) {
  const { method, url, headers, certificate } = incoming;
  const found = authenticate({ authorization: headers.authorization, ...(certificate && { certificate }) });
  const user = found instanceof Promise ? await found : found;
  const most = user === undefined ? 0 : maxBytesOf(url);
  const body = incoming.body === undefined ? undefined : await bytesOf(incoming.body, most);
  const response = user === undefined ? unauthorized() : await handle({ method, url, headers, body, user });
  if (!writer.isOpen() || writer.hijack?.(response, maxBufferedBytes)) return;
  if (response.stream === undefined) writer.send(response);
  else startStream(writer, response, batching);
}

/** Returns the answering function; a request that cannot be answered loses its connection. */
export const createRequestServer =
  (answering: RequestServing) =>
  (incoming: IncomingRequest, writer: ResponseWriter): void => {
    serveRequest(answering, incoming, writer).catch(writer.abort);
  };

/** Answers one request. */
export type ServeRequest = ReturnType<typeof createRequestServer>;
