/** Hooks into a client's requests, for metrics and traces. */

import type { HttpResponse } from './http-exchange.ts';

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

/** Write of a workspace that an API server has refused. */
export interface RefusedWrite {
  /**
   * Journal entry of an attempt: `intent`, `beat` (renewal of its lease), `checkpoint` (ids that are recorded before its end) or `outcome` (also ids that
   * are recorded late); `mirror`: annotation with the ids; `claim`, `release`: addition or removal of a finalizer; `condition`: any other field of the
   * status; `other`: any other write.
   */
  readonly write: 'intent' | 'outcome' | 'beat' | 'checkpoint' | 'mirror' | 'claim' | 'release' | 'condition' | 'other';
  /** Class of the HTTP status; `policy`: a 422 to a patch whose tests hold, by an admission policy, a quota or the schema. */
  readonly code: '4xx' | '5xx' | 'policy';
}

/** Observes a client's requests, for metrics and traces. An absent member has no cost. */
export interface ClientObserver {
  /** Wraps one request (each page of a list is one): must call `work` once and return or throw its result. */
  request?(request: ClientRequest, work: () => Promise<HttpResponse>): Promise<HttpResponse>;
  /** Called when a watch starts. */
  watch?(request: ClientRequest): WatchObserver;
  /** Called for each refused write of a workspace, except for lost races and deleted workspaces. */
  refused?(write: RefusedWrite): void;
}
