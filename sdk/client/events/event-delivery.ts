/** Delivers events to the API server in the background. */

import type { Clock } from '../../clock.ts';
import { AlreadyExistsError, ApiError, NotFoundError } from '../../errors.ts';
import { allowsRetry, backoffDelay, backoffs } from '../../retry.ts';
import type { Client } from '../client.ts';
import type { CorrelatedEvent } from './event-correlator.ts';
import { coreFormat, type EventFormat, eventNamespaceOf, eventsFormat, type Reporter } from './event-format.ts';

/** Dependencies and limits of an {@link EventDelivery}. */
export interface DeliveryOptions {
  readonly client: Pick<Client, 'create' | 'patch' | 'raw'>;
  readonly reporter: Reporter;
  readonly clock: Clock;
  /** Limit of the queue, in entries. */
  readonly queueLimit: number;
  /** Called for each entry that is dropped. */
  readonly onDropped: (reason: unknown) => void;
}

/** Deadline of one write in ms. */
const deadline = 10_000;

/** Reports whether a retry is pointless. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && error.code < 500 && error.code !== 429;

/** Returns the event format that the server serves. */
async function formatOf({ client }: DeliveryOptions, signal: AbortSignal): Promise<EventFormat> {
  try {
    await client.raw('GET', '/apis/events.k8s.io/v1', undefined, { signal, deadline });
    return eventsFormat;
  } catch (error) {
    if (error instanceof NotFoundError) return coreFormat;
    throw error;
  }
}

const namespaceOf = ({ occurrence }: CorrelatedEvent): string => eventNamespaceOf(occurrence.about);

/** Returns the last entry of the namespace with the most entries, so that no namespace crowds out others. */
function lastOfLargest(queue: readonly CorrelatedEvent[]): CorrelatedEvent {
  const groups = [...Map.groupBy(queue, namespaceOf).values()];
  return groups.reduce((largest, group) => (group.length >= largest.length ? group : largest)).at(-1)!;
}

/** Writes queued entries one after the other, in the background, until stopped. */
export class EventDelivery {
  readonly #options: DeliveryOptions;
  readonly #queue = new Set<CorrelatedEvent>();
  readonly #stop = new AbortController();
  #format: EventFormat | undefined;
  #running: Promise<void> | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Reports whether the entry is queued. */
  has(entry: CorrelatedEvent): boolean {
    return this.#queue.has(entry);
  }

  /** Queues the entry, which is written in its state at the time of the write. */
  add(entry: CorrelatedEvent): void {
    const { queueLimit, onDropped } = this.#options;
    this.#queue.add(entry);
    this.#running ??= Promise.resolve().then(() => this.#drain());
    if (this.#queue.size <= queueLimit) return;
    this.#queue.delete(lastOfLargest([...this.#queue]));
    onDropped(new Error(`${queueLimit} events are waiting already`));
  }

  /** Resolves when all queued entries are written or dropped. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Aborts the current write and drops the queued entries. */
  stop(reason: Error): void {
    this.#stop.abort(reason);
  }

  async #drain(): Promise<void> {
    for (const entry of this.#queue) {
      this.#queue.delete(entry);
      await this.#deliver(entry);
    }
    this.#running = undefined;
  }

  async #deliver(entry: CorrelatedEvent): Promise<void> {
    const { clock, onDropped } = this.#options;
    const { signal } = this.#stop;
    const policy = backoffs.eventWrite;
    for (let attempt = 0; ; attempt += 1)
      try {
        signal.throwIfAborted();
        entry.writtenAt = clock.monotonic();
        return await this.#write(entry);
      } catch (error) {
        if (signal.aborted || isFinal(error) || !allowsRetry(policy, attempt)) return onDropped(error);
        await clock.sleep(backoffDelay(policy, attempt), signal).catch(() => undefined);
      }
  }

  async #write(entry: CorrelatedEvent): Promise<void> {
    const { client } = this.#options;
    const { occurrence } = entry;
    const { signal } = this.#stop;
    this.#format ??= await formatOf(this.#options, signal);
    const { kind, repeat } = this.#format;
    if (entry.written === 0) await this.#create(entry);
    else {
      const key = { namespace: eventNamespaceOf(occurrence.about), name: occurrence.name };
      const patch = { type: 'merge' as const, value: repeat(occurrence) };
      await client.patch(kind, key, patch, { signal, deadline, answer: 'metadata' }).catch((error) => {
        // Servers delete events, by default after an hour.
        if (!(error instanceof NotFoundError)) throw error;
        return this.#create(entry);
      });
    }
    entry.written = occurrence.count;
  }

  async #create({ occurrence }: CorrelatedEvent): Promise<void> {
    const { client, reporter } = this.#options;
    const { kind, create } = this.#format as EventFormat;
    const options = { signal: this.#stop.signal, deadline, answer: 'metadata' as const };
    try {
      await client.create(kind, create(occurrence, reporter), options);
    } catch (error) {
      // An earlier attempt has created it and its response was lost: names of events are unique.
      if (!(error instanceof AlreadyExistsError)) throw error;
    }
  }
}
