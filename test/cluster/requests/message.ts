/** Types of requests, answers and the handler between them. */

import type { Framing } from './watch-framing.ts';

/** Authenticated user. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Request, independent of its transport. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  /** Headers by lower-case name. Impersonation headers keep one value per line. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array | undefined;
  readonly user: User;
}

/** Destination of a stream's chunks. */
export interface Sink {
  write(chunk: Uint8Array): void;
  end(): void;
  /** Aborts the connection; a sink without this method is ended instead. */
  abort?(error: Error): void;
}

/** Answer to a request; with `stream` its body is streamed. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
  /** Compressed body, computed once; `false` disables compression. @default compressed when it is large */
  readonly gzipped?: (() => Uint8Array) | false;
  /** Starts the stream; the returned function is called when the reader disconnects. */
  readonly stream?: (sink: Sink) => () => void;
  /** Framing of the events in `stream`, for watches. */
  readonly framing?: Framing;
}

/** Handles requests; never rejects, errors are answers too. */
export type Handler = (request: ApiRequest) => Promise<ApiResponse>;
