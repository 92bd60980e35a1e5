import type { ApiObject, Fields } from '../objects/object.ts';
import type { Change } from '../store.ts';

/** Something worth telling people, as an Event. */
export interface Told {
  readonly about: ApiObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** An object that is to be made; with `metadata.generateName` the server names it. */
export interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields;
  readonly [field: string]: unknown;
}

/** What may be said about a write once it is known how it went. */
interface Telling {
  /** What to tell when it was carried out. */
  readonly tell?: (result: ApiObject) => Told;
  /** What to tell when the server refused it. */
  readonly tellRefusal?: (message: string) => Told;
}

/** One thing to do. Updates carry the resourceVersion that they were decided on, deletions the uid. */
export type Write = Telling &
  (
    | { readonly do: 'create'; readonly object: NewObject }
    | { readonly do: 'update'; readonly object: ApiObject; readonly subresource?: 'status' | 'approval' }
    | { readonly do: 'delete'; readonly object: ApiObject; readonly options?: Fields }
    | { readonly do: 'bind'; readonly object: ApiObject; readonly nodeName: string }
    | { readonly do: 'event'; readonly event: Told }
  );

/** What a reconciler makes of one object. */
export interface Decision {
  /** Carried out in order; the first that is refused ends it. */
  readonly writes: readonly Write[];
  /** ms until the object has to be looked at again, although nothing changed. */
  readonly after?: number | undefined;
}

/** What a reconciler sees: the cluster as it is. */
export interface View {
  /** ms since the epoch. */
  readonly now: number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Why the server refused the last thing that was decided about this object; then the next decision only reports, and is asked anew later. */
  readonly refusal: string | undefined;
  get<T extends ApiObject>(collection: string, key: string): T | undefined;
  /** Objects of a collection, in the order of their keys; of one namespace where it is given. */
  list<T extends ApiObject>(collection: string, namespace?: string): readonly T[];
}

/** A controller that decides about one object at a time, by what is, not by what has happened. Pure: only its decisions change anything. */
export interface Reconciler {
  /** Whose objects it decides about, such as `apps/deployments`. */
  readonly collection: string;
  /** Under which name it writes and tells: `deployment-controller`. */
  readonly component: string;
  /** What its requests call themselves, and so who manages what it writes. @default kube-controller-manager */
  readonly manager?: string;
  /** Whether a change of one of its own objects gives it something to decide. @default every change does */
  readonly minds?: (change: Change) => boolean;
  /** The keys of its objects that a change of another collection concerns. */
  readonly concerns?: (change: Change, view: View) => readonly string[];
  /** Calls `nudge` when something outside of the cluster has changed, so that every object is decided about anew; returns how to stop that. */
  readonly nudged?: (nudge: () => void) => () => void;
  decide(object: ApiObject, view: View): Decision;
  /** What is left to do when an object of its collection is gone. */
  readonly gone?: (key: string, view: View) => Decision;
}

/** Nothing to do. */
export const rest: Decision = { writes: [] };
