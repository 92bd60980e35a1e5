/** Informer controller: watches one kind and runs one reconciler for its objects. */

import { aborted } from '../../aborted.ts';
import { type Kind, resourceOf } from '../../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../../api/object.ts';
import type { Change, StoreReader } from '../../client/cache/store.ts';
import type { Client } from '../../client/client.ts';
import type { RequestContext, Result, Run } from '../../reconcile/reconciler.ts';
import { requestOf } from '../../reconcile/request.ts';
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
import { supersedes } from '../engine/run-state.ts';
import { Schedule } from '../engine/schedule.ts';
import { createSource, ownersOf, type Source, type SourceOptions } from '../engine/source.ts';
import { checkOptions, type InformerControllerOptions } from './controller-options.ts';
import { OwnWriteFilter } from './own-write-filter.ts';

/** Controller that watches one kind and runs a reconciler for each changed object. */
export interface InformerController<T extends KubeObject> extends EngineController {
  /** Cached objects of its kind. */
  readonly store: StoreReader<T>;
  /** Enqueues one object. */
  enqueue(key: ObjectKey): void;
  /**
   * Lists and watches without running reconcilers, until the signal aborts or {@link run} is called, so that a standby can start at once.
   * Resolves when the signal has aborted and, unless `run` was called, the watches have ended. Call it once, before `run`.
   */
  warmUp(signal: AbortSignal): Promise<void>;
}

class ControllerEngine<T extends KubeObject> implements InformerController<T> {
  readonly name: string;
  readonly client: Client;
  readonly synced: Promise<void>;
  readonly #options: InformerControllerOptions<T>;
  readonly #engine: Engine;
  readonly #checkStart: () => void;
  readonly #schedule: Schedule<T>;
  readonly #ownWriteFilter: OwnWriteFilter | undefined;
  readonly #own: Source<T>;
  readonly #sources: readonly Source[];
  readonly #context: RequestContext<T>;
  #reflecting: { readonly stop: (reason: unknown) => Promise<unknown> } | undefined;
  /** Changes are not enqueued during the warm-up; `run` enqueues all objects of the stores. */
  #isWarmingUp = false;
  #cancelResync: (() => void) | undefined;

  constructor(options: InformerControllerOptions<T>) {
    const { kind, name = resourceOf(kind) } = options;
    this.#options = options;
    this.#engine = createEngine({ ...options, name, defaultBackoff: backoffs.run });
    const { client, clock, events, ownWrites, workers, observer } = this.#engine;
    this.name = name;
    this.client = client;
    this.#checkStart = startOnce(name);
    this.#ownWriteFilter = options.echoes === 'ignore' ? new OwnWriteFilter() : undefined;
    ownWrites.onWritten((version) => this.#ownWriteFilter?.wrote(version));
    ownWrites.onOverdue((version) => this.#ownWriteFilter?.forget(version));
    this.#own = this.#ownSource();
    this.#sources = [this.#own, ...this.#otherSources()];
    this.#context = { kind, client, stored: (other) => this.storeOf(other), events, clock };
    this.#schedule = new Schedule({
      engine: this.#engine,
      kind,
      reconciler: (run) => this.#reconcile(run),
      store: this.#own.store,
    });
    this.synced = syncedOf(this.#sources);
    this.synced.catch(() => undefined);
    observer?.attached?.({ name, workers, health: () => this.health() });
  }

  get store(): StoreReader<T> {
    return this.#own.store;
  }

  storeOf<S extends KubeObject>(kind: Kind<S>): StoreReader<S> {
    return findStore(this.#engine, this.#sources, { kind, advice: 'name it in owns or watches' });
  }

  enqueue(key: ObjectKey): void {
    this.#schedule.enqueue(keyOf(key), 'requeue');
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#checkStart();
    const reflecting = this.#reflect();
    if (this.#isWarmingUp) {
      this.#isWarmingUp = false;
      for (const source of this.#sources) source.replay();
    }
    this.synced.then(
      () => this.#start(signal),
      () => undefined,
    );
    const stop = () => {
      this.#cancelResync?.();
      return reflecting.stop(signal.reason);
    };
    await runUntilStopped(this.#engine, signal, { work: this.#schedule, stop });
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    this.#isWarmingUp = true;
    const reflecting = this.#reflect();
    await aborted(signal);
    if (this.#isWarmingUp) await reflecting.stop(signal.reason);
  }

  /** Starts the reflectors, once. */
  #reflect() {
    if (this.#reflecting !== undefined) return this.#reflecting;
    const reflecting = new AbortController();
    const reflectors = this.#sources.map(({ reflector }) => reflector.run(reflecting.signal));
    const stop = (reason: unknown) => {
      reflecting.abort(reason);
      return Promise.all(reflectors);
    };
    this.#reflecting = { stop };
    return this.#reflecting;
  }

  health(): ControllerHealth {
    return healthOf(this.#engine, this.#sources, this.#schedule);
  }

  #start(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#engine.logger?.debug({ objects: this.store.size }, 'synced, starting to run');
    this.#schedule.start();
    const { resyncInterval } = this.#options;
    if (resyncInterval !== undefined) this.#resyncAfter(resyncInterval);
  }

  #resyncAfter(interval: number): void {
    this.#cancelResync = this.#engine.clock.after(interval, () => {
      for (const key of this.store.keys()) this.#schedule.enqueue(key, 'resync', 'backlog');
      this.#resyncAfter(interval);
    });
  }

  #source<S extends KubeObject>(options: SourceOptions<S>): Source<S> {
    const resourceKind = resourceOf(this.#options.kind);
    const onFailure = (error: unknown) =>
      this.#engine.failed(error, { type: 'informer', resourceKind, resource: resourceOf(options.kind) });
    return createSource(this.#engine, { ...options, onFailure });
  }

  #ownSource(): Source<T> {
    return this.#source<T>({
      ...this.#options,
      onChange: (change, initial) => {
        if (this.#isWarmingUp) return;
        if (supersedes(change) || this.#causesRun(change.key, change)) this.#schedule.changed(change, initial);
      },
      requestsOf: ({ metadata }) => [keyOf(metadata)],
    });
  }

  #otherSources(): readonly Source[] {
    const { owns = [], watches = [], kind, selection } = this.#options;
    const within = selection?.namespace === undefined ? {} : { namespace: selection.namespace };
    const owners = (object: KubeObject) => ownersOf(kind, object);
    const owned = owns.map((ownedKind) =>
      this.#source({
        kind: ownedKind,
        selection: ownedKind.namespaced ? within : {},
        onChange: (change, initial) => this.#otherChanged({ change, initial, map: owners }),
        requestsOf: (object) => owners(object).map(keyOf),
      }),
    );
    const others = watches.map((watch) =>
      this.#source({
        ...watch,
        onChange: (change, initial) => this.#otherChanged({ change, initial, map: (object) => watch.map(object) }),
      }),
    );
    return [...owned, ...others];
  }

  /** Reports whether a change causes a run of `key`. A change from a list always does, since it may combine changes of others with an own write. */
  #causesRun(key: string, { type, object, listed }: Change<KubeObject>): boolean {
    if (this.#ownWriteFilter === undefined || type === 'deleted' || listed) return true;
    return this.#ownWriteFilter.causesRun(key, object.metadata.resourceVersion);
  }

  async #reconcile(run: Run<T>): Promise<Result> {
    const { reconciler } = this.#options;
    const key = keyOf(run.key);
    this.#ownWriteFilter?.begin(key);
    try {
      return await reconciler(requestOf(run, this.#context, this.#engine.logger));
    } finally {
      if (this.#ownWriteFilter?.end(key)) this.#schedule.enqueue(key, 'updated');
    }
  }

  #otherChanged({ change, initial, map }: OtherChange): void {
    if (this.#isWarmingUp) return;
    const states = change.previous === undefined ? [change.object] : [change.object, change.previous];
    try {
      const keys = new Set(states.flatMap((state) => map(state)).map(keyOf));
      for (const key of keys)
        if (this.#causesRun(key, change)) this.#schedule.enqueue(key, 'updated', initial ? 'backlog' : 'fresh');
    } catch (error) {
      this.#engine.logger?.error(
        { err: error, object: change.key },
        'map failed, nothing is reconciled for this change',
      );
    }
  }
}

interface OtherChange {
  readonly change: Change<KubeObject>;
  readonly initial: boolean;
  readonly map: (object: KubeObject) => readonly ObjectKey[];
}

/**
 * Creates a controller: list and watch, store, queue, workers and retries around one reconciler.
 *
 * # Guarantees
 * One run per object at a time, `workers` objects concurrently. No change is lost; several coalesce into one run.
 * A run never sees an object (its own kind, or a kind it owns) older than its last write through {@link EngineController.client};
 * other objects run while one waits for its own writes. New changes have priority over the backlog of the start.
 * A failed run is retried as {@link nextRun} says; a new spec or a deletion cancels pending retries, other changes do not.
 *
 * # Caveats
 * A reconciler that never settles occupies its object and a worker: pass `request.signal` on.
 * With a selection by labels or fields, a run waits only for own writes of stored objects: the watch may never deliver others.
 *
 * @throws TypeError for unknown or invalid options
 */
export function createInformerController<T extends KubeObject>(
  options: InformerControllerOptions<T>,
): InformerController<T> {
  checkOptions(options);
  return new ControllerEngine(options);
}
