import { aborted } from '../aborted.ts';
import { copyOf, isSameJson } from '../api/json.ts';
import { type Kind, resourceOf } from '../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey, objectKeyOf, parseKey } from '../api/object.ts';
import { backoffDelay } from '../client/backoff.ts';
import type { Reflector } from '../client/reflector.ts';
import { type Change, Store } from '../client/store.ts';
import { messageOf } from '../errors.ts';
import type { Source, SourceHost } from './source.ts';

/** Takes in what a source of events tells, in its order; copies are kept. An object without a resourceVersion gets a running number as one. */
export interface EventHandler<T extends KubeObject> {
  /** An object is there, or has changed: told as created or updated, as the controller knows it; nothing is told of one that is the same. */
  update(object: T): void;
  /** An object is gone: told with the last known state. Nothing is told of one that was not there. */
  delete(key: ObjectKey): void;
  /** These are all that are there now: others are gone. */
  replace(objects: readonly T[]): void;
}

/** Any source of events: a queue, a webhook, a poll (grafana-app-sdk's Informer as an interface). To be added to a watch controller like an `informer`. */
export interface EventSource<T extends KubeObject = KubeObject> {
  /** Of what it tells; no cluster needs to serve it. */
  readonly kind: Kind<T>;
  /**
   * Tells the handler until the signal aborts; one that returns before has told everything there is.
   * A failure goes to the controller's error handler, and it is run again: after 1 s, doubling to 60 s, up to a fifth shorter.
   */
  run(handler: EventHandler<T>, signal: AbortSignal): Promise<void>;
  /** `true`: it is synced only when it has called `replace` or returned. @default false: at once */
  readonly lists?: boolean;
  /** ms between resyncs of every object. @default never */
  readonly resyncInterval?: number;
}

const again = { initialDelay: 1000, maxDelay: 60_000, jitter: 0.2 };

/** A source of events, and where it is told. */
export interface EventSourceOptions<T extends KubeObject> {
  readonly events: EventSource<T>;
  readonly onChange: (change: Change<T>, initial: boolean) => void;
  /** Told of every run that failed. Must not throw. */
  readonly onFailure: (error: unknown) => void;
}

/** Keeps a store of what a source tells. */
class Told<T extends KubeObject> implements EventHandler<T> {
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
    const there = new Set(objects.map((object) => keyOf(objectKeyOf(object))));
    for (const key of [...this.store.keys()]) if (!there.has(key)) this.delete(parseKey(key));
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

/** Runs a source of somebody else until the signal aborts, again after failures. */
function reflectorOf<T extends KubeObject>(
  { clock, random }: Pick<SourceHost, 'clock' | 'random'>,
  { events, onChange, onFailure }: EventSourceOptions<T>,
): { readonly reflector: Reflector; readonly store: Store<T> } {
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);
  const state = { synced: false, lists: 0, failures: 0, lastError: undefined as string | undefined };
  const sync = (): void => {
    state.synced = true;
    first.resolve();
  };
  const told = new Told<T>(onChange, () => {
    state.lists += 1;
    state.failures = 0;
    sync();
  });
  const turn = async (signal: AbortSignal): Promise<void> => {
    try {
      await events.run(told, signal);
      sync();
      await aborted(signal);
    } catch (error) {
      if (signal.aborted) return;
      state.lastError = messageOf(error);
      onFailure(error);
      await clock.sleep(backoffDelay(again, state.failures, random), signal).catch(() => undefined);
      state.failures += 1;
    }
  };
  const reflector: Reflector = {
    synced: first.promise,
    async run(signal) {
      if (events.lists !== true) sync();
      while (!signal.aborted) await turn(signal);
      first.reject(signal.reason);
    },
    health() {
      const { synced, lists, failures, lastError } = state;
      const resource = resourceOf(events.kind);
      return { resource, synced, lists, objects: told.store.size, silence: undefined, failures, lastError };
    },
  };
  return { reflector, store: told.store };
}

/** Follows a source of events of somebody's own. Nobody's writes are waited for: it may never show them. */
export function createEventSource<T extends KubeObject>(
  host: Pick<SourceHost, 'clock' | 'random'>,
  options: EventSourceOptions<T>,
): Source<T> {
  return { kind: options.events.kind, ...reflectorOf(host, options), forget: () => undefined };
}
