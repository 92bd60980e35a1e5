import type { Answer } from './exchange.ts';

/** What a client asks for. */
export interface ClientRequest {
  readonly verb: 'GET' | 'CREATE' | 'UPDATE' | 'PATCH' | 'DELETE' | 'LIST' | 'WATCH';
  /** The plural of the kind; empty for a raw path. */
  readonly kind: string;
  /** `spec` for the main object. */
  readonly subresource: string;
  readonly method: string;
  readonly url: string;
}

/** Told how one watch goes. */
export interface WatchObserver {
  /** The server began to answer. */
  opened?(): void;
  /** One event came, a bookmark or an error of the server included. */
  event?(): void;
  /** It is over, by an error or without one. */
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

/** Sees what a client does: metrics and traces. Every member is optional, and costs nothing when it is not there. */
export interface ClientObserver {
  /** Carries out one request (each page of a list is one): must call `work` once and give back or throw what it does. */
  request?(request: ClientRequest, work: () => Promise<Answer>): Promise<Answer>;
  /** A watch begins. */
  watch?(request: ClientRequest): WatchObserver;
  /** A write of a workspace was refused: not by a race, and not because the workspace is gone. */
  refused?(write: RefusedWrite): void;
}
