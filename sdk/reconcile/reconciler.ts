/** Reconciler, its request and its result. */

import type { Logger } from 'pino';
import type { Kind } from '../api/kind.ts';
import type { KubeObject, ObjectKey } from '../api/object.ts';
import type { StoreReader } from '../client/cache/store.ts';
import type { Client } from '../client/client.ts';
import type { Recorder } from '../client/events/recorder.ts';
import type { Clock } from '../clock.ts';
import type { ObjectEvent } from './object-event.ts';

/** Data that a run passes to the run it requests, or to its retry (`RetryError`); kept in memory only, lost on restart. */
export type State = Readonly<Record<string, unknown>>;

/** Cause of a run, as far as the engine knows; several causes coalesce into the strongest. */
export type Cause = 'created' | 'updated' | 'deleted' | 'resync' | 'retry' | 'requeue';

/** One scheduled run for one object. It shares nothing with other runs. */
export interface Run<T extends KubeObject> {
  readonly key: ObjectKey;
  /** Cached object, frozen; undefined in the run for its deletion, even when a new object of its name exists by then. */
  readonly object: T | undefined;
  readonly cause: Cause;
  /** Number of failed runs in a row before this one. */
  readonly attempt: number;
  readonly state: State | undefined;
  /** Event of the object, regardless of the cause of this run; several unhandled events are merged into one. */
  readonly event?: ObjectEvent<T> | undefined;
  /** Aborts at the deadline of the run, or when the engine stops and its drain time is over. */
  readonly signal: AbortSignal;
}

/** Logger of a run. */
export type RunLogger = Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error'>;

/** Dependencies that all runs of a controller share. */
export interface RequestContext<T extends KubeObject> {
  /** Kind of the object. */
  readonly kind: Kind<T>;
  /** Client for live reads and for writes. A later run never sees an object older than a write through this client. */
  readonly client: Client;
  /** Returns the cached objects of a kind that the controller owns, watches or reconciles. @throws TypeError for any other kind */
  stored<S extends KubeObject>(kind: Kind<S>): StoreReader<S>;
  /** Event recorder; best effort and asynchronous. */
  readonly events: Pick<Recorder, 'event'>;
  readonly clock: Clock;
}

/** Correction of one difference between the desired and the actual state. */
export interface Correction {
  readonly action: 'create' | 'update' | 'delete';
  /** Corrected object, such as `ConfigMap default/a`; for a remote `outside`, or its name. */
  readonly what: string;
  /** For an update: the merge patch (RFC 7396) that was applied. */
  readonly diff?: unknown;
}

/** Input of a reconciler: a run and its dependencies. */
export interface Request<T extends KubeObject> extends Run<T>, RequestContext<T> {
  /** Unique id of this run in logs and traces. */
  readonly id: string;
  /** Logger with the controller's name, the key and the id. */
  readonly logger: RunLogger;
  /** Data that the hooks and reconcilers of this run share; empty at first. */
  readonly data: Map<string, unknown>;
  /**
   * Finalizer that is kept on the object until the reconciler of this request has cleaned up. @default none: deletion does not wait for the
   * reconciler
   */
  readonly finalizer?: string;
  /** Called by `children` and `remote` with each correction; set by the enclosing phase. @default ignored */
  readonly onCorrection?: (change: Correction) => void;
}

/** Request for an existing object. */
export type Present<T extends KubeObject> = Request<T> & { readonly object: T };

/** Reports whether the object of a request exists. */
export const isPresent = <T extends KubeObject>(request: Request<T>): request is Present<T> =>
  request.object !== undefined;

/** Outcome of a run that did not throw. An empty result waits for the next change. */
export interface Result {
  /** ms until the same object runs again, unless it changes before. */
  readonly requeueAfter?: number;
  /** State for the run that `requeueAfter` requests; dropped without it. @default the state of this run */
  readonly state?: State;
  /** Ends the pass: `chain` and similar reconcilers skip those after this one. The engine ignores it. */
  readonly stop?: boolean;
  /** Keeps the enclosing finalizer until a later run. */
  readonly keepFinalizer?: boolean;
}

/** Reconciles one object. Every model of this package is such a function or wraps one. */
export type Reconciler<T extends KubeObject> = (request: Request<T>) => Promise<Result>;

/** Reports whether a result requests a requeue, the end of the pass, or to keep a finalizer; a state alone does not count. */
export const asksForMore = ({ requeueAfter: delay, stop: ends, keepFinalizer: keeps }: Result): boolean =>
  delay !== undefined || ends === true || keeps === true;

/** Result that waits for the next change. */
export const done: Result = {};

/** Returns a result that requeues after `ms`. */
export const requeueAfter = (ms: number): Result => ({ requeueAfter: ms });

/** Result that ends the pass without an error. */
export const stop: Result = { stop: true };

/** Result of an incomplete clean-up: the finalizer is kept. */
export const keepFinalizer: Result = { keepFinalizer: true };

/** Combines the results of one pass: the smallest delay, the latest state, and `stop` and `keepFinalizer` if any has them. */
export function combineResults(results: readonly Result[]): Result {
  const sum: { -readonly [Member in keyof Result]: Result[Member] } = {};
  for (const { requeueAfter: delay, state, stop: ends, keepFinalizer: keeps } of results) {
    if (delay !== undefined) sum.requeueAfter = Math.min(delay, sum.requeueAfter ?? delay);
    if (state !== undefined) sum.state = state;
    if (ends) sum.stop = true;
    if (keeps) sum.keepFinalizer = true;
  }
  return sum;
}
