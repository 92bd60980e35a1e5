import type { KubeObject } from '../api/object.ts';
import type { ObjectEvent } from '../reconcile/object-event.ts';
import type { Cause, State } from '../reconcile/reconciler.ts';
import type { RegisteredHandler } from './handler-registry.ts';
import { ListMap } from './list-map.ts';
import type { ObservedEvent } from './observer.ts';
import type { RetryDequeuePolicy } from './retry-dequeue.ts';
import type { Source } from './source.ts';

/** An event that came, and from where. */
export interface QueuedEvent {
  readonly event: ObjectEvent<KubeObject>;
  readonly source: Source;
  /** How observers know it. */
  readonly observed: ObservedEvent;
}

/** One call of one part. */
export interface HandlerCall {
  readonly handler: RegisteredHandler;
  readonly queued: QueuedEvent;
  /** Calls in a row that failed before. */
  readonly attempt: number;
  readonly state: State | undefined;
  readonly cause: Cause;
}

/** A call that is made again later. */
export interface Retry extends HandlerCall {
  /** When, in monotonic ms. */
  readonly due: number;
  readonly error: unknown;
}

/** Two updates that one source told, as one; undefined: they are something else. */
function joinedEvent(last: QueuedEvent, next: QueuedEvent): QueuedEvent | undefined {
  const isUpdate = last.event.action === 'updated' && next.event.action === 'updated';
  if (!isUpdate || last.source !== next.source) return undefined;
  return { ...next, event: { ...next.event, previous: last.event.previous } };
}

/**
 * Pending work per object: events in their order, then calls to be made again.
 *
 * # Guarantees
 * Updates in a row that nobody has seen yet are one, from the first old state to the last new one; a resync stands behind nothing else.
 * So what waits is bounded by what happens to an object, not by how often.
 */
export class PendingWork {
  readonly #events = new ListMap<string, QueuedEvent>();
  readonly #retries = new ListMap<string, Retry>();
  readonly #dequeues: RetryDequeuePolicy;

  constructor(dequeues: RetryDequeuePolicy) {
    this.#dequeues = dequeues;
  }

  /** How many objects have something to do. */
  get size(): number {
    return new Set([...this.#events.keys(), ...this.#retries.keys()]).size;
  }

  /** How many objects failed, and wait to be tried again. */
  get failing(): number {
    return this.#retries.keys().filter((key) => this.#retries.items(key).some(({ attempt }) => attempt > 0)).length;
  }

  /** Something happened to an object. */
  add(key: string, queued: QueuedEvent): void {
    const waiting = this.#events.items(key);
    if (queued.event.action === 'resynced' && waiting.length > 0) return;
    const last = waiting.at(-1);
    const joined = last && joinedEvent(last, queued);
    if (joined !== undefined) this.#events.removeItemAt(key, waiting.length - 1);
    this.#events.addItem(key, joined ?? queued);
  }

  /** Takes the first event of an object out. */
  next(key: string): QueuedEvent | undefined {
    const first = this.#events.itemAt(key, 0);
    this.#events.removeItemAt(key, 0);
    return first;
  }

  /** Whether events of an object wait. */
  hasEvents(key: string): boolean {
    return this.#events.keySize(key) > 0;
  }

  /** Whether `handler` is to be called for an event; retries of it that the event has made pointless are dropped. */
  admits(key: string, handler: RegisteredHandler, { event }: QueuedEvent): boolean {
    if (event.action === 'resynced') return !this.#retries.items(key).some((retry) => retry.handler === handler);
    this.#retries.removeItems(key, (retry) => {
      const { action, object } = retry.queued.event;
      return retry.handler === handler && this.#dequeues(event, { action, object, error: retry.error });
    });
    return true;
  }

  /** Plans a call. One of the same part about the same kind of event is planned at most: the earlier time and the longer row of failures count. */
  plan(key: string, retry: Retry): void {
    const isSame = ({ handler, queued }: Retry): boolean =>
      handler === retry.handler && queued.event.action === retry.queued.event.action;
    const known = this.#retries.items(key).find(isSame);
    this.#retries.removeItem(key, isSame);
    const { due, attempt } = known ?? retry;
    const planned = { ...retry, due: Math.min(due, retry.due), attempt: Math.max(attempt, retry.attempt) };
    this.#retries.addItem(key, planned);
  }

  /** Takes the earliest call out that is due. */
  dueAt(key: string, now: number): Retry | undefined {
    const first = this.#earliest(key);
    if (first === undefined || first.due > now) return undefined;
    this.#retries.removeItem(key, (retry) => retry === first);
    return first;
  }

  /** When the earliest call of an object is due; undefined: there is none. */
  nextDue(key: string): number | undefined {
    return this.#earliest(key)?.due;
  }

  /** How many calls of an object wait. */
  retriesOf(key: string): number {
    return this.#retries.keySize(key);
  }

  #earliest(key: string): Retry | undefined {
    return this.#retries.items(key).reduce<Retry | undefined>((first, retry) => {
      return first === undefined || retry.due < first.due ? retry : first;
    }, undefined);
  }
}
