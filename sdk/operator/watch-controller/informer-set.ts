/** Set of the informers of a watch controller. */

import { resourceOf } from '../../api/kind.ts';
import { type KubeObject, parseKey } from '../../api/object.ts';
import type { Change, StoreReader } from '../../client/cache/store.ts';
import type { ObjectEvent } from '../../reconcile/object-event.ts';
import { causeOf } from '../engine/run-state.ts';
import { createSource, type Source, type SourceDependencies } from '../engine/source.ts';
import { createEventSource, type EventSource } from './custom-event-source.ts';
import { checkArguments } from './handler-registry.ts';
import type { Informer } from './informer.ts';

/** Event of an object, with the source it came from. */
export type InformerEvent = [
  resourceKind: string,
  event: ObjectEvent<KubeObject>,
  from: { readonly source: Source; readonly initial: boolean },
];

/** Options of {@link InformerSet}. */
export interface InformerSetOptions {
  readonly host: SourceDependencies;
  /** ms between resyncs of informers without an interval of their own. @default never */
  readonly resyncInterval?: number | undefined;
  /** Returns the queue keys to hold until the store has an own write of the object. */
  readonly requestsOf: (resourceKind: string, object: KubeObject) => readonly string[];
  readonly onEvent: (...event: InformerEvent) => void;
  readonly failed: (resourceKind: string, resource: string, error: unknown) => void;
}

/** Informer of a kind of the cluster, or a custom event source. */
export type InformerOrSource<T extends KubeObject = KubeObject> = Informer<T> | EventSource<T>;

interface ActiveInformer {
  readonly informer: InformerOrSource;
  readonly resourceKind: string;
  readonly source: Source;
  readonly stop: AbortController;
  ended: Promise<void>;
  cancelResync: () => void;
}

/** Informers of a controller, each with its own list and watch. They can be added and removed at any time. */
export class InformerSet {
  readonly #options: InformerSetOptions;
  readonly #active = new Set<ActiveInformer>();
  #state: 'waiting' | 'started' | 'stopped' = 'waiting';

  constructor(options: InformerSetOptions) {
    this.#options = options;
  }

  /** Adds an informer, and starts it if the others are running. @throws TypeError for a missing informer or kind, or a second addition */
  add<T extends KubeObject>(informer: InformerOrSource<T>, resourceKind: string): void {
    checkArguments(informer, 'informer', resourceKind);
    const plain = informer as unknown as InformerOrSource;
    if (this.#find(plain, resourceKind)) throw new TypeError('informer for resource kind already added');
    const source = this.#sourceOf(plain, resourceKind);
    source.reflector.synced.catch(() => undefined);
    const stop = new AbortController();
    const active = {
      informer: plain,
      resourceKind,
      source,
      stop,
      ended: Promise.resolve(),
      cancelResync: () => undefined,
    };
    this.#active.add(active);
    if (this.#state === 'started') this.#start(active);
  }

  /** Stops and removes an informer; does nothing if it was not added. */
  async remove<T extends KubeObject>(informer: InformerOrSource<T>, resourceKind: string): Promise<void> {
    const active = this.#find(informer as unknown as InformerOrSource, resourceKind);
    if (active !== undefined) await this.#end(active, new DOMException('the informer was removed', 'AbortError'));
  }

  start(): void {
    this.#state = 'started';
    for (const active of this.#active) this.#start(active);
  }

  /** Stops all informers. */
  async stop(reason: unknown): Promise<void> {
    this.#state = 'stopped';
    for (const { cancelResync, stop } of this.#active) {
      cancelResync();
      stop.abort(reason);
    }
    await Promise.all([...this.#active].map(({ ended }) => ended));
  }

  sources(): readonly Source[] {
    return [...this.#active].map(({ source }) => source);
  }

  has(source: Source): boolean {
    return this.sources().includes(source);
  }

  storeOf<T extends KubeObject>(informer: InformerOrSource<T>): StoreReader<T> {
    const active = [...this.#active].find((one) => one.informer === (informer as unknown as InformerOrSource));
    if (active !== undefined) return active.source.store as unknown as StoreReader<T>;
    throw new TypeError(`the informer of ${resourceOf(informer.kind)} was not added`);
  }

  #sourceOf(followed: InformerOrSource, resourceKind: string): Source {
    const { host, onEvent, failed, requestsOf } = this.#options;
    const handlers = {
      onChange: (change: Change<KubeObject>, initial: boolean) => {
        const { object, previous } = change;
        const action = causeOf(change) as ObjectEvent<KubeObject>['action'];
        onEvent(resourceKind, { action, object, previous }, { source, initial });
      },
      onFailure: (error: unknown) => failed(resourceKind, resourceOf(followed.kind), error),
    };
    const source: Source =
      'run' in followed
        ? createEventSource(host, { ...handlers, events: followed })
        : createSource(
            { ...host, idleTimeout: followed.idleTimeout ?? host.idleTimeout },
            { ...followed, ...handlers, requestsOf: (object) => requestsOf(resourceKind, object) },
          );
    return source;
  }

  #find(informer: InformerOrSource, resourceKind: string): ActiveInformer | undefined {
    return [...this.#active].find((one) => one.informer === informer && one.resourceKind === resourceKind);
  }

  #start(active: ActiveInformer): void {
    active.ended = active.source.reflector.run(active.stop.signal);
    this.#resyncLater(active);
  }

  async #end(active: ActiveInformer, reason: Error): Promise<void> {
    this.#active.delete(active);
    active.cancelResync();
    active.stop.abort(reason);
    active.source.forget();
    await active.ended;
  }

  #resyncLater(active: ActiveInformer): void {
    const { informer, resourceKind, source } = active;
    const { resyncInterval = this.#options.resyncInterval } = informer;
    if (resyncInterval === undefined) return;
    active.cancelResync = this.#options.host.clock.after(resyncInterval, () => {
      for (const key of source.store.keys()) {
        const object = source.store.get(parseKey(key)) as KubeObject;
        this.#options.onEvent(resourceKind, { action: 'resynced', object }, { source, initial: true });
      }
      this.#resyncLater(active);
    });
  }
}
