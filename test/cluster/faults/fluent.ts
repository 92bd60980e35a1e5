import type { FaultStatus, Moment } from './effects.ts';
import type { Hold } from './open-watches.ts';
import type { Ending, FaultLimits, FaultSpec, Lifetime, RequestDeed, RequestFault, WatchDeed } from './spec.ts';
import type { FaultScope } from './target.ts';

/** A fault that was set. */
export interface Fault {
  /** Names it among the faults of its cluster. */
  readonly id: number;
  /** In words, as {@link Faults.add} reads them. */
  readonly sentence: string;
  readonly spec: FaultSpec;
  /** How many requests, events or watches it has hit. */
  readonly hits: number;
  /** Takes it away: what it held back is let out, and a client that it has brought down is up again. */
  remove(): void;
}

/** What may happen to a request. Each throws a TypeError for limits that let it never happen. */
export interface FaultActions {
  /** The connection closes without an answer. */
  drop(limits?: FaultLimits): Fault;
  /** The connection is reset. */
  reset(limits?: FaultLimits): Fault;
  /** A status is answered; of `after('commit')` the write has been carried out all the same. */
  answer(status: number | FaultStatus, limits?: FaultLimits): Fault;
  /** It takes so many ms more, by the cluster's clock. */
  delay(ms: number, limits?: FaultLimits): Fault;
}

/** Where a fault happens; without `before` or `after` it is before. */
export interface FaultPoint extends FaultActions {
  /** Before the server does anything. */
  before(moment: 'commit'): FaultActions;
  /** After the server has carried the request out, before the client hears of it. */
  after(moment: 'commit'): FaultActions & {
    /** Half of the answer's body comes, then the connection closes. */
    cut(limits?: FaultLimits): Fault;
  };
}

/** How watches end that only live for a while. Limits count watches. */
export type WatchEndings = {
  /** `drop`: the connection breaks; `expire`: with `410 Expired`; `end`: in order, as by `timeoutSeconds`. */
  readonly [How in Ending]: (limits?: FaultLimits) => Fault;
};

/** What may happen to watches; but for `drop` and `expire` to those opened later too. Limits count events. */
export interface WatchFaults {
  /** Breaks the connections of those that are open; tells how many there were. */
  drop(): number;
  /** Ends those that are open with `410 Expired`; tells how many there were. */
  expire(): number;
  /** Keeps back what they would get: a reader that lags behind. */
  hold(): Hold;
  /** Events come so many ms later, in the same order. */
  delay(ms: number, limits?: FaultLimits): Fault;
  /** Events never come, which no server does: what is missed must be found in another way. */
  lose(limits?: FaultLimits): Fault;
  /** Events come twice. */
  duplicate(limits?: FaultLimits): Fault;
  /** No bookmarks come, but for the one that ends the initial events. */
  hideBookmarks(limits?: FaultLimits): Fault;
  /** The bookmark that ends the initial events of a streaming list never comes. */
  hideInitialEnd(limits?: FaultLimits): Fault;
  /** Streaming lists are refused with 422, as by servers without them: clients are to list instead. */
  refuseStreaming(limits?: FaultLimits): Fault;
  /** Each watch ends after so many events. */
  after(events: number): WatchEndings;
  /** Each watch opened from now on ends after so many ms. */
  lasting(ms: number): WatchEndings;
}

/** What may happen to a server's cache: to lists with `resourceVersion=0`, which are answered from it, and to watches. */
export interface CacheFaults {
  /** It stands still: such lists answer what is there now, and no watch gets anything, until it is removed. Whoever comes from another server travels back in time. */
  freeze(): Fault;
  /** Such lists answer what was there so many revisions ago; watches are not changed. */
  behind(revisions: number): Fault;
}

/** What may happen to a client. */
export interface ClientFaults {
  /** It dies after so many writes: the last one is carried out without an answer, its watches break, and nothing it asks is heard until the fault is removed. */
  crash(after: { readonly writes: number }): Fault;
}

/** Sets a fault. */
export type Add = (spec: FaultSpec) => Fault;

/** Names the requests that a fault is for. */
type RequestSubject = Pick<RequestFault, 'on' | 'resource' | 'scope'>;

/** What may be said about requests. */
export function requestFaults(add: Add, subject: RequestSubject): FaultPoint {
  const actionsAt = (when?: Moment) => {
    const set = (deed: RequestDeed, limits: FaultLimits = {}) =>
      add({ ...subject, ...(when && { when }), do: deed, ...limits });
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

/** What may be said about watches, but for what happens at once. */
export function watchFaults(
  add: Add,
  watches: string,
  scope: FaultScope,
): Omit<WatchFaults, 'drop' | 'expire' | 'hold'> {
  const set =
    (deed: WatchDeed) =>
    (limits: FaultLimits = {}) =>
      add({ watches, scope, do: deed, ...limits });
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
