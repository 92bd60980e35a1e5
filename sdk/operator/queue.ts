import { type Clock, systemClock } from '../clock.ts';
import { type Due, DueHeap } from './due-heap.ts';
import { Fifo } from './fifo.ts';
import type { QueueObserver } from './observer.ts';

/** `fresh`: something has just changed. `due`: a delay is over. `backlog`: there is a lot of it, such as all objects at start-up, and it can wait. */
export type Priority = 'fresh' | 'due' | 'backlog';

export interface AddOptions {
  /** ms until the key may run; of several wishes the earliest holds. @default 0 */
  readonly delay?: number;
  /** Of several the first of `fresh`, `due`, `backlog` holds until the key runs. @default 'fresh'; with a delay always 'due' */
  readonly priority?: Exclude<Priority, 'due'>;
}

export interface QueueOptions {
  /** Carries one run out. Must not reject: whoever knows what a failure means has handled it. */
  readonly run: (key: string) => Promise<void>;
  /** Whether a key that is due must wait for {@link Queue.release}. Asked just before each run. @default never */
  readonly isHeld?: (key: string) => boolean;
  /** How many keys run at once. @default 10 */
  readonly workers?: number;
  readonly clock?: Clock;
  readonly observer?: QueueObserver;
}

/** How many keys are in which state. */
export interface QueueHealth {
  readonly ready: number;
  readonly delayed: number;
  readonly held: number;
  readonly running: number;
  /** ms since the longest run started; 0 when none runs. */
  readonly longestRun: number;
  /** ms of all that run, added up. */
  readonly unfinished: number;
}

interface QueueEntry extends Due {
  readonly key: string;
  state: 'idle' | 'ready' | 'held' | 'running';
  priority: Priority;
  /** Asked to run again at once while running. */
  again: boolean;
  /** Monotonic ms. */
  startedAt: number;
  /** Monotonic ms since when it could run; kept for observers only. */
  readyAt: number;
}

const order: readonly Priority[] = ['fresh', 'due', 'backlog'];
const reversed = order.toReversed();
/** One run in so many is given out in reverse order, so that nothing is ever starved. */
const fairShare = 10;

/**
 * Keys that want to run.
 *
 * # Guarantees
 * A key runs at most once at a time; asked for while it runs, it runs once more afterwards. Nothing asked for is lost.
 * A delayed wish stays when the key runs for another reason before; of several the earliest stays; {@link Queue.cancel} drops it.
 * A held key costs nothing and stops no other. There is one timer, for the earliest delayed key: nothing polls.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #clock: Clock;
  readonly #entries = new Map<string, QueueEntry>();
  readonly #ready: Readonly<Record<Priority, Fifo>> = { fresh: new Fifo(), due: new Fifo(), backlog: new Fifo() };
  readonly #delayed = new DueHeap<QueueEntry>();
  readonly #running = new Set<QueueEntry>();
  #held = 0;
  #state: 'waiting' | 'started' | 'stopped' = 'waiting';
  #taken = 0;
  #timer: { readonly due: number; readonly cancel: () => void } | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Lets keys run; before, they are only collected. */
  start(): void {
    if (this.#state === 'waiting') this.#state = 'started';
    this.#fill();
  }

  /** Asks for a run of `key`. Ignored once the queue drains. */
  add(key: string, { delay = 0, priority = 'fresh' }: AddOptions = {}): void {
    if (this.#state === 'stopped') return;
    const entry = this.#entryOf(key);
    if (delay > 0) this.#delay(entry, this.#clock.monotonic() + delay);
    else this.#wish(entry, priority);
    this.#options.observer?.queued(delay > 0);
    this.#fill();
  }

  /** Drops the delayed wish of `key`, if there is one. */
  cancel(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#delayed.remove(entry);
    this.#forget(entry);
  }

  /** Whether a delayed wish of `key` is still to come. */
  isDelayed(key: string): boolean {
    return (this.#entries.get(key)?.place ?? -1) !== -1;
  }

  /** Lets a held key run, ahead of the backlog. */
  release(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.state !== 'held') return;
    this.#held -= 1;
    entry.state = 'idle';
    this.#wish(entry, 'fresh');
    this.#fill();
  }

  /** Starts nothing more and waits for what runs, `deadline` ms at most. Resolves with the keys that still run then. */
  async drain(deadline: number): Promise<readonly string[]> {
    this.#state = 'stopped';
    this.#timer?.cancel();
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
    const now = this.#clock.monotonic();
    const taken = [...this.#running].map(({ startedAt }) => now - startedAt);
    return {
      ready: order.reduce((sum, priority) => sum + this.#ready[priority].size, 0),
      delayed: this.#delayed.size,
      held: this.#held,
      running: this.#running.size,
      longestRun: Math.max(0, ...taken),
      unfinished: taken.reduce((sum, ms) => sum + ms, 0),
    };
  }

  #entryOf(key: string): QueueEntry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: QueueEntry = {
      key,
      state: 'idle',
      priority: 'backlog',
      again: false,
      startedAt: 0,
      readyAt: 0,
      due: 0,
      place: -1,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #wish(entry: QueueEntry, priority: Priority): void {
    if (entry.state === 'idle') entry.priority = priority;
    else if (order.indexOf(priority) < order.indexOf(entry.priority)) {
      if (this.#ready[entry.priority].delete(entry.key)) this.#ready[priority].add(entry.key);
      entry.priority = priority;
    }
    if (entry.state === 'running') entry.again = true;
    if (entry.state !== 'idle') return;
    entry.state = 'ready';
    if (this.#options.observer !== undefined) entry.readyAt = this.#clock.monotonic();
    this.#ready[entry.priority].add(entry.key);
  }

  #delay(entry: QueueEntry, due: number): void {
    if (entry.place !== -1 && entry.due <= due) return;
    this.#delayed.remove(entry);
    entry.due = due;
    this.#delayed.add(entry);
    this.#arm();
  }

  #arm(): void {
    const due = this.#delayed.first?.due;
    if (due === undefined || this.#state === 'stopped') return;
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => this.#ripen());
    this.#timer = { due, cancel };
  }

  /** Moves what is due to the ready ones. */
  #ripen(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    for (let entry = this.#delayed.first; entry !== undefined && entry.due <= now; entry = this.#delayed.first) {
      this.#delayed.remove(entry);
      this.#wish(entry, 'due');
    }
    this.#arm();
    this.#fill();
  }

  #take(): QueueEntry | undefined {
    this.#taken += 1;
    const priority = (this.#taken % fairShare === 0 ? reversed : order).find((one) => this.#ready[one].size > 0);
    const key = priority && this.#ready[priority].take();
    return key === undefined ? undefined : this.#entries.get(key);
  }

  #fill(): void {
    const { workers = 10, isHeld } = this.#options;
    while (this.#state === 'started' && this.#running.size < workers) {
      const entry = this.#take();
      if (entry === undefined) return;
      if (isHeld?.(entry.key) === true) {
        entry.state = 'held';
        this.#held += 1;
      } else this.#start(entry);
    }
  }

  #start(entry: QueueEntry): void {
    entry.state = 'running';
    entry.priority = 'backlog';
    entry.startedAt = this.#clock.monotonic();
    this.#running.add(entry);
    this.#options.observer?.taken(entry.startedAt - entry.readyAt);
    this.#options.run(entry.key).finally(() => this.#settle(entry));
  }

  #settle(entry: QueueEntry): void {
    this.#running.delete(entry);
    this.#options.observer?.worked(this.#clock.monotonic() - entry.startedAt);
    entry.state = 'idle';
    if (entry.again) {
      entry.again = false;
      this.#wish(entry, entry.priority);
    } else this.#forget(entry);
    if (this.#running.size === 0) this.#onIdle?.();
    this.#fill();
  }

  #forget(entry: QueueEntry): void {
    if (entry.state === 'idle' && entry.place === -1) this.#entries.delete(entry.key);
  }
}
