/** Delivers events to the API server in the background. */

import type { Clock } from '../../clock.ts';
import { AlreadyExistsError, ApiError, NotFoundError } from '../../errors.ts';
import { allowsRetry, backoffDelay, backoffs } from '../../retry.ts';
import type { Client } from '../client.ts';
import { coreFormat, type EventFormat, eventNamespaceOf, eventsFormat, type Reporter } from './event-format.ts';
import type { EventLogEntry } from './event-log.ts';

/** Dependencies and limits of an {@link EventDelivery}. */
export interface DeliveryOptions {
  readonly client: Pick<Client, 'create' | 'patch' | 'raw'>;
  readonly reporter: Reporter;
  readonly clock: Clock;
  /** Limit of the queue, in entries. */
  readonly queueLimit: number;
  /** Called for each entry that is dropped. */
  readonly dropped: (why: unknown) => void;
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

const namespaceOf = ({ occurrence }: EventLogEntry): string => eventNamespaceOf(occurrence.about);

/** Returns the last entry of the namespace with the most entries, so that no namespace crowds out others. */
function lastOfLargest(queue: readonly EventLogEntry[]): EventLogEntry {
  const groups = [...Map.groupBy(queue, namespaceOf).values()];
  return groups.reduce((largest, group) => (group.length >= largest.length ? group : largest)).at(-1)!;
}

/** Writes queued entries one after the other, in the background, until stopped. */
export class EventDelivery {
  readonly #options: DeliveryOptions;
  readonly #queue = new Set<EventLogEntry>();
  readonly #stop = new AbortController();
  #format: EventFormat | undefined;
  #running: Promise<void> | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Reports whether the entry is queued. */
  has(entry: EventLogEntry): boolean {
    return this.#queue.has(entry);
  }

  /** Queues the entry; it is written in its state at that later time. */
  add(entry: EventLogEntry): void {
    const { queueLimit, dropped } = this.#options;
    this.#queue.add(entry);
    this.#running ??= Promise.resolve().then(() => this.#drain());
    if (this.#queue.size <= queueLimit) return;
    this.#queue.delete(lastOfLargest([...this.#queue]));
    dropped(new Error(`${queueLimit} events are waiting already`));
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Drops the queued entries. */
  stop(why: Error): void {
    this.#stop.abort(why);
  }

  async #drain(): Promise<void> {
    for (const entry of this.#queue) {
      this.#queue.delete(entry);
      await this.#deliver(entry);
    }
    this.#running = undefined;
  }

  async #deliver(entry: EventLogEntry): Promise<void> {
    const { clock, dropped } = this.#options;
    const { signal } = this.#stop;
    const policy = backoffs.eventWrite;
    for (let attempt = 0; ; attempt += 1)
      try {
        signal.throwIfAborted();
        entry.writtenAt = clock.monotonic();
        return await this.#write(entry);
      } catch (error) {
        if (signal.aborted || isFinal(error) || !allowsRetry(policy, attempt)) return dropped(error);
        await clock.sleep(backoffDelay(policy, attempt), signal).catch(() => undefined);
      }
  }

  async #write(entry: EventLogEntry): Promise<void> {
    const { client } = this.#options;
    const { occurrence } = entry;
    const { signal } = this.#stop;
    this.#format ??= await formatOf(this.#options, signal);
    const { kind, again } = this.#format;
    if (entry.written === 0) await this.#create(entry);
    else {
      const key = { namespace: eventNamespaceOf(occurrence.about), name: occurrence.name };
      const patch = { type: 'merge' as const, value: again(occurrence) };
      await client.patch(kind, key, patch, { signal, deadline, answer: 'metadata' }).catch((error) => {
        // Servers delete events after an hour.
        if (!(error instanceof NotFoundError)) throw error;
        return this.#create(entry);
      });
    }
    entry.written = occurrence.count;
  }

  async #create({ occurrence }: EventLogEntry): Promise<void> {
    const { client, reporter } = this.#options;
    const { kind, create } = this.#format as EventFormat;
    const options = { signal: this.#stop.signal, deadline, answer: 'metadata' as const };
    try {
      await client.create(kind, create(occurrence, reporter), options);
    } catch (error) {
      // The response to an earlier attempt was lost: the unique name shows that the event is this one.
      if (!(error instanceof AlreadyExistsError)) throw error;
    }
  }
}
