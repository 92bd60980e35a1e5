/** Fluent interface for faults. */

import type { Hold } from './open-watches.ts';
import type { FaultStatus, Moment } from './request-effects.ts';
import type { FaultScope } from './request-matcher.ts';
import type { Ending, FaultLimits, FaultSpec, Lifetime, RequestAction, RequestFault, WatchAction } from './spec.ts';

/** Active fault. */
export interface Fault {
  /** Id, unique within the cluster. */
  readonly id: number;
  /** Sentence that {@link Faults.add} accepts. */
  readonly sentence: string;
  readonly spec: FaultSpec;
  /** Number of requests, events or watches affected. */
  readonly hits: number;
  /** Removes the fault: held events are delivered, and a crashed client can connect again. */
  remove(): void;
}

/** Effects on requests. Each throws a TypeError for limits that can never be met. */
export interface FaultActions {
  /** Closes the connection without an answer. */
  drop(limits?: FaultLimits): Fault;
  /** Resets the connection. */
  reset(limits?: FaultLimits): Fault;
  /** Answers with an error status; with `after('commit')` the write is executed nevertheless. */
  answer(status: number | FaultStatus, limits?: FaultLimits): Fault;
  /** Adds a delay, in ms by the cluster's clock. */
  delay(ms: number, limits?: FaultLimits): Fault;
}

/** Effects with a moment; `before` is the default. */
export interface FaultPoint extends FaultActions {
  /** Before the server handles the request. */
  before(moment: 'commit'): FaultActions;
  /** After the request is executed, before the answer is sent. */
  after(moment: 'commit'): FaultActions & {
    /** Sends half of the answer's body, then closes the connection. */
    cut(limits?: FaultLimits): Fault;
  };
}

/** Ends of watches with a limited life. Limits count watches. */
export type WatchEndings = {
  /** `drop`: the connection breaks; `expire`: `410 Expired`; `end`: a regular end, as by `timeoutSeconds`. */
  readonly [How in Ending]: (limits?: FaultLimits) => Fault;
};

/** Effects on watches, open and future ones, except `drop` and `expire`. Limits count events. */
export interface WatchFaults {
  /** Breaks the connections of open watches; returns their number. */
  drop(): number;
  /** Ends open watches with `410 Expired`; returns their number. */
  expire(): number;
  /** Holds back events, as for a slow reader. */
  hold(): Hold;
  /** Delays events by ms, in order. */
  delay(ms: number, limits?: FaultLimits): Fault;
  /** Drops events, which no real server does; clients must find the changes in another way. */
  lose(limits?: FaultLimits): Fault;
  /** Delivers events twice. */
  duplicate(limits?: FaultLimits): Fault;
  /** Drops bookmarks, except the one that ends the initial events. */
  hideBookmarks(limits?: FaultLimits): Fault;
  /** Drops the bookmark that ends the initial events of a streaming list. */
  hideInitialEnd(limits?: FaultLimits): Fault;
  /** Refuses streaming lists with 422, as servers without them do; clients should fall back to a list. */
  refuseStreaming(limits?: FaultLimits): Fault;
  /** Ends each watch after so many events. */
  after(events: number): WatchEndings;
  /** Ends each watch opened from now on after so many ms. */
  lasting(ms: number): WatchEndings;
}

/** Effects on the watch cache: on lists with `resourceVersion=0`, and on watches. */
export interface CacheFaults {
  /**
   * Freezes the cache until removed: such lists return the current state, and watches receive nothing. Clients that
   * switch servers travel back in time.
   */
  freeze(): Fault;
  /** Answers such lists from so many revisions ago; watches are not affected. */
  behind(revisions: number): Fault;
}

/** Effects on a client. */
export interface ClientFaults {
  /**
   * Crashes the client after so many writes: the last one is executed but not answered, watches break, and requests
   * fail until the fault is removed.
   */
  crash(after: { readonly writes: number }): Fault;
}

/** Adds a fault. */
export type Add = (spec: FaultSpec) => Fault;

/** Selected requests. */
type RequestSubject = Pick<RequestFault, 'on' | 'resource' | 'scope'>;

/** Creates the effects on requests. */
export function requestFaults(add: Add, subject: RequestSubject): FaultPoint {
  const actionsAt = (when?: Moment) => {
    const set = (action: RequestAction, limits: FaultLimits = {}) =>
      add({ ...subject, ...(when && { when }), do: action, ...limits });
    return {
      drop: (limits?: FaultLimits) => set('drop', limits),
      reset: (limits?: FaultLimits) => set('reset', limits),
      answer: (answer: number | FaultStatus, limits?: FaultLimits) => set({ answer }, limits),
      delay: (delay: number, limits?: FaultLimits) => set({ delay }, limits),
      cut: (limits?: FaultLimits) => set('cut', limits),
    };
  };
  const { cut: _cut, ...actions } = actionsAt();
  return { ...actions, before: () => actionsAt('before'), after: () => actionsAt('after') };
}

/** Creates the lasting effects on watches. */
export function watchFaults(
  add: Add,
  watches: string,
  scope: FaultScope,
): Omit<WatchFaults, 'drop' | 'expire' | 'hold'> {
  const set =
    (action: WatchAction) =>
    (limits: FaultLimits = {}) =>
      add({ watches, scope, do: action, ...limits });
  const endings = (life: Lifetime): WatchEndings => ({
    drop: set({ drop: life }),
    expire: set({ expire: life }),
    end: set({ end: life }),
  });
  return {
    delay: (delay, limits) => set({ delay })(limits),
    lose: set('lose'),
    duplicate: set('duplicate'),
    hideBookmarks: set('hide-bookmarks'),
    hideInitialEnd: set('hide-initial-end'),
    refuseStreaming: set('refuse-streaming'),
    after: (events) => endings({ events }),
    lasting: (ms) => endings({ ms }),
  };
}
