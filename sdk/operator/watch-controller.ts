/** Watch controller: watchers and reconcilers by resource kind. */

import { aborted } from '../aborted.ts';
import { type Kind, resourceOf } from '../api/kind.ts';
import { type KubeObject, keyOf } from '../api/object.ts';
import type { Client } from '../client/client.ts';
import { OwnWrites } from '../client/own-writes.ts';
import type { StoreReader } from '../client/store.ts';
import { trackingClient } from '../client/tracking-client.ts';
import { systemClock } from '../clock.ts';
import type { Reconciler } from '../reconcile/reconciler.ts';
import type { ResourceWatcher } from '../reconcile/watcher.ts';
import { DrainError } from './drain.ts';
import { type Events, eventsOf } from './events.ts';
import { loggingHandler, safely } from './failure-handler.ts';
import { HandlerDispatcher, jobKeyOf } from './handler-dispatcher.ts';
import { HandlerRegistry } from './handler-registry.ts';
import type { ControllerHealth } from './health.ts';
import { type Followed, InformerSet } from './informer-set.ts';
import { checkWatchOptions, type WatchControllerOptions } from './watch-options.ts';

/**
 * Calls watchers and reconcilers for the events of objects: grafana-app-sdk's InformerController.
 *
 * A `resourceKind` is free text that connects informers with watchers and reconcilers. All three may be added and removed at any
 * time; an event is dispatched to the handlers registered when it is processed. Removing an unknown one does nothing.
 */
export interface WatchController {
  readonly name: string;
  /** Client for handlers: it records own writes, so that no call sees an object older than the last of them. */
  readonly client: Client;
  /**
   * Adds an `informer` of a kind of the cluster, or a custom `EventSource`. Several may serve one resource kind, each for a part of its objects.
   * @throws TypeError for a missing informer or kind, or one that was added before
   */
  addInformer<T extends KubeObject>(informer: Followed<T>, resourceKind: string): void;
  /** Removes an informer; resolves when it has stopped. Pending work of its objects is dropped. */
  removeInformer<T extends KubeObject>(informer: Followed<T>, resourceKind: string): Promise<void>;
  /** Adds a watcher for events of a resource kind, after those added before. @throws TypeError for a missing watcher or kind */
  addWatcher<T extends KubeObject>(watcher: ResourceWatcher<T> | Reconciler<T>, resourceKind: string): void;
  /** Removes the first registration of this handler, and its retries. */
  removeWatcher<T extends KubeObject>(watcher: ResourceWatcher<T> | Reconciler<T>, resourceKind: string): void;
  removeAllWatchersForResource(resourceKind: string): void;
  /** Adds a reconciler for events of a resource kind; it is called after all watchers. @throws TypeError for a missing reconciler or kind */
  addReconciler<T extends KubeObject>(reconciler: Reconciler<T>, resourceKind: string): void;
  /** Removes the first registration of this handler, and its retries. */
  removeReconciler<T extends KubeObject>(reconciler: Reconciler<T>, resourceKind: string): void;
  removeAllReconcilersForResource(resourceKind: string): void;
  /** Returns the cache of an informer. @throws TypeError for one that was not added */
  storeOf<T extends KubeObject>(informer: Followed<T>): StoreReader<T>;
  /** Resolves when every informer added so far has listed once; rejects when the controller stops before. */
  waitForSync(): Promise<void>;
  /** Runs the controller; resolves once the signal has aborted and the last call has ended. Call it once. @throws DrainError */
  run(signal: AbortSignal): Promise<void>;
  health(): ControllerHealth;
}

class WatchEngine implements WatchController {
  readonly name: string;
  readonly client: Client;
  readonly #drain: number;
  readonly #ownWrites: OwnWrites;
  readonly #handlers = new HandlerRegistry();
  readonly #informers: InformerSet;
  readonly #dispatcher: HandlerDispatcher;
  readonly #events: Events;
  #isStarted = false;

  constructor(options: WatchControllerOptions) {
    const { clock = systemClock, name = 'watch-controller', drain = 10_000, client, observer, random } = options;
    const logger = options.logger?.child({ controller: name });
    this.name = name;
    this.#drain = drain;
    this.#ownWrites = new OwnWrites({ clock });
    this.client = trackingClient(client, this.#ownWrites);
    this.#events = eventsOf(name, options);
    const failed = safely(options.errorHandler ?? loggingHandler(logger), logger);
    this.#dispatcher = new HandlerDispatcher({
      ...options,
      name,
      clock,
      failed,
      logger,
      handlers: this.#handlers,
      isHeld: (key) => this.#ownWrites.isWaiting(key),
      isFollowed: (source) => this.#informers.has(source),
      context: { client: this.client, events: this.#events, clock, stored: (kind) => this.#storedOf(kind) },
    });
    this.#informers = new InformerSet({
      host: { name, client, clock, logger, observer, random: random ?? Math.random, ownWrites: this.#ownWrites },
      requestsOf: (resourceKind, object) => [jobKeyOf(resourceKind, keyOf(object.metadata))],
      onEvent: (...event) => this.#dispatcher.onEvent(...event),
      failed: (resourceKind, resource, error) => failed(error, { type: 'informer', resourceKind, resource }),
    });
    this.#ownWrites.onReleased((keys) => this.#dispatcher.release(keys));
    observer?.attached?.({ name, workers: options.workers ?? 10, health: () => this.health() });
  }

  addInformer<T extends KubeObject>(informer: Followed<T>, resourceKind: string): void {
    this.#informers.add(informer, resourceKind);
  }

  removeInformer<T extends KubeObject>(informer: Followed<T>, resourceKind: string): Promise<void> {
    return this.#informers.remove(informer, resourceKind);
  }

  addWatcher<T extends KubeObject>(watcher: ResourceWatcher<T> | Reconciler<T>, resourceKind: string): void {
    this.#handlers.addWatcher(watcher as unknown as ResourceWatcher<never>, resourceKind);
  }

  removeWatcher<T extends KubeObject>(watcher: ResourceWatcher<T> | Reconciler<T>, resourceKind: string): void {
    this.#handlers.removeWatcher(watcher as unknown as ResourceWatcher<never>, resourceKind);
  }

  removeAllWatchersForResource(resourceKind: string): void {
    this.#handlers.removeAllWatchers(resourceKind);
  }

  addReconciler<T extends KubeObject>(reconciler: Reconciler<T>, resourceKind: string): void {
    this.#handlers.addReconciler(reconciler as unknown as Reconciler<never>, resourceKind);
  }

  removeReconciler<T extends KubeObject>(reconciler: Reconciler<T>, resourceKind: string): void {
    this.#handlers.removeReconciler(reconciler as unknown as Reconciler<never>, resourceKind);
  }

  removeAllReconcilersForResource(resourceKind: string): void {
    this.#handlers.removeAllReconcilers(resourceKind);
  }

  storeOf<T extends KubeObject>(informer: Followed<T>): StoreReader<T> {
    return this.#informers.storeOf(informer);
  }

  async waitForSync(): Promise<void> {
    await Promise.all(this.#informers.sources().map(({ reflector }) => reflector.synced));
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new Error(`controller ${this.name} was started before: create another one`);
    this.#isStarted = true;
    this.#dispatcher.start();
    this.#informers.start();
    await aborted(signal);
    const running = await this.#dispatcher.drain(this.#drain);
    await Promise.all([this.#informers.stop(signal.reason), this.#events.close()]);
    if (running.length > 0) throw new DrainError(this.name, running);
  }

  health(): ControllerHealth {
    const sources = this.#informers.sources().map(({ reflector }) => reflector.health());
    const synced = sources.every((source) => source.synced);
    return { name: this.name, synced, sources, ownWrites: this.#ownWrites.health(), ...this.#dispatcher.health() };
  }

  #storedOf<S extends KubeObject>(kind: Kind<S>): StoreReader<S> {
    const source = this.#informers.sources().find((candidate) => resourceOf(candidate.kind) === resourceOf(kind));
    if (source !== undefined) return source.store as StoreReader<S>;
    throw new TypeError(`controller ${this.name} does not follow ${resourceOf(kind)}: add an informer of it`);
  }
}

/**
 * Creates a controller of watchers and reconcilers by resource kind.
 *
 * # Guarantees
 * Each event goes to all watchers of its kind, then to all reconcilers, in the order added, one after the other; a failure does not stop the rest.
 * One worker processes an object at a time, events and retries alike, `workers` objects at once.
 * Each watcher and reconciler has its own retries and state. Retries are dropped for newer events as the dequeue policy
 * says; a resync cancels none and skips handlers with a pending retry. Deletions missed while disconnected are reported with the last known state.
 *
 * # Caveats
 * Updates that arrive while their object is being processed are merged. A retry receives the object's current state.
 *
 * @throws TypeError for unknown or invalid options
 */
export function createWatchController(options: WatchControllerOptions): WatchController {
  checkWatchOptions(options);
  return new WatchEngine(options);
}
