/** Pending events and retries per object, and how they are coalesced. */

import type { KubeObject } from '../../api/object.ts';
import type { ObjectEvent } from '../../reconcile/object-event.ts';
import type { Cause, State } from '../../reconcile/reconciler.ts';
import { ListMap } from '../engine/list-map.ts';
import type { ObservedEvent } from '../engine/observer.ts';
import type { RetryDequeuePolicy } from '../engine/retry-dequeue.ts';
import type { Source } from '../engine/source.ts';
import type { RegisteredHandler } from './handler-registry.ts';

/** Event and its source. */
export interface QueuedEvent {
  readonly event: ObjectEvent<KubeObject>;
  readonly source: Source;
  /** Form in which observers receive it. */
  readonly observed: ObservedEvent;
}

/** Call of one handler for one event. */
export interface HandlerCall {
  readonly handler: RegisteredHandler;
  readonly queued: QueuedEvent;
  /** Number of failed calls in a row before this one. */
  readonly attempt: number;
  readonly state: State | undefined;
  readonly cause: Cause;
}

/** Call that is repeated later. */
export interface Retry extends HandlerCall {
  /** Due time in monotonic ms. */
  readonly due: number;
  readonly error: unknown;
}

/** Merges two updates of one source; undefined when they cannot be merged. */
function joinedEvent(last: QueuedEvent, next: QueuedEvent): QueuedEvent | undefined {
  const isUpdate = last.event.action === 'updated' && next.event.action === 'updated';
  if (!isUpdate || last.source !== next.source) return undefined;
  return { ...next, event: { ...next.event, previous: last.event.previous } };
}

/**
 * Pending work per object: events in their order, then calls to be repeated.
 *
 * # Guarantees
 * Consecutive updates that were not handled yet are merged, from the first old state to the last new one; a resync is dropped if any event is
 * pending.
 * So pending work does not grow with the number of updates.
 */
export class PendingWork {
  readonly #events = new ListMap<string, QueuedEvent>();
  readonly #retries = new ListMap<string, Retry>();
  readonly #dequeues: RetryDequeuePolicy;

  constructor(dequeues: RetryDequeuePolicy) {
    this.#dequeues = dequeues;
  }

  /** Number of objects with pending work. */
  get size(): number {
    return new Set([...this.#events.keys(), ...this.#retries.keys()]).size;
  }

  /** Number of objects that failed and wait for a retry. */
  get failing(): number {
    return this.#retries.keys().filter((key) => this.#retries.items(key).some(({ attempt }) => attempt > 0)).length;
  }

  /** Adds an event of an object. */
  add(key: string, queued: QueuedEvent): void {
    const waiting = this.#events.items(key);
    if (queued.event.action === 'resynced' && waiting.length > 0) return;
    const last = waiting.at(-1);
    const joined = last && joinedEvent(last, queued);
    if (joined !== undefined) this.#events.removeItemAt(key, waiting.length - 1);
    this.#events.addItem(key, joined ?? queued);
  }

  /** Removes and returns the first event of an object. */
  next(key: string): QueuedEvent | undefined {
    const first = this.#events.itemAt(key, 0);
    this.#events.removeItemAt(key, 0);
    return first;
  }

  /** Returns the object as its first pending event or call has it. */
  objectOf(key: string): KubeObject | undefined {
    return (this.#events.itemAt(key, 0) ?? this.#retries.itemAt(key, 0)?.queued)?.event.object;
  }

  /** Reports whether an object has pending events. */
  hasEvents(key: string): boolean {
    return this.#events.keySize(key) > 0;
  }

  /** Reports whether `handler` is to be called for an event; drops its retries that the event supersedes. */
  admits(key: string, handler: RegisteredHandler, { event }: QueuedEvent): boolean {
    if (event.action === 'resynced') return !this.#retries.items(key).some((retry) => retry.handler === handler);
    this.#retries.removeItems(key, (retry) => {
      const { action, object } = retry.queued.event;
      return retry.handler === handler && this.#dequeues(event, { action, object, error: retry.error });
    });
    return true;
  }

  /** Schedules a call. There is at most one per handler and action: the earlier time and the higher number of failures win. */
  plan(key: string, retry: Retry): void {
    const isSame = ({ handler, queued }: Retry): boolean =>
      handler === retry.handler && queued.event.action === retry.queued.event.action;
    const known = this.#retries.items(key).find(isSame);
    this.#retries.removeItem(key, isSame);
    const { due, attempt } = known ?? retry;
    const planned = { ...retry, due: Math.min(due, retry.due), attempt: Math.max(attempt, retry.attempt) };
    this.#retries.addItem(key, planned);
  }

  /** Removes and returns the earliest call that is due. */
  dueAt(key: string, now: number): Retry | undefined {
    const first = this.#earliest(key);
    if (first === undefined || first.due > now) return undefined;
    this.#retries.removeItem(key, (retry) => retry === first);
    return first;
  }

  /** Returns the due time of an object's earliest call; undefined: there is none. */
  nextDue(key: string): number | undefined {
    return this.#earliest(key)?.due;
  }

  /** Returns the number of scheduled calls of an object. */
  retriesOf(key: string): number {
    return this.#retries.keySize(key);
  }

  #earliest(key: string): Retry | undefined {
    return this.#retries.items(key).reduce<Retry | undefined>((first, retry) => {
      return first === undefined || retry.due < first.due ? retry : first;
    }, undefined);
  }
}
