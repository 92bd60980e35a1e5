/** Observer of a client's requests and watches, for metrics and traces. */

import type { HttpResponse } from './http-exchange.ts';
import type { RefusedWrite } from './refused-write.ts';

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
  /** Called when the response starts. */
  opened?(): void;
  /** Called for each event, bookmarks and errors of the server included. */
  event?(): void;
  /** Called when the watch ends, with or without an error. */
  ended?(error?: unknown): void;
}

/** Observes a client's requests, for metrics and traces. An absent member has no cost. */
export interface ClientObserver {
  /** Wraps one request (each page of a list is one): must call `work` once and return or throw its result. */
  request?(request: ClientRequest, work: () => Promise<HttpResponse>): Promise<HttpResponse>;
  /** Called when a watch starts. */
  watch?(request: ClientRequest): WatchObserver;
  /** Called for each write of a workspace that the API server refuses, except for lost races and deleted workspaces. */
  refused?(write: RefusedWrite): void;
}
