import type { KubeObject, ObjectKey } from '../api/object.ts';
import type { ClientObserver } from '../client/observer.ts';
import type { ReconcileAction } from '../reconcile/object-event.ts';
import type { Cause } from '../reconcile/reconciler.ts';
import type { ControllerHealth } from './health.ts';
import type { Settled } from './next-run.ts';

/** A controller that has been made. */
export interface ObservedController {
  readonly name: string;
  readonly workers: number;
  /** May be asked at any time. */
  health(): ControllerHealth;
}

/** One event of a watch controller: all its watchers and reconcilers are called within. */
export interface ObservedEvent {
  readonly controller: string;
  /** Under which name the object's informer was added. */
  readonly resourceKind: string;
  readonly action: ReconcileAction;
  readonly object: KubeObject;
}

/** One call of a watcher or reconciler. */
export interface ObservedCall {
  readonly type: 'watcher' | 'reconciler';
  /** The same object for the first call and all retries of it. */
  readonly event: ObservedEvent;
  /** Calls in a row that failed before. */
  readonly attempt: number;
  /** Whether it was tried before, and failed or asked to run again. */
  readonly isRetry: boolean;
}

/** One run of a controller's reconciler. */
export interface ObservedRun {
  readonly controller: string;
  /** Kind of the object. */
  readonly kind: string;
  readonly key: ObjectKey;
  readonly cause: Cause;
  readonly attempt: number;
}

/** Where a source lists or watches. */
export interface ObservedSource {
  readonly controller: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string | undefined;
}

/**
 * Sees what the engine does, and the client: metrics and traces. Every member is optional, and costs nothing when it is not there.
 * Members with `work` must call it once and give back what it gives; members without must not throw.
 */
export interface Observer extends ClientObserver {
  attached?(controller: ObservedController): void;
  /** A key was asked to run, at once or later. */
  queued?(controller: string, later: boolean): void;
  /** A key begins to run after having been ready for `waited` ms. */
  taken?(controller: string, waited: number): void;
  /** A key has run for `took` ms. */
  worked?(controller: string, took: number): void;
  run?(run: ObservedRun, work: () => Promise<Settled>): Promise<Settled>;
  event?(event: ObservedEvent, work: () => Promise<void>): Promise<void>;
  call?(call: ObservedCall, work: () => Promise<Settled>): Promise<Settled>;
  list?<R>(source: ObservedSource, work: () => Promise<R>): Promise<R>;
  /** Gives back the same items. */
  follow?<E>(source: ObservedSource, events: AsyncIterable<E>): AsyncIterable<E>;
  /** This process began or ceased to lead, by a lease. */
  elected?(lease: string, isLeader: boolean): void;
  /** A list or watch failed; it is tried again. */
  sourceFailed?(source: ObservedSource, error: unknown): void;
}

/** What a queue tells of itself. */
export interface QueueObserver {
  queued(later: boolean): void;
  taken(waited: number): void;
  worked(took: number): void;
}

/** Tells an observer of the queue of one controller. */
export const queueObserverOf = (name: string, observer: Pick<Observer, keyof QueueObserver>): QueueObserver => ({
  queued: (later) => observer.queued?.(name, later),
  taken: (waited) => observer.taken?.(name, waited),
  worked: (took) => observer.worked?.(name, took),
});

type Work = () => Promise<unknown>;
type Wrapper = (info: never, work: Work) => Promise<unknown>;

const around = (observers: readonly Observer[], member: 'request' | 'run' | 'event' | 'call' | 'list') => {
  const wrappers = observers.flatMap((observer) => (observer[member]?.bind(observer) as Wrapper | undefined) ?? []);
  if (wrappers.length === 0) return {};
  const all: Wrapper = (info, work) =>
    wrappers.reduceRight<Work>((inner, wrapper) => () => wrapper(info, inner), work)();
  return { [member]: all };
};

const told = (
  observers: readonly Observer[],
  member: 'attached' | 'queued' | 'taken' | 'worked' | 'elected' | 'sourceFailed' | 'refused',
) => {
  const listeners = observers.flatMap(
    (observer) => (observer[member]?.bind(observer) as ((...told: readonly unknown[]) => void) | undefined) ?? [],
  );
  if (listeners.length === 0) return {};
  return {
    [member]: (...what: readonly unknown[]) => {
      for (const listener of listeners) listener(...what);
    },
  };
};

/** Several observers as one; the first is the outermost. */
export function combinedObserver(...observers: readonly Observer[]): Observer {
  const watching = observers.filter(({ watch }) => watch !== undefined);
  const following = observers.filter(({ follow }) => follow !== undefined);
  return {
    ...around(observers, 'request'),
    ...around(observers, 'run'),
    ...around(observers, 'event'),
    ...around(observers, 'call'),
    ...around(observers, 'list'),
    ...told(observers, 'attached'),
    ...told(observers, 'queued'),
    ...told(observers, 'taken'),
    ...told(observers, 'worked'),
    ...told(observers, 'elected'),
    ...told(observers, 'sourceFailed'),
    ...told(observers, 'refused'),
    ...(watching.length > 0 && {
      watch: (request) => {
        const all = watching.map((observer) => observer.watch!(request));
        return {
          opened: () => all.forEach((one) => void one.opened?.()),
          event: () => all.forEach((one) => void one.event?.()),
          ended: (error) => all.forEach((one) => void one.ended?.(error)),
        };
      },
    }),
    ...(following.length > 0 && {
      follow: <E>(source: ObservedSource, events: AsyncIterable<E>) =>
        following.reduceRight((inner, observer) => observer.follow!(source, inner), events),
    }),
  };
}
