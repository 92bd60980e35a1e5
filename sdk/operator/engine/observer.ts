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

/** Event of a watch controller, which spans all calls of watchers and reconcilers for it. */
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
  /** True after a call that failed or requested another one. */
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

/** Answered review of a webhook. */
export interface ObservedReview {
  /** Path of the webhook, such as `/validate/sites.example.com`. */
  readonly webhook: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** `refused`: an invalid or too long request; `failed`: the handler threw; `late`: the handler exceeded its deadline. */
  readonly outcome: 'allowed' | 'denied' | 'converted' | 'not converted' | 'failed' | 'late' | 'refused';
  /** Duration in ms. */
  readonly took: number;
}

/**
 * Observer of the engine and the client, for metrics and traces. Every member is optional; an absent one has no cost.
 * Members with `work` must call it once and return its result; members without it must not throw.
 */
export interface Observer extends ClientObserver, OperationObserver, OutsideObserver {
  attached?(controller: ObservedController): void;
  /** A key was enqueued, at once or with a delay. */
  queued?(controller: string, later: boolean): void;
  /** A key started to run after it had been ready for `waited` ms. */
  taken?(controller: string, waited: number): void;
  /** A run of a key ended after `took` ms. */
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
  /** A webhook answered a review. */
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

const nested = (
  observers: readonly Observer[],
  member: 'request' | 'run' | 'event' | 'call' | 'operation' | 'list',
) => {
  const wrappers = observers.flatMap((observer) => (observer[member]?.bind(observer) as Wrapper | undefined) ?? []);
  if (wrappers.length === 0) return {};
  const all: Wrapper = (info, work) =>
    wrappers.reduceRight<Work>((inner, wrapper) => () => wrapper(info, inner), work)();
  return { [member]: all };
};

const forward = (
  observers: readonly Observer[],
  member: Exclude<keyof Observer, Parameters<typeof nested>[1] | 'watch' | 'follow'>,
) => {
  const listeners = observers.flatMap(
    (observer) => (observer[member]?.bind(observer) as ((...args: readonly unknown[]) => void) | undefined) ?? [],
  );
  if (listeners.length === 0) return {};
  return {
    [member]: (...args: readonly unknown[]) => {
      for (const listener of listeners) listener(...args);
    },
  };
};

/** Combines several observers into one; the first is the outermost. */
export function combinedObserver(...observers: readonly Observer[]): Observer {
  const watching = observers.filter(({ watch }) => watch !== undefined);
  const following = observers.filter(({ follow }) => follow !== undefined);
  return {
    ...nested(observers, 'request'),
    ...nested(observers, 'run'),
    ...nested(observers, 'event'),
    ...nested(observers, 'call'),
    ...nested(observers, 'operation'),
    ...nested(observers, 'list'),
    ...forward(observers, 'attached'),
    ...forward(observers, 'queued'),
    ...forward(observers, 'taken'),
    ...forward(observers, 'worked'),
    ...forward(observers, 'elected'),
    ...forward(observers, 'sourceFailed'),
    ...forward(observers, 'refused'),
    ...forward(observers, 'reviewed'),
    ...forward(observers, 'called'),
    ...forward(observers, 'recovered'),
    ...forward(observers, 'drifted'),
    ...forward(observers, 'followed'),
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
