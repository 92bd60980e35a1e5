/** Lists and watches one kind into a store, as client-go's reflector does. */

import type { Logger } from 'pino';
import { type Kind, resourceOf } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { ExpiredError, UnreachableError } from '../../errors.ts';
import type { Client, Selection, WatchEvent } from '../client.ts';
import { type ConnectionHealth, ConnectionMonitor, type TryResult } from '../http/connection-monitor.ts';
import { echoOf } from '../http/watch-line-head.ts';
import type { Change, Relist, Store } from './store.ts';
import { SilentListError, StreamingSupport } from './streaming-support.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Pick<Client, 'list' | 'watch'>;
  readonly kind: Kind<T>;
  readonly selection?: Selection;
  /** Store to fill; it must have no other writer. */
  readonly store: Store<T>;
  /** Called for each change, in order; `initial` during the first list. Must not throw. */
  readonly onChange?: (change: Change<T>, initial: boolean) => void;
  /** Called after the store's version may have advanced, and after the changes up to it. */
  readonly onAdvance?: () => void;
  /** Called for each failed list or watch; it is retried. Must not throw. */
  readonly onFailure?: (error: unknown) => void;
  /** Returns the own object of that version, if its event need not be parsed: see OwnWrites.answerOf. */
  readonly answerOf?: (version: string) => T | undefined;
  /** Requests streaming lists; a server without them is listed by pages. @default true */
  readonly streaming?: boolean;
  /** ms without any byte after which a watch counts as dead. @default the client's */
  readonly idleTimeout?: number;
  readonly clock?: Clock;
  /** @default Math.random */
  readonly random?: () => number;
  readonly logger?: Logger;
}

/** Health of a store's reflector. */
export interface ReflectorHealth extends ConnectionHealth {
  /** Resource name, such as `workspaces.se.quencer.io`. */
  readonly resource: string;
  /** True once the first list is complete. */
  readonly synced: boolean;
  /** Number of full lists. */
  readonly lists: number;
  readonly objects: number;
}

/** Keeps a store in sync with its server until the signal aborts. */
export interface Reflector {
  /** Resolves after the signal has aborted; never rejects. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when the first list is complete; rejects with the signal's reason if it aborts before. */
  readonly synced: Promise<void>;
  health(): ReflectorHealth;
}

/** ms of silence within a streaming list after which the kind is listed by pages. */
const streamTimeout = 10_000;
/** Number of consecutive failures, other than of the connection, after which the version is discarded and the kind is listed again. */
const relistAfter = 6;
/** Number of consecutive lists older than the store after which they are accepted: the server was restored from a backup. */
const acceptOlderListAfter = 5;

class ReflectorLoop<T extends KubeObject> implements Reflector {
  readonly #options: ReflectorOptions<T>;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #monitor: ConnectionMonitor;
  readonly #synced = Promise.withResolvers<void>();
  #isSynced = false;
  readonly #streaming: StreamingSupport;
  /** Version to resume the watch from; undefined: list first. */
  #version: string | undefined;
  /** Streaming list in progress; undefined without one. */
  #streamed: { readonly relist: Relist<T>; readonly watchdog: Watchdog } | undefined;
  #lists = 0;
  #olderLists = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#monitor = new ConnectionMonitor(options);
    this.#streaming = new StreamingSupport(options.streaming ?? true);
    this.synced.catch(() => undefined);
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  health(): ReflectorHealth {
    return {
      resource: resourceOf(this.#options.kind),
      synced: this.#isSynced,
      ...this.#monitor.health(),
      lists: this.#lists,
      objects: this.#options.store.size,
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#monitor.begin();
      const fail = (error: unknown) => this.#monitor.end(error ?? new Error('failed without saying why'));
      const result = await this.#listAndWatch(signal).then(() => this.#monitor.end(), fail);
      if (signal.aborted) break;
      this.#handleFailure(result);
      if (result.delay > 0) await this.#clock.sleep(result.delay, signal).catch(() => undefined);
    }
    this.#synced.reject(signal.reason);
  }

  /** Lists if needed, then watches until the watch ends. */
  async #listAndWatch(signal: AbortSignal): Promise<void> {
    if (this.#version === undefined && this.#streaming.isSupported) return this.#streamingList(signal);
    if (this.#version === undefined) await this.#list(signal);
    return this.#watch(signal);
  }

  /** Reports and logs a failure; discards the version to resume from if it has expired or keeps failing. */
  #handleFailure(result: TryResult): void {
    const { failure, failures } = result;
    if (failure === undefined) return;
    this.#options.onFailure?.(failure);
    const expired = failure instanceof ExpiredError;
    if (expired || (failures % relistAfter === 0 && !(failure instanceof UnreachableError))) this.#version = undefined;
    this.#monitor.report(result, 'list or watch failed, retrying', failures > 2 && !expired ? 'warn' : 'debug');
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, kind, selection, store } = this.#options;
    const { items, resourceVersion } = await client.list(kind, { ...selection, signal });
    const relist = store.relist();
    for (const object of items) relist.add(object);
    this.#commit(relist, resourceVersion);
  }

  /** Lists by a watch, and continues to watch on the same connection. */
  async #streamingList(signal: AbortSignal): Promise<void> {
    const reason = () => new SilentListError('the server streams no lists');
    const watchdog = createWatchdog({ clock: this.#clock, timeout: streamTimeout, signal, reason });
    this.#streamed = { relist: this.#options.store.relist(), watchdog };
    try {
      await this.#watch(watchdog.signal);
      if (this.#streamed !== undefined) throw new Error('the server ended the watch before its list was complete');
      return;
    } catch (error) {
      if (this.#streamed === undefined || signal.aborted || !this.#streaming.recordFailure(error)) throw error;
      this.#options.logger?.debug({ err: error }, 'no streaming list, listing by pages');
    } finally {
      watchdog.stop();
      this.#streamed = undefined;
    }
    await this.#list(signal);
    return this.#watch(signal);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, kind, selection, idleTimeout, answerOf } = this.#options;
    // The client passes a line here only after the previous event was handled, so echoes are handled in order.
    const skip = (line: Buffer | string): boolean => {
      const echo = answerOf && echoOf(line, answerOf);
      if (echo !== undefined) this.#handleEvent(echo);
      return echo !== undefined;
    };
    const events = client.watch(kind, {
      ...selection,
      ...(this.#version === undefined ? { sendInitialEvents: true } : { resourceVersion: this.#version }),
      ...(idleTimeout !== undefined && { idleTimeout }),
      ...(answerOf !== undefined && { skip }),
      timeoutSeconds: Math.round(300 * (1 + this.#random())),
      signal,
    });
    for await (const event of events)
      if (!signal.aborted) this.#handleEvent(event);
      else break;
    signal.throwIfAborted();
  }

  #handleEvent(event: WatchEvent<T>): void {
    this.#monitor.recordActivity();
    if (this.#streamed !== undefined) this.#handleListEvent(this.#streamed, event);
    else this.#handleWatchEvent(event);
  }

  #handleWatchEvent(event: WatchEvent<T>): void {
    const { store } = this.#options;
    if (event.type === 'BOOKMARK') store.advance(event.resourceVersion);
    else this.#notify(store.apply(event.type, event.object));
    this.#version = store.version;
    this.#options.onAdvance?.();
  }

  #handleListEvent({ relist, watchdog }: { relist: Relist<T>; watchdog: Watchdog }, event: WatchEvent<T>): void {
    watchdog.recordActivity();
    if (event.type === 'DELETED') relist.remove(event.object);
    else if (event.type !== 'BOOKMARK') relist.add(event.object);
    else if (event.initialEventsEnd) {
      watchdog.disarm();
      this.#commit(relist, event.resourceVersion);
      this.#streamed = undefined;
      this.#streaming.recordList();
    }
  }

  #commit(relist: Relist<T>, version: string): void {
    this.#monitor.recordActivity();
    this.#olderLists = relist.isOlder(version) ? this.#olderLists + 1 : 0;
    if (this.#olderLists > 0) {
      if (this.#olderLists < acceptOlderListAfter) throw new Error(`the list (${version}) is older than what is known`);
      this.#options.logger?.warn({ version }, 'the server went back to an older state, taking it over');
      this.#olderLists = 0;
    }
    this.#notify(relist.commit(version));
    this.#version = version;
    this.#lists += 1;
    this.#isSynced = true;
    this.#options.onAdvance?.();
    this.#synced.resolve();
  }

  #notify(changes: readonly Change<T>[]): void {
    for (const change of changes) this.#options.onChange?.(change, !this.#isSynced);
  }
}

/**
 * Lists one kind (by a streaming list if the server has it, else by pages) and watches it from the list's version, until aborted.
 *
 * # Guarantees
 * Failures are retried, by `backoffs.connection`, and an expired version is followed by a new list.
 * {@link Reflector.health} has the time since the server last sent data, and the last failure.
 * No change is lost: deletions missed during an outage are reported after the next list, with the last known state.
 * A list older than the store is rejected, unless the server repeats it five times (it was restored from a backup).
 * @throws TypeError when a namespace is selected of a cluster-scoped kind
 */
export function createReflector<T extends KubeObject>(options: ReflectorOptions<T>): Reflector {
  const { kind, selection } = options;
  if (!kind.namespaced && selection?.namespace !== undefined)
    throw new TypeError(
      `${resourceOf(kind)} are not namespaced: leave selection.namespace (${selection.namespace}) out`,
    );
  return new ReflectorLoop(options);
}
