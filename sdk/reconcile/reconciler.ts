import type { Logger } from 'pino';
import type { Kind } from '../api/kind.ts';
import type { KubeObject, ObjectKey } from '../api/object.ts';
import type { Client } from '../client/client.ts';
import type { Recorder } from '../client/recorder.ts';
import type { StoreReader } from '../client/store.ts';
import type { Clock } from '../clock.ts';
import type { ObjectEvent } from './object-event.ts';

/** Data a run hands to the one that it asks for, or to its retry (`RetryError`); kept in memory only, lost on restart. */
export type State = Readonly<Record<string, unknown>>;

/** Why a run happens, as far as the engine knows; several reasons coalesce into the strongest. */
export type Cause = 'created' | 'updated' | 'deleted' | 'resync' | 'retry' | 'requeue';

/** One run for one object, as it is scheduled. Nothing in it is shared with another. */
export interface Run<T extends KubeObject> {
  readonly key: ObjectKey;
  /** The object as the cache has it, frozen; undefined in the run for its end, also when another of its name is there by then. */
  readonly object: T | undefined;
  readonly cause: Cause;
  /** How many runs in a row have failed before this one. */
  readonly attempt: number;
  readonly state: State | undefined;
  /** What happened to the object, whatever the cause of this very run; several events that nobody handled yet are one. */
  readonly event?: ObjectEvent<T> | undefined;
  /** Aborts when the run has taken too long, or when the engine stops and cannot wait any longer. */
  readonly signal: AbortSignal;
}

/** Says what a run does. */
export type RunLogger = Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error'>;

/** What every run of a controller has at hand. */
export interface RequestContext<T extends KubeObject> {
  /** The kind of the object. */
  readonly kind: Kind<T>;
  /** Reads live and writes; no later run sees an object older than what was written through it. */
  readonly client: Client;
  /** The objects of a kind that the controller follows: its own, and those it owns or watches. @throws TypeError for any other kind */
  stored<S extends KubeObject>(kind: Kind<S>): StoreReader<S>;
  /** Events are best effort: never waited for. */
  readonly events: Pick<Recorder, 'event'>;
  readonly clock: Clock;
}

/** One thing that was found to differ from what is wanted, and was mended. */
export interface Mended {
  readonly action: 'create' | 'update' | 'delete';
  /** Such as `ConfigMap default/a`; of a remote `outside`, or its name. */
  readonly what: string;
  /** Of an update: the merge patch (RFC 7396) that mends it. */
  readonly diff?: unknown;
}

/** A run, and what it has at hand. */
export interface Request<T extends KubeObject> extends Run<T>, RequestContext<T> {
  /** Names this run in logs and traces; no other run ever has the same. */
  readonly id: string;
  /** Carries the controller's name, the key and the id in everything it says. */
  readonly logger: RunLogger;
  /** The finalizer that is kept on the object until the reconciler of this request has cleaned up. @default none: the object goes without waiting for it */
  readonly finalizer?: string;
  /** Told of what was mended: by `children` and `remote`, for the phase around them. @default nobody asks */
  readonly mended?: (change: Mended) => void;
}

/** A request for an object that is there. */
export type Present<T extends KubeObject> = Request<T> & { readonly object: T };

/** Whether there is an object to do something about. */
export const isPresent = <T extends KubeObject>(request: Request<T>): request is Present<T> =>
  request.object !== undefined;

/** What happens after a run that did not throw. Empty: wait for the next change. */
export interface Result {
  /** ms until the same object runs again, unless something changes before. */
  readonly requeueAfter?: number;
  /** Handed to the run that `requeueAfter` asks for; without that wish it is dropped. @default what this run was handed */
  readonly state?: State;
  /** Nothing that comes after this reconciler runs in this pass: the engine does not mind, `chain` and its like do. */
  readonly stop?: boolean;
  /** Whoever keeps a finalizer around this reconciler keeps it for now. */
  readonly keepFinalizer?: boolean;
}

/** The one verb of this package: everything that reacts to a Kubernetes object is, in the end, this function. */
export type Reconciler<T extends KubeObject> = (request: Request<T>) => Promise<Result>;

/** Whether a result asks for anything: to come back, to end the pass, to keep a finalizer. A state alone asks for nothing. */
export const asksForMore = ({ requeueAfter: delay, stop: ends, keepFinalizer: keeps }: Result): boolean =>
  delay !== undefined || ends === true || keeps === true;

/** Nothing more to do until something changes. */
export const done: Result = {};

/** Run again in `ms`. */
export const requeueAfter = (ms: number): Result => ({ requeueAfter: ms });

/** This pass ends here, without an error. */
export const stop: Result = { stop: true };

/** The clean-up is not over: the finalizer stays. */
export const keepFinalizer: Result = { keepFinalizer: true };

/** What the parts of one pass add up to: the smallest delay, the latest state, a stop and a kept finalizer if any of them said so. */
export function combined(results: readonly Result[]): Result {
  const sum: { -readonly [Wish in keyof Result]: Result[Wish] } = {};
  for (const { requeueAfter: delay, state, stop: ends, keepFinalizer: keeps } of results) {
    if (delay !== undefined) sum.requeueAfter = Math.min(delay, sum.requeueAfter ?? delay);
    if (state !== undefined) sum.state = state;
    if (ends) sum.stop = true;
    if (keeps) sum.keepFinalizer = true;
  }
  return sum;
}
