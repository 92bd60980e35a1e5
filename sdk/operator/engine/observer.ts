/** Hooks for metrics and traces of controllers. */

import type { KubeObject, ObjectKey } from '../../api/object.ts';
import type { OutsideObserver } from '../../api/outside-observer.ts';
import type { ClientObserver } from '../../client/http/observer.ts';
import type { ReconcileAction } from '../../reconcile/object-event.ts';
import type { OperationObserver } from '../../reconcile/operatorkit/metrics.ts';
import type { Cause } from '../../reconcile/reconciler.ts';
import type { QueueObserver } from '../queue/queue.ts';
import type { ControllerHealth } from './health.ts';
import type { Settled } from './next-run.ts';

/** Controller that was created. */
export interface ObservedController {
  readonly name: string;
  readonly workers: number;
  /** Returns the current health; may be called at any time. */
  health(): ControllerHealth;
}

/** Event of a watch controller: all calls of its watchers and reconcilers are made within it. */
export interface ObservedEvent {
  readonly controller: string;
  /** Resource kind that the object's informer was added under. */
  readonly resourceKind: string;
  readonly action: ReconcileAction;
  readonly object: KubeObject;
}

/** Call of a watcher or reconciler. */
export interface ObservedCall {
  readonly type: 'watcher' | 'reconciler';
  /** Event of the call; identical (===) for the first call and all its retries. */
  readonly event: ObservedEvent;
  /** Number of failed calls in a row before this one. */
  readonly attempt: number;
  /** True when an earlier call failed or asked to run again. */
  readonly isRetry: boolean;
}

/** Run of a controller's reconciler. */
export interface ObservedRun {
  readonly controller: string;
  /** Kind of the object. */
  readonly kind: string;
  readonly key: ObjectKey;
  readonly cause: Cause;
  readonly attempt: number;
}

/** Resource and namespace that a source lists or watches. */
export interface ObservedSource {
  readonly controller: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string | undefined;
}

/** Review that a webhook has answered. */
export interface ObservedReview {
  /** Path of the webhook, such as `/validate/sites.example.com`. */
  readonly webhook: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** `refused`: no review, or one that is too long; `failed`: its handler threw; `late`: its handler has not answered in time. */
  readonly outcome: 'allowed' | 'denied' | 'converted' | 'not converted' | 'failed' | 'late' | 'refused';
  /** ms */
  readonly took: number;
}

/**
 * Observes the engine and the client: metrics and traces. Every member is optional, and costs nothing when it is absent.
 * Members with `work` must call it once and return its result; members without it must not throw.
 */
export interface Observer extends ClientObserver, OperationObserver, OutsideObserver {
  attached?(controller: ObservedController): void;
  /** A key was enqueued, at once or with a delay. */
  queued?(controller: string, later: boolean): void;
  /** A key starts to run after having been ready for `waited` ms. */
  taken?(controller: string, waited: number): void;
  /** A key has run for `took` ms. */
  worked?(controller: string, took: number): void;
  run?(run: ObservedRun, work: () => Promise<Settled>): Promise<Settled>;
  event?(event: ObservedEvent, work: () => Promise<void>): Promise<void>;
  call?(call: ObservedCall, work: () => Promise<Settled>): Promise<Settled>;
  list?<R>(source: ObservedSource, work: () => Promise<R>): Promise<R>;
  /** Must return the same items. */
  follow?<E>(source: ObservedSource, events: AsyncIterable<E>): AsyncIterable<E>;
  /** This process started or stopped leading. */
  elected?(lease: string, isLeader: boolean): void;
  /** A list or watch failed and will be retried. */
  sourceFailed?(source: ObservedSource, error: unknown): void;
  /** A webhook has answered a review. */
  reviewed?(review: ObservedReview): void;
}

/** Returns a queue observer that reports to an observer under the controller's name. */
export const queueObserverOf = (name: string, observer: Pick<Observer, keyof QueueObserver>): QueueObserver => ({
  queued: (later) => observer.queued?.(name, later),
  taken: (waited) => observer.taken?.(name, waited),
  worked: (took) => observer.worked?.(name, took),
});

type Work = () => Promise<unknown>;
type Wrapper = (info: never, work: Work) => Promise<unknown>;

const around = (
  observers: readonly Observer[],
  member: 'request' | 'run' | 'event' | 'call' | 'operation' | 'list',
) => {
  const wrappers = observers.flatMap((observer) => (observer[member]?.bind(observer) as Wrapper | undefined) ?? []);
  if (wrappers.length === 0) return {};
  const all: Wrapper = (info, work) =>
    wrappers.reduceRight<Work>((inner, wrapper) => () => wrapper(info, inner), work)();
  return { [member]: all };
};

const forwarded = (
  observers: readonly Observer[],
  member: Exclude<keyof Observer, Parameters<typeof around>[1] | 'watch' | 'follow'>,
) => {
  const listeners = observers.flatMap(
    (observer) => (observer[member]?.bind(observer) as ((...what: readonly unknown[]) => void) | undefined) ?? [],
  );
  if (listeners.length === 0) return {};
  return {
    [member]: (...what: readonly unknown[]) => {
      for (const listener of listeners) listener(...what);
    },
  };
};

/** Combines several observers into one; the first is the outermost. */
export function combinedObserver(...observers: readonly Observer[]): Observer {
  const watching = observers.filter(({ watch }) => watch !== undefined);
  const following = observers.filter(({ follow }) => follow !== undefined);
  return {
    ...around(observers, 'request'),
    ...around(observers, 'run'),
    ...around(observers, 'event'),
    ...around(observers, 'call'),
    ...around(observers, 'operation'),
    ...around(observers, 'list'),
    ...forwarded(observers, 'attached'),
    ...forwarded(observers, 'queued'),
    ...forwarded(observers, 'taken'),
    ...forwarded(observers, 'worked'),
    ...forwarded(observers, 'elected'),
    ...forwarded(observers, 'sourceFailed'),
    ...forwarded(observers, 'refused'),
    ...forwarded(observers, 'reviewed'),
    ...forwarded(observers, 'called'),
    ...forwarded(observers, 'recovered'),
    ...forwarded(observers, 'drifted'),
    ...forwarded(observers, 'followed'),
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
