/** Pending events and retries by object, with their coalescing. */

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
  /** Event in the form of the observers. */
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

/** Scheduled repetition of a call. */
export interface Retry extends HandlerCall {
  /** Due time in monotonic ms. */
  readonly due: number;
  readonly error: unknown;
}

/** Merges two updates of one source; undefined for any other two events. */
function mergeUpdates(last: QueuedEvent, next: QueuedEvent): QueuedEvent | undefined {
  const isUpdate = last.event.action === 'updated' && next.event.action === 'updated';
  if (!isUpdate || last.source !== next.source) return undefined;
  return { ...next, event: { ...next.event, previous: last.event.previous } };
}

/**
 * Pending work by object: events in their order, then retries.
 *
 * # Guarantees
 * Consecutive unhandled updates are merged, from the first old state to the last new one, and a resync is dropped while any event is pending. So
 * pending work does not grow with the number of updates.
 */
export class PendingWork {
  readonly #events = new ListMap<string, QueuedEvent>();
  readonly #retries = new ListMap<string, Retry>();
  readonly #isDequeued: RetryDequeuePolicy;

  constructor(isDequeued: RetryDequeuePolicy) {
    this.#isDequeued = isDequeued;
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
    const merged = last && mergeUpdates(last, queued);
    if (merged !== undefined) this.#events.removeItemAt(key, waiting.length - 1);
    this.#events.addItem(key, merged ?? queued);
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

  /** Reports whether `handler` is called for an event, and drops its superseded retries. */
  accepts(key: string, handler: RegisteredHandler, { event }: QueuedEvent): boolean {
    if (event.action === 'resynced') return !this.#retries.items(key).some((retry) => retry.handler === handler);
    this.#retries.removeItems(key, (retry) => {
      const { action, object } = retry.queued.event;
      return retry.handler === handler && this.#isDequeued(event, { action, object, error: retry.error });
    });
    return true;
  }

  /** Schedules a retry. There is at most one per handler and action, with the earlier time and the higher number of failures. */
  schedule(key: string, retry: Retry): void {
    const isSame = ({ handler, queued }: Retry): boolean =>
      handler === retry.handler && queued.event.action === retry.queued.event.action;
    const known = this.#retries.items(key).find(isSame);
    this.#retries.removeItem(key, isSame);
    const { due, attempt } = known ?? retry;
    const planned = { ...retry, due: Math.min(due, retry.due), attempt: Math.max(attempt, retry.attempt) };
    this.#retries.addItem(key, planned);
  }

  /** Removes and returns the earliest retry if it is due. */
  takeDue(key: string, now: number): Retry | undefined {
    const first = this.#earliest(key);
    if (first === undefined || first.due > now) return undefined;
    this.#retries.removeItem(key, (retry) => retry === first);
    return first;
  }

  /** Returns the due time of an object's earliest retry; undefined without one. */
  nextDue(key: string): number | undefined {
    return this.#earliest(key)?.due;
  }

  /** Returns the number of scheduled retries of an object. */
  retriesOf(key: string): number {
    return this.#retries.keySize(key);
  }

  #earliest(key: string): Retry | undefined {
    return this.#retries.items(key).reduce<Retry | undefined>((first, retry) => {
      return first === undefined || retry.due < first.due ? retry : first;
    }, undefined);
  }
}
