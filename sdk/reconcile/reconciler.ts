import type { KubeObject, ObjectKey } from '../api/object.ts';

/** Data a run hands to its next one; kept in memory only, lost on restart. */
export type State = Readonly<Record<string, unknown>>;

/** Why a run happens, as far as the engine knows; several reasons coalesce into the strongest. */
export type Cause = 'created' | 'updated' | 'deleted' | 'resync' | 'retry' | 'requeue';

/** One run for one object. Nothing in it is shared with another request. */
export interface Request<T extends KubeObject> {
  readonly key: ObjectKey;
  /** The object as the cache has it, frozen; undefined once it is gone. */
  readonly object: T | undefined;
  readonly cause: Cause;
  /** How many runs in a row have failed before this one. */
  readonly attempt: number;
  readonly state: State | undefined;
  /** Aborts when the run has taken too long, or when the engine stops and cannot wait any longer. */
  readonly signal: AbortSignal;
}

/** What happens after a run that did not throw. Empty: wait for the next change. */
export interface Result {
  /** ms until the same object runs again, unless something changes before. */
  readonly requeueAfter?: number;
  /** Handed to the next run. */
  readonly state?: State;
}

/** The one verb of this package: everything that reacts to a Kubernetes object is, in the end, this function. */
export type Reconciler<T extends KubeObject> = (request: Request<T>) => Promise<Result>;

/** Nothing more to do until something changes. */
export const done: Result = {};

/** Run again in `ms`. */
export const requeueAfter = (ms: number): Result => ({ requeueAfter: ms });
