/** Engine: the shared parts of informer controllers and watch controllers. */

import type { Logger } from 'pino';
import { aborted } from '../../aborted.ts';
import { type Kind, resourceOf } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import { OwnWrites } from '../../client/cache/own-writes.ts';
import type { StoreReader } from '../../client/cache/store.ts';
import { trackingClient } from '../../client/cache/tracking-client.ts';
import type { Client } from '../../client/client.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { type Backoff, exponentialBackoff, type RetryPolicy } from '../../retry.ts';
import { Queue } from '../queue/queue.ts';
import { DrainError } from './drain.ts';
import { type ErrorHandler, loggingHandler, withErrorLogged, withFallback } from './error-handler.ts';
import { type Events, eventsOf } from './event-recorder.ts';
import type { ControllerHealth } from './health.ts';
import { type Observer, queueObserverOf } from './observer.ts';
import type { Source } from './source.ts';
import { tenantsBy } from './tenants.ts';
import { type WorkOptions, workDefaults } from './work-options.ts';

/** Informer controller or watch controller. */
export interface EngineController {
  readonly name: string;
  /** Client for reconcilers and watchers. It tracks own writes, so that no run sees an object older than the last of them. */
  readonly client: Client;
  /** Resolves when all current sources were listed once; rejects when the controller was stopped before. */
  readonly synced: Promise<void>;
  /** Returns the cached objects of a kind that the controller watches. @throws TypeError for any other kind */
  storeOf<S extends KubeObject>(kind: Kind<S>): StoreReader<S>;
  /** Runs the controller; resolves once the signal has aborted and the last run has ended. Call it once. @throws DrainError */
  run(signal: AbortSignal): Promise<void>;
  health(): ControllerHealth;
}

/** Options of {@link createEngine}. */
export interface EngineOptions extends WorkOptions {
  readonly name: string;
  /** Retry policy without the option `retry`. */
  readonly defaultBackoff: Backoff;
  /** Record of the own writes of `client`, if it has one. @default one of the engine's */
  readonly ownWrites?: OwnWrites;
}

/** Shared parts of a controller, with defaults applied. */
export interface Engine {
  readonly name: string;
  readonly client: Client;
  readonly workers: number;
  readonly tenantBy: WorkOptions['tenantBy'];
  readonly deadline: number;
  readonly drain: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger | undefined;
  readonly observer: Observer | undefined;
  readonly idleTimeout: number | undefined;
  readonly ownWrites: OwnWrites;
  readonly events: Events;
  /** Handles every failure; never throws. */
  readonly failed: ErrorHandler;
  /** Never throws. */
  readonly retry: RetryPolicy;
}

/** Creates the parts of a controller. */
export function createEngine(options: EngineOptions): Engine {
  const { name, defaultBackoff, clock = systemClock, random = Math.random, observer, idleTimeout } = options;
  const { workers = workDefaults.workers, deadline = workDefaults.deadline, drain = workDefaults.drain } = options;
  const logger = options.logger?.child({ controller: name });
  const ownWrites = options.ownWrites ?? new OwnWrites({ clock });
  const backoff = exponentialBackoff({ ...defaultBackoff, random });
  return {
    name,
    workers,
    tenantBy: options.tenantBy,
    deadline,
    drain,
    client: options.ownWrites === undefined ? trackingClient(options.client, ownWrites, clock) : options.client,
    clock,
    random,
    logger,
    observer,
    idleTimeout,
    ownWrites,
    events: eventsOf(name, options),
    failed: withErrorLogged(options.errorHandler ?? loggingHandler(logger), logger),
    retry: withFallback(options.retry ?? backoff, backoff, logger),
  };
}

/** Work of a queue, by key. */
export interface QueueWork {
  run(key: string): Promise<void>;
  /** Returns the cached object of a key; undefined for a deleted one. */
  objectOf(key: string): KubeObject | undefined;
}

/** Creates the queue of a controller. A key is held until the cache has the own writes of its object. */
export function queueOf(
  { name, clock, workers, tenantBy, ownWrites, observer, logger }: Engine,
  work: QueueWork,
): Queue {
  const tenantOf = tenantsBy(tenantBy, (key) => work.objectOf(key));
  const queue = new Queue({
    clock,
    workers,
    run: (key) => work.run(key),
    ...(tenantOf && { tenantOf }),
    isHeld: (key) => ownWrites.isWaiting(key),
    onStall: (occupancy) => {
      if (occupancy)
        logger?.warn(occupancy, 'no run has begun for two minutes, though keys wait: these runs do not end');
      else logger?.info('runs begin again');
    },
    ...(observer && { observer: queueObserverOf(name, observer) }),
  });
  ownWrites.onReleased((keys) => {
    for (const key of keys) queue.release(key);
  });
  return queue;
}

/** Health and shutdown of a controller's runs. */
export interface EngineWork {
  health(): Pick<ControllerHealth, 'queue' | 'runs' | 'failures' | 'givenUp' | 'failing'>;
  /** See `drainQueue`. */
  drain(deadline: number): Promise<readonly string[]>;
}

/** Returns the health of a controller. */
export function healthOf({ name, ownWrites }: Engine, sources: readonly Source[], work: EngineWork): ControllerHealth {
  const health = sources.map(({ reflector }) => reflector.health());
  const synced = health.every((source) => source.synced);
  return { name, synced, sources: health, ownWrites: ownWrites.health(), ...work.health() };
}

/** Returns the store of a kind. @throws TypeError with the `advice` for a kind that no source has */
export function findStore<S extends KubeObject>(
  { name }: Engine,
  sources: readonly Source[],
  { kind, advice }: { readonly kind: Kind<S>; readonly advice: string },
): StoreReader<S> {
  const source = sources.find((candidate) => resourceOf(candidate.kind) === resourceOf(kind));
  if (source !== undefined) return source.store as unknown as StoreReader<S>;
  throw new TypeError(`controller ${name} does not watch ${resourceOf(kind)}: ${advice}`);
}

/** Resolves when all sources were listed once. */
export async function syncedOf(sources: readonly Source[]): Promise<void> {
  await Promise.all(sources.map(({ reflector }) => reflector.synced));
}

/** Waits for the signal, then drains the runs and stops the sources. @throws DrainError */
export async function runUntilStopped(
  { name, drain, events }: Engine,
  signal: AbortSignal,
  { work, stop }: { readonly work: EngineWork; readonly stop: () => Promise<unknown> },
): Promise<void> {
  await aborted(signal);
  const running = await work.drain(drain);
  await Promise.all([stop(), events.close()]);
  if (running.length > 0) throw new DrainError(name, running);
}

/** Returns a function that throws from its second call on: a controller can be started once. */
export function startOnce(name: string): () => void {
  let isStarted = false;
  return () => {
    if (isStarted) throw new Error(`controller ${name} was started before: create another one`);
    isStarted = true;
  };
}
