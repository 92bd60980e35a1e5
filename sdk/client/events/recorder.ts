/** Records Kubernetes events. */

import type { Logger } from 'pino';
import { aborted } from '../../aborted.ts';
import { type KubeObject, keyOf } from '../../api/object.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { Client } from '../client.ts';
import { type CorrelatedEvent, EventCorrelator, type EventLimits } from './event-correlator.ts';
import { EventDelivery } from './event-delivery.ts';

/** Options of {@link createRecorder}. */
export interface RecorderOptions {
  readonly client: Pick<Client, 'create' | 'patch' | 'raw'>;
  /** Reporting component, such as `sequencer`. */
  readonly component: string;
  /** Instance of the component, such as the pod's name. @default the component */
  readonly instance?: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Pick<Logger, 'debug' | 'warn'>;
  /** Limit of the queued events; more are dropped. @default 1000 */
  readonly queueLimit?: number;
  /** ms between two writes of the same event while it repeats. @default 30 000 */
  readonly repeatInterval?: number;
  /** @default a burst of 25 new events for one object, then one every 10 s; a repeat after 6 minutes is a new event; 4096 entries */
  readonly limits?: Partial<EventLimits>;
}

/** Records events, best effort: it never throws or waits, and drops events that the server does not accept. */
export interface Recorder {
  /** Records an event; the same reason and message about the same object increase its count. */
  event(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void;
  /** Resolves when all recorded events are written or dropped, or when the signal aborts. */
  flush(signal?: AbortSignal): Promise<void>;
  /** Rejects further events and writes the queued ones for at most `deadline` ms. @default 5 000 */
  close(options?: { readonly deadline?: number }): Promise<void>;
  /** Number of dropped events: over a limit, rejected or not delivered. */
  readonly dropped: number;
}

/** ms between two warnings about events that were not written; each has their number. */
const warnInterval = 10_000;

const defaultLimits: EventLimits = { burst: 25, refill: 10_000, forgetAfter: 360_000, size: 4096 };

const hex = (random: () => number): string =>
  Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join('');

/** Creates a recorder that writes events one after the other, in the background. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { client, component, instance = component, clock = systemClock, random = Math.random, logger } = options;
  const { queueLimit = 1_000, repeatInterval = 30_000 } = options;
  const repeats = new Map<CorrelatedEvent, () => void>();
  const correlator = new EventCorrelator({ ...defaultLimits, ...options.limits });
  let open = true;
  let dropped = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  const drop = (reason: unknown): void => {
    dropped += 1;
    const isDue = clock.monotonic() - warnedAt >= warnInterval;
    if (isDue) warnedAt = clock.monotonic();
    logger?.[isDue ? 'warn' : 'debug']({ err: reason, dropped }, 'event not written');
  };
  const dropOverLimit = (about: KubeObject): void => {
    dropped += 1;
    logger?.debug({ object: keyOf(about.metadata), dropped }, 'too many events about one object');
  };
  const delivery = new EventDelivery({ client, reporter: { component, instance }, clock, queueLimit, onDropped: drop });

  const write = (entry: CorrelatedEvent): void => {
    repeats.get(entry)?.();
    repeats.delete(entry);
    delivery.add(entry);
  };
  const writeLater = (entry: CorrelatedEvent, now: number): void => {
    if (delivery.has(entry) || repeats.has(entry)) return;
    const wait = Math.max(0, entry.writtenAt + repeatInterval - now);
    repeats.set(
      entry,
      clock.after(wait, () => write(entry)),
    );
  };
  const flush = async (signal?: AbortSignal): Promise<void> => {
    for (const entry of [...repeats.keys()]) write(entry);
    await Promise.race([delivery.idle(), ...(signal === undefined ? [] : [aborted(signal)])]);
  };

  return {
    event(...[about, type, reason, message]) {
      if (!open) return;
      const monotonic = clock.monotonic();
      const time = { now: clock.now(), monotonic, suffix: hex(random) };
      const entry = correlator.report({ about, type, reason, message }, time);
      if (entry === undefined) dropOverLimit(about);
      else if (entry.written === 0) write(entry);
      else writeLater(entry, monotonic);
    },
    flush,
    async close({ deadline = 5_000 } = {}) {
      open = false;
      const cancel = clock.after(deadline, () => delivery.stop(new Error(`not written within ${deadline} ms`)));
      await flush();
      cancel();
    },
    get dropped() {
      return dropped;
    },
  };
}
