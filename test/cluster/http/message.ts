import type { Framing } from './framing.ts';

/** Who asks. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A request as the handler takes it, whatever it came through. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  /** Names in lower case. Who asks to be somebody by several headers of a name has a line for each. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array | undefined;
  readonly user: User;
}

/** Where the chunks of a stream go. */
export interface Sink {
  write(chunk: Uint8Array): void;
  end(): void;
  /** Breaks the connection; a sink that cannot is ended instead. */
  abort?(error: Error): void;
}

/** An answer; with `stream` its body comes bit by bit. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
  /** The body compressed, once for all who ask; `false` when it never is. @default compressed when it is large */
  readonly gzipped?: (() => Uint8Array) | false;
  /** Starts to write; the returned function is called when the reader has gone. */
  readonly stream?: (sink: Sink) => () => void;
  /** How the events in `stream` follow each other, when it is a watch. */
  readonly framing?: Framing;
}

/** The request handler: never rejects, refusals are answers too. */
export type Handler = (request: ApiRequest) => Promise<ApiResponse>;
