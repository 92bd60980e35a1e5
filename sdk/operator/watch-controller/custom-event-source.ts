/** Custom event sources, which report objects from outside of the cluster to a controller. */

import { aborted } from '../../aborted.ts';
import { copyOf, isSameJson } from '../../api/json.ts';
import { type Kind, resourceOf } from '../../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey, objectKeyOf, parseKey } from '../../api/object.ts';
import type { Reflector } from '../../client/cache/reflector.ts';
import { type Change, Store } from '../../client/cache/store.ts';
import { backoffDelay, backoffs } from '../../retry.ts';
import { messageOf } from '../../thrown.ts';
import type { Source, SourceDependencies } from '../engine/source.ts';

/**
 * Receiver of the events of a source, in order; it stores copies of the objects. An object without a resourceVersion gets a sequence number.
 */
export interface EventHandler<T extends KubeObject> {
  /** Adds or changes an object, which is reported as created or updated depending on the store; an unchanged object is not reported. */
  update(object: T): void;
  /** Removes an object, which is reported with its last known state; an unknown key is ignored. */
  delete(key: ObjectKey): void;
  /** Replaces all objects: those that are not listed are removed. */
  replace(objects: readonly T[]): void;
}

/**
 * Custom source of events: a queue, a webhook, a poll (grafana-app-sdk's Informer as an interface). Added to a watch controller like an `informer`.
 */
export interface EventSource<T extends KubeObject = KubeObject> {
  /** Kind of its objects; no cluster needs to serve it. */
  readonly kind: Kind<T>;
  /**
   * Reports events to the handler until the signal aborts; an earlier return means that the source has no more events.
   * A rejection is passed to the controller's error handler, and the source is run again by `backoffs.eventSource`.
   */
  run(handler: EventHandler<T>, signal: AbortSignal): Promise<void>;
  /** `true`: the source is synced after its first `replace` or its return. @default false: synced from the start */
  readonly lists?: boolean;
  /** ms between resyncs of every object. @default the controller's */
  readonly resyncInterval?: number;
}

/** Options of {@link createEventSource}. */
export interface EventSourceOptions<T extends KubeObject> {
  readonly events: EventSource<T>;
  readonly onChange: (change: Change<T>, initial: boolean) => void;
  /** Receives every failure of `run`. Must not throw. */
  readonly onFailure: (error: unknown) => void;
}

/** Event handler that keeps a store of the source's objects. */
class StoringHandler<T extends KubeObject> implements EventHandler<T> {
  readonly store = new Store<T>();
  readonly #onChange: EventSourceOptions<T>['onChange'];
  readonly #onList: () => void;
  #version = 0;

  constructor(onChange: EventSourceOptions<T>['onChange'], onList: () => void) {
    this.#onChange = onChange;
    this.#onList = onList;
  }

  update(object: T): void {
    const known = this.store.get(objectKeyOf(object));
    const { resourceVersion } = object.metadata;
    if (known !== undefined && resourceVersion === undefined && isSameJson(known, versioned(object, known))) return;
    this.#apply(known === undefined ? 'ADDED' : 'MODIFIED', versioned(copyOf(object), this.#next(resourceVersion)));
  }

  delete(key: ObjectKey): void {
    const known = this.store.get(key);
    if (known !== undefined) this.#apply('DELETED', versioned(known, known));
  }

  replace(objects: readonly T[]): void {
    const listed = new Set(objects.map((object) => keyOf(objectKeyOf(object))));
    for (const key of [...this.store.keys()]) if (!listed.has(key)) this.delete(parseKey(key));
    for (const object of objects) this.update(object);
    this.#onList();
  }

  #apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    for (const change of this.store.apply(type, object)) this.#onChange(change, false);
  }

  #next(resourceVersion: string | undefined): { readonly metadata: { readonly resourceVersion: string | undefined } } {
    if (resourceVersion === undefined) this.#version += 1;
    return { metadata: { resourceVersion: resourceVersion ?? `${this.#version}` } };
  }
}

const versioned = <T extends KubeObject>(
  object: T,
  { metadata: { resourceVersion } }: { readonly metadata: { readonly resourceVersion?: string | undefined } },
): T => ({ ...object, metadata: { ...object.metadata, resourceVersion } });

/** Runs an event source until the signal aborts, and restarts it after failures. */
function reflectorOf<T extends KubeObject>(
  { clock, random }: Pick<SourceDependencies, 'clock' | 'random'>,
  { events, onChange, onFailure }: EventSourceOptions<T>,
): { readonly reflector: Reflector; readonly store: Store<T> } {
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);
  const state = { synced: false, lists: 0, failures: 0, lastError: undefined as string | undefined };
  const sync = (): void => {
    state.synced = true;
    first.resolve();
  };
  const handler = new StoringHandler<T>(onChange, () => {
    state.lists += 1;
    state.failures = 0;
    sync();
  });
  const runOnce = async (signal: AbortSignal): Promise<void> => {
    try {
      await events.run(handler, signal);
      sync();
      await aborted(signal);
    } catch (error) {
      if (signal.aborted) return;
      state.lastError = messageOf(error);
      onFailure(error);
      await clock.sleep(backoffDelay(backoffs.eventSource, state.failures, random), signal).catch(() => undefined);
      state.failures += 1;
    }
  };
  const reflector: Reflector = {
    synced: first.promise,
    async run(signal) {
      if (events.lists !== true) sync();
      while (!signal.aborted) await runOnce(signal);
      first.reject(signal.reason);
    },
    health() {
      const { synced, lists, failures, lastError } = state;
      const resource = resourceOf(events.kind);
      return { resource, synced, lists, objects: handler.store.size, silence: undefined, failures, lastError };
    },
  };
  return { reflector, store: handler.store };
}

/** Creates the source of a custom event source. Runs do not wait for own writes, which the source may never report. */
export function createEventSource<T extends KubeObject>(
  host: Pick<SourceDependencies, 'clock' | 'random'>,
  options: EventSourceOptions<T>,
): Source<T> {
  return { kind: options.events.kind, ...reflectorOf(host, options), forget: () => undefined, replay: () => undefined };
}
