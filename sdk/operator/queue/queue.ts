/** Work queue of keys with delays, priorities and concurrency. */

import { type Clock, systemClock } from '../../clock.ts';
import { type DueEntry, DueHeap } from './due-heap.ts';
import { type Priority, precedes, type ReadyKey, ReadyKeys } from './ready-keys.ts';
import { type Occupancy, type RunAges, RunningKeys } from './running-keys.ts';
import { StallWatch } from './stall-watch.ts';

export interface AddOptions {
  /** ms until the key may run; the earliest of several delayed requests wins. @default 0 */
  readonly delay?: number;
  /** The highest priority of several requests wins until the key runs. @default 'fresh'; with a delay always 'due' */
  readonly priority?: Exclude<Priority, 'due'>;
}

/** Observer of a queue, for metrics. */
export interface QueueObserver {
  queued(later: boolean): void;
  taken(waited: number): void;
  worked(took: number): void;
}

export interface QueueOptions {
  /** Runs a key. Must not reject: the callee handles failures. */
  readonly run: (key: string) => Promise<void>;
  /** Reports whether a key must wait for {@link Queue.release}. Called just before each run. @default never */
  readonly isHeld?: (key: string) => boolean;
  /** Returns the tenant of a key, for the round robin within a priority. Called each time the key becomes ready. @default all keys have one tenant */
  readonly tenantOf?: (key: string) => string;
  /** Maximum number of concurrent runs, not counting slow ones. @default 10 */
  readonly workers?: number;
  readonly clock?: Clock;
  readonly observer?: QueueObserver;
  /** Called with the current runs when keys have waited for long and none has started, and with undefined when the queue continues. */
  readonly onStall?: (occupancy: Occupancy | undefined) => void;
}

/** Number of keys by state. */
export interface QueueHealth extends RunAges {
  readonly ready: number;
  readonly delayed: number;
  readonly held: number;
  /** ms since when keys wait and none has started; 0 while none waits. */
  readonly stalled: number;
}

interface QueueEntry extends DueEntry, ReadyKey {
  state: 'idle' | 'ready' | 'held' | 'running';
  /** True when the key was added again while running. */
  isRequeued: boolean;
  /** Monotonic ms. */
  startedAt: number;
  /** Monotonic ms of becoming ready; set for observers only. */
  readyAt: number;
}

/**
 * Work queue of unique keys.
 * # Guarantees
 * A key runs at most once at a time; added while it runs, it runs once more afterwards. No request is lost.
 * A delayed request survives runs for other reasons; the earliest of several is kept; {@link Queue.cancel} drops it.
 * Within a priority, keys are served round robin over tenants and FIFO within one. No priority and no tenant starves.
 * A held key occupies no worker, nor does a run after its first minute, up to nine for each worker. One timer serves the earliest delayed key, so
 * there is no polling.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #clock: Clock;
  readonly #entries = new Map<string, QueueEntry>();
  readonly #ready = new ReadyKeys();
  readonly #delayed = new DueHeap<QueueEntry>();
  readonly #running: RunningKeys<QueueEntry>;
  readonly #stall: StallWatch;
  #held = 0;
  #state: 'waiting' | 'started' | 'stopped' = 'waiting';
  #timer: { readonly due: number; readonly cancel: () => void } | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#running = new RunningKeys(options.workers ?? 10, this.#clock, () => this.#startReady());
    this.#stall = new StallWatch(this.#clock, (stalled) => {
      options.onStall?.(stalled ? this.#running.occupancy(this.#ready.size) : undefined);
    });
  }

  /** Starts to run keys, which are only collected before. */
  start(): void {
    if (this.#state === 'waiting') this.#state = 'started';
    this.#startReady();
  }

  /** Enqueues a key. Ignored once the queue drains. */
  add(key: string, { delay = 0, priority = 'fresh' }: AddOptions = {}): void {
    if (this.#state === 'stopped') return;
    const entry = this.#entryOf(key);
    if (delay > 0) this.#delay(entry, this.#clock.monotonic() + delay);
    else this.#enqueue(entry, priority);
    this.#options.observer?.queued(delay > 0);
    this.#startReady();
  }

  /** Drops the delayed request of `key`, if any. */
  cancel(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#delayed.remove(entry);
    this.#deleteIfUnused(entry);
  }

  /** Reports whether `key` has a delayed request. */
  isDelayed(key: string): boolean {
    return (this.#entries.get(key)?.heapIndex ?? -1) !== -1;
  }

  /** Releases a held key, ahead of the backlog. */
  release(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.state !== 'held') return;
    this.#held -= 1;
    entry.state = 'idle';
    this.#enqueue(entry, 'fresh');
    this.#startReady();
  }

  /** Stops starting runs and waits up to `deadline` ms for the current ones. Resolves with the keys that still run. */
  async drain(deadline: number): Promise<readonly string[]> {
    this.#state = 'stopped';
    this.#timer?.cancel();
    this.#running.stopTimer();
    this.#stall.stop();
    if (this.#running.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onIdle = resolve;
      const cancel = this.#clock.after(deadline, resolve);
      await promise;
      cancel();
    }
    return [...this.#running].map(({ key }) => key);
  }

  health(): QueueHealth {
    return {
      ready: this.#ready.size,
      delayed: this.#delayed.size,
      held: this.#held,
      ...this.#running.ages(),
      stalled: this.#stall.stalledFor,
    };
  }

  #entryOf(key: string): QueueEntry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const unset = { tenant: '', isRequeued: false, startedAt: 0, readyAt: 0, due: 0, heapIndex: -1 };
    const entry: QueueEntry = { key, state: 'idle', priority: 'backlog', ...unset };
    this.#entries.set(key, entry);
    return entry;
  }

  #enqueue(entry: QueueEntry, priority: Priority): void {
    if (entry.state === 'idle') entry.priority = priority;
    else if (precedes(priority, entry.priority)) {
      const isReady = this.#ready.delete(entry);
      entry.priority = priority;
      if (isReady) this.#ready.add(entry);
    }
    if (entry.state === 'running') entry.isRequeued = true;
    if (entry.state !== 'idle') return;
    entry.state = 'ready';
    if (this.#options.observer !== undefined) entry.readyAt = this.#clock.monotonic();
    entry.tenant = this.#options.tenantOf?.(entry.key) ?? '';
    this.#ready.add(entry);
  }

  #delay(entry: QueueEntry, due: number): void {
    if (entry.heapIndex !== -1 && entry.due <= due) return;
    this.#delayed.remove(entry);
    entry.due = due;
    this.#delayed.add(entry);
    this.#setTimer();
  }

  #setTimer(): void {
    const due = this.#delayed.first?.due;
    if (due === undefined || this.#state === 'stopped') return;
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => this.#enqueueDue());
    this.#timer = { due, cancel };
  }

  #enqueueDue(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    for (let entry = this.#delayed.first; entry !== undefined && entry.due <= now; entry = this.#delayed.first) {
      this.#delayed.remove(entry);
      this.#enqueue(entry, 'due');
    }
    this.#setTimer();
    this.#startReady();
  }

  #take(): QueueEntry | undefined {
    const key = this.#ready.take();
    return key === undefined ? undefined : this.#entries.get(key);
  }

  #startReady(): void {
    const { isHeld } = this.#options;
    while (this.#state === 'started' && this.#running.freeWorker(this.#ready.size > 0)) {
      const entry = this.#take();
      if (entry === undefined) break;
      if (isHeld?.(entry.key) === true) {
        entry.state = 'held';
        this.#held += 1;
      } else this.#start(entry);
    }
    if (this.#state === 'started') this.#stall.update(this.#ready.size > 0);
  }

  #start(entry: QueueEntry): void {
    entry.state = 'running';
    entry.priority = 'backlog';
    entry.startedAt = this.#clock.monotonic();
    this.#running.add(entry);
    this.#stall.started();
    this.#options.observer?.taken(entry.startedAt - entry.readyAt);
    this.#options.run(entry.key).finally(() => this.#onRunEnded(entry));
  }

  #onRunEnded(entry: QueueEntry): void {
    this.#running.delete(entry);
    this.#options.observer?.worked(this.#clock.monotonic() - entry.startedAt);
    entry.state = 'idle';
    if (entry.isRequeued) {
      entry.isRequeued = false;
      this.#enqueue(entry, entry.priority);
    } else this.#deleteIfUnused(entry);
    if (this.#running.size === 0) this.#onIdle?.();
    this.#startReady();
  }

  #deleteIfUnused(entry: QueueEntry): void {
    if (entry.state === 'idle' && entry.heapIndex === -1) this.#entries.delete(entry.key);
  }
}
