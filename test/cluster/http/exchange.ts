import type { Readable } from 'node:stream';
import type { Authenticate } from '../auth/authenticate.ts';
import type { Deliver, Gathering } from './gathering.ts';
import type { ApiRequest, ApiResponse, Handler, User } from './message.ts';
import { unauthorized } from './represent.ts';

/** A reader that lets this many bytes pile up is cut off, as the real server does with slow watchers. */
const mostBuffered = 64 * 1024 * 1024;

/** A request as it comes in, of whatever version of HTTP. */
export interface Arrival extends Pick<ApiRequest, 'method' | 'url' | 'headers'> {
  /** Who the certificate of its connection names. */
  readonly certificate: User | undefined;
  /** Undefined when nothing is to be waited for: most requests only have headers. */
  readonly body: Readable | undefined;
}

/** A body that goes out bit by bit. */
export interface Flow {
  readonly deliver: Deliver;
  /** Bytes that its reader has not taken yet. */
  readonly backlog: () => number;
  readonly end: () => void;
  /** Closes the connection, or of HTTP/2 the one stream. */
  readonly cut: () => void;
}

/** Where an answer goes. */
export interface Outlet {
  /** Whether there still is somebody to answer. */
  readonly isOpen: () => boolean;
  /** The whole answer. */
  readonly send: (response: ApiResponse) => void;
  /** The head of an answer whose body comes bit by bit; `gone` is called once its reader has gone. */
  readonly open: (response: ApiResponse, gone: () => void) => Flow;
  /** Answers in a way of its own, and says whether it has; a reader that lets more than `mostBuffered` bytes pile up is to be cut off. */
  readonly take?: (response: ApiResponse, mostBuffered: number) => boolean;
  /** Breaks off: resets the connection where the error says so, else closes it once everything written is out. Of HTTP/2 only the one stream is reset. */
  readonly lose: (error: unknown) => void;
}

/** Who answers. */
export interface Answering {
  readonly handle: Handler;
  readonly authenticate: Authenticate;
  /** How many bytes the body of a request may have, by its path; of larger ones only as many are kept, and one. */
  readonly mostBytesOf: (path: string) => number;
  readonly gathering: Gathering;
}

/** Rejects when the client goes before its body is here. */
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

/** Sends what a stream writes, until its reader goes or lags too far behind. */
function startStream(outlet: Outlet, response: ApiResponse, gathering: Gathering): void {
  let stop = (): void => {};
  const { deliver, backlog, end, cut } = outlet.open(response, () => {
    gathering.drop(deliver);
    stop();
  });
  stop = response.stream!({
    write(chunk) {
      if (backlog() > mostBuffered) cut();
      else gathering.add(deliver, chunk);
    },
    end() {
      gathering.hurry(deliver);
      end();
    },
    abort(error) {
      gathering.hurry(deliver);
      outlet.lose(error);
    },
  });
}

/** Answers one request. Rejects when the connection is lost, or has to be. */
async function answer({ handle, authenticate, mostBytesOf, gathering }: Answering, arrival: Arrival, outlet: Outlet) {
  const { method, url, headers, certificate } = arrival;
  const found = authenticate({ authorization: headers.authorization, ...(certificate && { certificate }) });
  const user = found instanceof Promise ? await found : found;
  const most = user === undefined ? 0 : mostBytesOf(url);
  const body = arrival.body === undefined ? undefined : await bytesOf(arrival.body, most);
  const response = user === undefined ? unauthorized() : await handle({ method, url, headers, body, user });
  if (!outlet.isOpen() || outlet.take?.(response, mostBuffered)) return;
  if (response.stream === undefined) outlet.send(response);
  else startStream(outlet, response, gathering);
}

/** Answers requests as they come; one that cannot be answered loses its connection. */
export const answerBy =
  (answering: Answering) =>
  (arrival: Arrival, outlet: Outlet): void => {
    answer(answering, arrival, outlet).catch(outlet.lose);
  };

/** What becomes of each request. */
export type Answer = ReturnType<typeof answerBy>;
