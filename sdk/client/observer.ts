/** Hooks into a client's requests, for metrics and traces. */

import type { Answer } from './exchange.ts';

/** Request of a client. */
export interface ClientRequest {
  readonly verb: 'GET' | 'CREATE' | 'UPDATE' | 'PATCH' | 'DELETE' | 'LIST' | 'WATCH';
  /** Plural of the kind; empty for a raw path. */
  readonly kind: string;
  /** `spec` for the main resource. */
  readonly subresource: string;
  readonly method: string;
  readonly url: string;
}

/** Observer of one watch. */
export interface WatchObserver {
  /** Called when the server begins its response. */
  opened?(): void;
  /** Called for each event, bookmarks and errors of the server included. */
  event?(): void;
  /** Called when the watch ends, with or without an error. */
  ended?(error?: unknown): void;
}

/** Observes a client's requests, for metrics and traces. An absent member costs nothing. */
export interface ClientObserver {
  /** Wraps one request (each page of a list is one): must call `work` once and return or throw its result. */
  request?(request: ClientRequest, work: () => Promise<Answer>): Promise<Answer>;
  /** Called when a watch begins. */
  watch?(request: ClientRequest): WatchObserver;
}
