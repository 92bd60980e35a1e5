/** Watch controller: watchers and reconcilers by resource kind. */

import type { Kind } from '../../api/kind.ts';
import { type KubeObject, keyOf } from '../../api/object.ts';
import type { StoreReader } from '../../client/cache/store.ts';
import type { Client } from '../../client/client.ts';
import type { ResourceWatcher } from '../../reconcile/grafana-app-sdk/watcher.ts';
import type { Reconciler } from '../../reconcile/reconciler.ts';
import { backoffs } from '../../retry.ts';
import {
  createEngine,
  type Engine,
  type EngineController,
  findStore,
  healthOf,
  runUntilStopped,
  startOnce,
  syncedOf,
} from '../engine/engine.ts';
import type { ControllerHealth } from '../engine/health.ts';
import { HandlerDispatcher, jobKeyOf } from './handler-dispatcher.ts';
import { HandlerRegistry } from './handler-registry.ts';
import { type InformerOrSource, InformerSet } from './informer-set.ts';
import { checkWatchOptions, type WatchControllerOptions } from './watch-options.ts';

/**
 * Controller that calls watchers and reconcilers for the events of objects (grafana-app-sdk's InformerController).
 *
 * A `resourceKind` is free text that connects informers with watchers and reconcilers. All three may be added and removed at any
 * time; an event is dispatched to the handlers registered when it is processed. Removing an unknown one does nothing.
 */
export interface WatchController extends EngineController {
  /**
   * Adds an `informer` of a kind of the cluster, or a custom `EventSource`. A resource kind may have several, each for a part of its objects.
   * @throws TypeError for a missing informer or kind, or one that was added before
   */
  addInformer<T extends KubeObject>(informer: InformerOrSource<T>, resourceKind: string): void;
  /** Removes an informer; resolves when it has stopped. Pending work of its objects is dropped. */
  removeInformer<T extends KubeObject>(informer: InformerOrSource<T>, resourceKind: string): Promise<void>;
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
  /** Returns the cached objects of a kind, or of one informer if several have that kind. @throws TypeError for one that was not added */
  storeOf<T extends KubeObject>(followed: Kind<T> | InformerOrSource<T>): StoreReader<T>;
}

class WatchEngine implements WatchController {
  readonly name: string;
  readonly client: Client;
  readonly #engine: Engine;
  readonly #checkStart: () => void;
  readonly #handlers = new HandlerRegistry();
  readonly #informers: InformerSet;
  readonly #dispatcher: HandlerDispatcher;

  constructor(options: WatchControllerOptions) {
    const { name = 'watch-controller', resyncInterval, retryDequeuePolicy } = options;
    this.#engine = createEngine({ ...options, name, defaultBackoff: backoffs.handlerCall });
    const { client, clock, events, workers, observer, failed } = this.#engine;
    this.name = name;
    this.client = client;
    this.#checkStart = startOnce(name);
    this.#dispatcher = new HandlerDispatcher({
      engine: this.#engine,
      handlers: this.#handlers,
      retryDequeuePolicy,
      hasSource: (source) => this.#informers.has(source),
      context: { client, events, clock, stored: (kind) => this.storeOf(kind) },
    });
    this.#informers = new InformerSet({
      host: this.#engine,
      resyncInterval,
      requestsOf: (resourceKind, object) => [jobKeyOf(resourceKind, keyOf(object.metadata))],
      onEvent: (...event) => this.#dispatcher.onEvent(...event),
      failed: (resourceKind, resource, error) => failed(error, { type: 'informer', resourceKind, resource }),
    });
    observer?.attached?.({ name, workers, health: () => this.health() });
  }

  get synced(): Promise<void> {
    return syncedOf(this.#informers.sources());
  }

  addInformer<T extends KubeObject>(informer: InformerOrSource<T>, resourceKind: string): void {
    this.#informers.add(informer, resourceKind);
  }

  removeInformer<T extends KubeObject>(informer: InformerOrSource<T>, resourceKind: string): Promise<void> {
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

  storeOf<T extends KubeObject>(followed: Kind<T> | InformerOrSource<T>): StoreReader<T> {
    if (typeof followed.kind !== 'string') return this.#informers.storeOf(followed as InformerOrSource<T>);
    const kind = followed as Kind<T>;
    return findStore(this.#engine, this.#informers.sources(), { kind, advice: 'add an informer of it' });
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#checkStart();
    this.#dispatcher.start();
    this.#informers.start();
    const stop = () => this.#informers.stop(signal.reason);
    await runUntilStopped(this.#engine, signal, { work: this.#dispatcher, stop });
  }

  health(): ControllerHealth {
    return healthOf(this.#engine, this.#informers.sources(), this.#dispatcher);
  }
}

/**
 * Creates a controller of watchers and reconcilers by resource kind.
 *
 * # Guarantees
 * Each event is passed to all watchers of its kind and then to all reconcilers, sequentially in the order of their addition; a failure does not stop
 * the rest. One worker processes an object at a time, for events and retries, and `workers` objects are processed concurrently.
 * Each watcher and reconciler has its own retries and state. The dequeue policy decides which retries a new event drops; a resync drops none and skips
 * handlers with a pending retry. Deletions missed while disconnected are reported with the last known state.
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
