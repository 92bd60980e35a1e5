/** Informer controller: watches one kind and runs one reconciler for its objects. */

import type { Logger } from 'pino';
import { aborted } from '../aborted.ts';
import { type Kind, resourceOf } from '../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../api/object.ts';
import type { Client } from '../client/client.ts';
import { OwnWrites } from '../client/own-writes.ts';
import type { Change, StoreReader } from '../client/store.ts';
import { trackingClient } from '../client/tracking-client.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { RequestContext, Result, Run } from '../reconcile/reconciler.ts';
import { requestOf } from '../reconcile/request.ts';
import { exponentialBackoff } from '../retry.ts';
import { checkOptions, type InformerControllerOptions } from './controller-options.ts';
import { DrainError } from './drain.ts';
import { type Events, eventsOf } from './events.ts';
import { type ErrorHandler, safely } from './failure-handler.ts';
import type { ControllerHealth } from './health.ts';
import { OwnWriteFilter } from './own-write-filter.ts';
import { supersedes } from './run-state.ts';
import { type FailedRun, Schedule } from './schedule.ts';
import { createSource, ownersOf, type Source, type SourceHost } from './source.ts';

/** Watches one kind and runs a reconciler for each object that changes. */
export interface InformerController<T extends KubeObject> {
  readonly name: string;
  /** Client for reconcilers: it records own writes, so that no run sees an object older than the last of them. */
  readonly client: Client;
  /** Cached objects of its kind. */
  readonly store: StoreReader<T>;
  /** Cached objects of a kind that it owns or watches. @throws TypeError for any other kind */
  storeOf<S extends KubeObject>(kind: Kind<S>): StoreReader<S>;
  /** Resolves when every kind was listed once and runs begin; rejects when the controller was stopped before. */
  readonly synced: Promise<void>;
  /** Runs the controller; resolves once the signal has aborted and the last run has ended. Call it once. @throws DrainError */
  run(signal: AbortSignal): Promise<void>;
  /** Enqueues one object. */
  enqueue(key: ObjectKey): void;
  health(): ControllerHealth;
}

class ControllerEngine<T extends KubeObject> implements InformerController<T> {
  readonly name: string;
  readonly client: Client;
  readonly synced: Promise<void>;
  readonly #options: InformerControllerOptions<T>;
  readonly #clock: Clock;
  readonly #logger: Logger | undefined;
  readonly #ownWrites: OwnWrites;
  readonly #failed: ErrorHandler | undefined;
  readonly #schedule: Schedule<T>;
  readonly #ownWriteFilter: OwnWriteFilter | undefined;
  readonly #own: Source<T>;
  readonly #sources: readonly Source[];
  readonly #events: Events;
  readonly #context: RequestContext<T>;
  #isStarted = false;
  #cancelResync: (() => void) | undefined;

  constructor(options: InformerControllerOptions<T>) {
    const { clock = systemClock, random } = options;
    this.name = options.name ?? resourceOf(options.kind);
    this.#options = options;
    this.#clock = clock;
    this.#logger = options.logger?.child({ controller: this.name });
    this.#ownWrites = options.ownWrites ?? new OwnWrites({ clock });
    this.client = options.ownWrites === undefined ? trackingClient(options.client, this.#ownWrites) : options.client;
    this.#failed = options.errorHandler && safely(options.errorHandler, this.#logger);
    this.#ownWriteFilter = options.echoes === 'ignore' ? new OwnWriteFilter() : undefined;
    this.#ownWrites.onWritten((version) => this.#ownWriteFilter?.wrote(version));
    this.#own = this.#ownSource();
    this.#sources = [this.#own, ...this.#otherSources()];
    this.#events = eventsOf(this.name, options);
    const stored = <S extends KubeObject>(kind: Kind<S>) => this.storeOf(kind);
    this.#context = { kind: options.kind, client: this.client, stored, events: this.#events, clock };
    this.#schedule = new Schedule({
      ...options,
      reconciler: (run) => this.#reconcile(run),
      store: this.#own.store,
      retry: options.retry ?? exponentialBackoff(random && { random }),
      isHeld: (key) => this.#ownWrites.isWaiting(key),
      logger: this.#logger,
      name: this.name,
      failed: this.#failed && ((error, run) => this.#runFailed(error, run)),
    });
    this.#ownWrites.onReleased((keys) => this.#schedule.release(keys));
    this.synced = Promise.all(this.#sources.map(({ reflector }) => reflector.synced)).then(() => undefined);
    this.synced.catch(() => undefined);
    options.observer?.attached?.({ name: this.name, workers: options.workers ?? 10, health: () => this.health() });
  }

  get store(): StoreReader<T> {
    return this.#own.store;
  }

  storeOf<S extends KubeObject>(kind: Kind<S>): StoreReader<S> {
    const source = this.#sources.find((candidate) => resourceOf(candidate.kind) === resourceOf(kind));
    if (source !== undefined) return source.store as StoreReader<S>;
    throw new TypeError(`controller ${this.name} does not follow ${resourceOf(kind)}: name it in owns or watches`);
  }

  enqueue(key: ObjectKey): void {
    this.#schedule.enqueue(keyOf(key), 'requeue');
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new Error(`controller ${this.name} was started before: create another one`);
    this.#isStarted = true;
    const reflecting = new AbortController();
    const reflectors = this.#sources.map(({ reflector }) => reflector.run(reflecting.signal));
    this.synced.then(
      () => this.#start(signal),
      () => undefined,
    );
    await aborted(signal);
    this.#cancelResync?.();
    const running = await this.#schedule.drain(this.#options.drain ?? 10_000);
    reflecting.abort(signal.reason);
    await Promise.all([...reflectors, this.#events.close()]);
    if (running.length > 0) throw new DrainError(this.name, running);
  }

  health(): ControllerHealth {
    const sources = this.#sources.map(({ reflector }) => reflector.health());
    const synced = sources.every((source) => source.synced);
    return { name: this.name, synced, sources, ownWrites: this.#ownWrites.health(), ...this.#schedule.health() };
  }

  #start(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#logger?.debug({ objects: this.store.size }, 'synced, starting to run');
    this.#schedule.start();
    const { resyncInterval } = this.#options;
    if (resyncInterval !== undefined) this.#resyncAfter(resyncInterval);
  }

  #resyncAfter(interval: number): void {
    this.#cancelResync = this.#clock.after(interval, () => {
      for (const key of this.store.keys()) this.#schedule.enqueue(key, 'resync', 'backlog');
      this.#resyncAfter(interval);
    });
  }

  #runFailed(error: unknown, { key, attempt, event, delay }: FailedRun): void {
    const resourceKind = resourceOf(this.#options.kind);
    const action = event?.action ?? 'deleted';
    this.#failed?.(error, { type: 'reconciler', resourceKind, key, action, attempt, retryAfter: delay });
  }

  #host(): SourceHost {
    const { client, idleTimeout, random = Math.random, observer } = this.#options;
    const [ownWrites, clock, logger, name] = [this.#ownWrites, this.#clock, this.#logger, this.name];
    const resourceKind = resourceOf(this.#options.kind);
    const failed = (error: unknown, resource: string) =>
      this.#failed?.(error, { type: 'informer', resourceKind, resource });
    return { client, ownWrites, clock, random, idleTimeout, logger, name, observer, failed };
  }

  #ownSource(): Source<T> {
    return createSource<T>(this.#host(), {
      ...this.#options,
      onChange: (change, initial) => {
        if (supersedes(change) || this.#asks(change.key, change)) this.#schedule.changed(change, initial);
      },
      requestsOf: ({ metadata }) => [keyOf(metadata)],
    });
  }

  #otherSources(): readonly Source[] {
    const { owns = [], watches = [], kind, selection } = this.#options;
    const within = selection?.namespace === undefined ? {} : { namespace: selection.namespace };
    const owners = (object: KubeObject) => ownersOf(kind, object);
    const owned = owns.map((ownedKind) =>
      createSource(this.#host(), {
        kind: ownedKind,
        selection: ownedKind.namespaced ? within : {},
        onChange: (change, initial) => this.#otherChanged({ change, initial, map: owners }),
        requestsOf: (object) => owners(object).map(keyOf),
      }),
    );
    const others = watches.map((watch) =>
      createSource(this.#host(), {
        ...watch,
        onChange: (change, initial) => this.#otherChanged({ change, initial, map: (object) => watch.map(object) }),
      }),
    );
    return [...owned, ...others];
  }

  /** Reports whether a change asks for a run of `key`. A change from a list always does: it may stand for several, of which ours is the last. */
  #asks(key: string, { type, object, listed }: Change<KubeObject>): boolean {
    if (this.#ownWriteFilter === undefined || type === 'deleted' || listed) return true;
    return this.#ownWriteFilter.asks(key, object.metadata.resourceVersion);
  }

  async #reconcile(run: Run<T>): Promise<Result> {
    const { reconciler } = this.#options;
    const key = keyOf(run.key);
    this.#ownWriteFilter?.begin(key);
    try {
      return await reconciler(requestOf(run, this.#context, this.#logger));
    } finally {
      if (this.#ownWriteFilter?.end(key)) this.#schedule.enqueue(key, 'updated');
    }
  }

  #otherChanged({ change, initial, map }: OtherChange): void {
    const states = change.previous === undefined ? [change.object] : [change.object, change.previous];
    try {
      const keys = new Set(states.flatMap((state) => map(state)).map(keyOf));
      for (const key of keys)
        if (this.#asks(key, change)) this.#schedule.enqueue(key, 'updated', initial ? 'backlog' : 'fresh');
    } catch (error) {
      this.#logger?.error({ err: error, object: change.key }, 'map failed, nobody runs for this change');
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
 * One run per object at a time, `workers` objects at once; no change is lost, several coalesce into one run.
 * A run never sees an object (its own kind, or a kind it owns) older than its last write through {@link InformerController.client};
 * other objects run while one waits for that. Fresh changes overtake the backlog of a start.
 * A failed run is retried as {@link nextRun} says; a new spec or a deletion cancels pending retries, other changes do not.
 *
 * # Caveats
 * A reconciler that never settles occupies its object and a worker: pass `request.signal` on.
 * With a selection by labels or fields own writes are not waited for, since the watch may never show them: a run that follows at once may see stale
 * state.
 *
 * @throws TypeError for unknown or invalid options
 */
export function createInformerController<T extends KubeObject>(
  options: InformerControllerOptions<T>,
): InformerController<T> {
  checkOptions(options);
  return new ControllerEngine(options);
}
