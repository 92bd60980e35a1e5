/** Interface of level-triggered controllers: pure decisions, and the writes they ask for. */

import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import type { Change } from '../../storage/store.ts';

/** Event to record about an object. */
export interface EventReport {
  readonly about: ApiObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Object to create; with `metadata.generateName` the server names it. */
export interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields;
  readonly [field: string]: unknown;
}

/** Events that depend on the result of a write. */
interface Reporting {
  /** Event for a successful write. */
  readonly report?: (result: ApiObject) => EventReport;
  /** Event for a refused write. */
  readonly reportRefusal?: (message: string) => EventReport;
}

/** Requested write. Updates carry the resourceVersion that they are based on, deletions the uid. */
export type Write = Reporting &
  (
    | { readonly do: 'create'; readonly object: NewObject }
    | { readonly do: 'update'; readonly object: ApiObject; readonly subresource?: 'status' | 'approval' }
    | { readonly do: 'delete'; readonly object: ApiObject; readonly options?: Fields }
    | { readonly do: 'bind'; readonly object: ApiObject; readonly nodeName: string }
    | { readonly do: 'event'; readonly event: EventReport }
  );

/** Decision about one object. */
export interface Decision {
  /** Writes in order; the first refused one stops the rest. */
  readonly writes: readonly Write[];
  /** Requeues the object after so many ms. */
  readonly after?: number | undefined;
}

/** Read access to the cluster's current state. */
export interface View {
  /** Time in ms since the epoch. */
  readonly now: number;
  /** Random source in [0, 1). */
  readonly random: () => number;
  /**
   * The server's message if it refused the last decision about this object; the decision made now should only report
   * it, and the object is requeued.
   */
  readonly refusal: string | undefined;
  get<T extends ApiObject>(collection: string, key: string): T | undefined;
  /** Returns the objects of a collection in key order, optionally of one namespace. */
  list<T extends ApiObject>(collection: string, namespace?: string): readonly T[];
}

/** Controller that decides about one object at a time from the current state. Pure: only its decisions change anything. */
export interface Reconciler {
  /** Collection of its objects, such as `apps/deployments`. */
  readonly collection: string;
  /** Component of its user and Events, such as `deployment-controller`. */
  readonly component: string;
  /** User agent of its requests, and so the field manager of its writes. @default kube-controller-manager */
  readonly manager?: string;
  /** Predicate on changes of its own objects. @default all changes */
  readonly predicate?: (change: Change) => boolean;
  /** Maps a change of any collection to the keys of its objects to reconcile. */
  readonly concerns?: (change: Change, view: View) => readonly string[];
  /** Subscribes to a source outside of the cluster; `requeueAll` requeues every object. Returns a function that unsubscribes. */
  readonly subscribe?: (requeueAll: () => void) => () => void;
  decide(object: ApiObject, view: View): Decision;
  /** Decides what to do once an object of its collection is deleted. */
  readonly gone?: (key: string, view: View) => Decision;
}

/** Decision without writes. */
export const rest: Decision = { writes: [] };

/** Returns the shortest of some waits; undefined when there is none. */
export function shortest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
