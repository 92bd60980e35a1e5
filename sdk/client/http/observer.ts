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

/** A write of a workspace that an API server has refused. */
export interface RefusedWrite {
  /**
   * `intent`, `outcome` and `beat` of an attempt, its outcome with ids that came late or before it has ended; `mirror`: the ids in its annotation;
   * `claim`, `release`: a finalizer; `condition`: whatever else is in the status; `other`: whatever else is not.
   */
  readonly write: 'intent' | 'outcome' | 'beat' | 'mirror' | 'claim' | 'release' | 'condition' | 'other';
  /** The class of the answer's code; `policy`: a 422 though all holds that was tested, by which policies and the schema refuse. */
  readonly code: '4xx' | '5xx' | 'policy';
}

/** Observes a client's requests, for metrics and traces. An absent member has no cost. */
export interface ClientObserver {
  /** Wraps one request (each page of a list is one): must call `work` once and return or throw its result. */
  request?(request: ClientRequest, work: () => Promise<HttpResponse>): Promise<HttpResponse>;
  /** Called when a watch starts. */
  watch?(request: ClientRequest): WatchObserver;
  /** A write of a workspace was refused, neither by a race nor for a deleted workspace. */
  refused?(write: RefusedWrite): void;
}
