import type { KubeObject } from '../api/object.ts';
import type { ObjectEvent } from '../reconcile/object-event.ts';
import type { Cause, State } from '../reconcile/reconciler.ts';
import type { RetryDequeuePolicy } from './dequeue.ts';
import { ListMap } from './list-map.ts';
import type { ObservedEvent } from './observer.ts';
import type { Part } from './parts.ts';
import type { Source } from './source.ts';

/** An event that came, and from where. */
export interface Arrival {
  readonly event: ObjectEvent<KubeObject>;
  readonly source: Source;
  /** How observers know it. */
  readonly observed: ObservedEvent;
}

/** One call of one part. */
export interface Task {
  readonly part: Part;
  readonly arrival: Arrival;
  /** Calls in a row that failed before. */
  readonly attempt: number;
  readonly state: State | undefined;
  readonly cause: Cause;
}

/** A call that is made again later. */
export interface Retry extends Task {
  /** When, in monotonic ms. */
  readonly due: number;
  readonly error: unknown;
}

/** Two updates that one source told, as one; undefined: they are something else. */
function joinedArrival(last: Arrival, next: Arrival): Arrival | undefined {
  const isUpdate = last.event.action === 'updated' && next.event.action === 'updated';
  if (!isUpdate || last.source !== next.source) return undefined;
  return { ...next, event: { ...next.event, previous: last.event.previous } };
}

/**
 * What is still to do for each object: events in their order, then calls that failed or asked to run again.
 *
 * # Guarantees
 * Updates in a row that nobody has seen yet are one, from the first old state to the last new one; a resync stands behind nothing else.
 * So what waits is bounded by what happens to an object, not by how often.
 */
export class Agenda {
  readonly #arrivals = new ListMap<string, Arrival>();
  readonly #retries = new ListMap<string, Retry>();
  readonly #dequeues: RetryDequeuePolicy;

  constructor(dequeues: RetryDequeuePolicy) {
    this.#dequeues = dequeues;
  }

  /** How many objects have something to do. */
  get size(): number {
    return new Set([...this.#arrivals.keys(), ...this.#retries.keys()]).size;
  }

  /** How many objects failed, and wait to be tried again. */
  get failing(): number {
    return this.#retries.keys().filter((key) => this.#retries.items(key).some(({ attempt }) => attempt > 0)).length;
  }

  /** Something happened to an object. */
  arrived(key: string, arrival: Arrival): void {
    const waiting = this.#arrivals.items(key);
    if (arrival.event.action === 'resynced' && waiting.length > 0) return;
    const last = waiting.at(-1);
    const joined = last && joinedArrival(last, arrival);
    if (joined !== undefined) this.#arrivals.removeItemAt(key, waiting.length - 1);
    this.#arrivals.addItem(key, joined ?? arrival);
  }

  /** Takes the first event of an object out. */
  next(key: string): Arrival | undefined {
    const first = this.#arrivals.itemAt(key, 0);
    this.#arrivals.removeItemAt(key, 0);
    return first;
  }

  /** Whether events of an object wait. */
  hasArrivals(key: string): boolean {
    return this.#arrivals.keySize(key) > 0;
  }

  /** Whether `part` is to be called for an event; retries of it that the event has made pointless are dropped. */
  admits(key: string, part: Part, { event }: Arrival): boolean {
    if (event.action === 'resynced') return !this.#retries.items(key).some((retry) => retry.part === part);
    this.#retries.removeItems(key, (retry) => {
      const { action, object } = retry.arrival.event;
      return retry.part === part && this.#dequeues(event, { action, object, error: retry.error });
    });
    return true;
  }

  /** Plans a call. One of the same part about the same kind of event is planned at most: the earlier time and the longer row of failures count. */
  plan(key: string, retry: Retry): void {
    const isSame = ({ part, arrival }: Retry): boolean =>
      part === retry.part && arrival.event.action === retry.arrival.event.action;
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
