import type { Logger } from 'pino';
import { aborted } from '../aborted.ts';
import { type KubeObject, keyOf } from '../api/object.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Client } from './client.ts';
import { EventDelivery } from './event-delivery.ts';
import { type Entry, type EventLimits, EventLog } from './event-log.ts';

/** What {@link createRecorder} takes. */
export interface RecorderOptions {
  readonly client: Pick<Client, 'create' | 'patch' | 'raw'>;
  /** Who reports, such as `sequencer`. */
  readonly component: string;
  /** Which process of it, such as the pod's name. @default the component */
  readonly instance?: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly logger?: Pick<Logger, 'debug' | 'warn'>;
  /** Events waiting to be written; more are dropped. @default 1000 */
  readonly queueLimit?: number;
  /** ms between two writes of the same event while it repeats. @default 30 000 */
  readonly repeatInterval?: number;
  /** @default 25 new events at once for one object, then one every 10 s; a repeat after 6 minutes is a new event; 4096 remembered */
  readonly limits?: Partial<EventLimits>;
}

/** Writes events, best effort: it never throws, never waits, and loses what a server does not take. */
export interface Recorder {
  /** The same reason and message about the same object again counts up instead of making a new event. */
  event(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string): void;
  /** Resolves when everything reported so far is written or given up, or when the signal aborts. */
  flush(signal?: AbortSignal): Promise<void>;
  /** Takes no more events, and writes the ones it has for at most `deadline` ms. @default 5 000 */
  close(options?: { readonly deadline?: number }): Promise<void>;
  /** Events lost so far: too many, refused or not delivered. */
  readonly dropped: number;
}

const usualLimits: EventLimits = { burst: 25, refill: 10_000, forgetAfter: 360_000, size: 4096 };

const hex = (random: () => number): string =>
  Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join('');

/** A recorder that writes one event after the other, in the background. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { client, component, instance = component, clock = systemClock, random = Math.random, logger } = options;
  const { queueLimit = 1_000, repeatInterval = 30_000 } = options;
  const repeats = new Map<Entry, () => void>();
  const log = new EventLog({ ...usualLimits, ...options.limits });
  let open = true;
  let dropped = 0;
  const drop = (why: unknown): void => {
    dropped += 1;
    logger?.warn({ err: why, dropped }, 'event not written');
  };
  const holdBack = (about: KubeObject): void => {
    dropped += 1;
    logger?.debug({ object: keyOf(about.metadata), dropped }, 'too many events about one object');
  };
  const delivery = new EventDelivery({ client, reporter: { component, instance }, clock, queueLimit, dropped: drop });

  const write = (entry: Entry): void => {
    repeats.get(entry)?.();
    repeats.delete(entry);
    delivery.add(entry);
  };
  const writeLater = (entry: Entry, now: number): void => {
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
      const source = { now: clock.now(), monotonic, suffix: hex(random) };
      const entry = log.report({ about, type, reason, message }, source);
      if (entry === undefined) holdBack(about);
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
