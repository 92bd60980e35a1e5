/** Source of changes: a kind with its store and reflector. */

import type { Logger } from 'pino';
import { apiVersionOf, type Kind, parseApiVersion, resourceOf } from '../../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../../api/object.ts';
import type { OwnWrites } from '../../client/cache/own-writes.ts';
import { createReflector, type Reflector } from '../../client/cache/reflector.ts';
import { type Change, Store, type StoreOptions, type StoreReader } from '../../client/cache/store.ts';
import type { Client, ListOptions, Selection, WatchOptions } from '../../client/client.ts';
import type { Clock } from '../../clock.ts';
import type { ObservedSource, Observer } from './observer.ts';
import { selectionOf } from './selection.ts';

/** Another kind whose changes enqueue objects of the controller's kind. */
export interface Watched<T extends KubeObject = KubeObject> extends StoreOptions<T> {
  readonly kind: Kind<T>;
  readonly selection?: Selection;
  /** Returns the objects to enqueue after a change; called for the new and the old state. Pure. */
  map(object: T): readonly ObjectKey[];
}

/** Returns `watch` unchanged. It infers the type of `map`'s object from the kind, and lets a list have several kinds. */
export const watched = <T extends KubeObject>(watch: Watched<T>): Watched => watch as unknown as Watched;

/** Returns the objects of `kind` that own this one, by owner reference. */
export function ownersOf(kind: Kind, { metadata: { namespace, ownerReferences } }: KubeObject): readonly ObjectKey[] {
  const owners = ownerReferences?.filter(
    (owner) => owner.kind === kind.kind && parseApiVersion(owner.apiVersion).group === kind.group,
  );
  return owners?.map(({ name }) => (kind.namespaced && namespace !== undefined ? { namespace, name } : { name })) ?? [];
}

/** Dependencies of a source, given by its controller. */
export interface SourceDependencies {
  readonly client: Client;
  readonly ownWrites: OwnWrites;
  readonly clock: Clock;
  readonly random: () => number;
  readonly idleTimeout?: number | undefined;
  readonly logger?: Logger | undefined;
  /** Name of the controller. */
  readonly name: string;
  readonly observer?: Observer | undefined;
}

/** Kind that a controller watches, with its store and the reflector that fills it. */
export interface Source<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly store: StoreReader<T>;
  readonly reflector: Reflector;
  /** Reports all objects of the store again, like a first list. */
  replay(): void;
  /** Stops tracking own writes of this source. */
  forget(): void;
}

/** Options of {@link createSource}. */
export interface SourceOptions<T extends KubeObject> extends StoreOptions<T> {
  readonly kind: Kind<T>;
  readonly selection?: Selection | undefined;
  readonly onChange: (change: Change<T>, initial: boolean) => void;
  /** Returns the keys to hold until the store has an own write of this object. @default no key is held */
  readonly requestsOf?: (object: KubeObject) => readonly string[];
  /** Receives every failed list or watch. Must not throw. */
  readonly onFailure?: (error: unknown) => void;
}

/** Returns a client whose lists and watches are reported to an observer. */
const observedClient = (
  observer: Observer,
  source: ObservedSource,
  client: Client,
): Pick<Client, 'list' | 'watch'> => ({
  list: <T extends KubeObject>(kind: Kind<T>, options?: ListOptions) => {
    const work = () => client.list(kind, options);
    return observer.list?.(source, work) ?? work();
  },
  watch: <T extends KubeObject>(kind: Kind<T>, options?: WatchOptions) => {
    const events = client.watch(kind, options);
    return observer.follow?.(source, events) ?? events;
  },
});

/** Creates the source of one kind. Own writes hold keys only if the watch is sure to deliver them: with a label or field selector, those of stored objects. */
export function createSource<T extends KubeObject>(host: SourceDependencies, options: SourceOptions<T>): Source<T> {
  const { kind, requestsOf, onChange } = options;
  const selection = selectionOf(options.selection ?? {});
  const { ownWrites, idleTimeout, logger, client, clock, random, observer } = host;
  const { group, version } = kind;
  const observed = { controller: host.name, group, version, kind: kind.kind, namespace: selection.namespace };
  const store = new Store<T>(options);
  const tracked = requestsOf !== undefined;
  const isFiltered = selection.labels !== undefined || selection.fields !== undefined;
  const forget = tracked
    ? ownWrites.follow({
        kind,
        namespace: selection.namespace,
        seen: () => store.version,
        requestsOf,
        correct: (object) => {
          for (const change of store.correct(object as T)) onChange(change, false);
        },
        ...(isFiltered && { shows: ({ metadata }) => store.get(metadata) !== undefined }),
      })
    : () => undefined;
  const reflector = createReflector<T>({
    client: observer === undefined ? client : observedClient(observer, observed, client),
    onFailure: (error) => {
      observer?.sourceFailed?.(observed, error);
      options.onFailure?.(error);
    },
    kind,
    store,
    onChange,
    clock,
    random,
    selection,
    ...(idleTimeout !== undefined && { idleTimeout }),
    ...(logger && { logger: logger.child({ resource: resourceOf(kind), version: apiVersionOf(kind) }) }),
    ...(tracked && {
      onAdvance: () => ownWrites.advanced(kind),
      answerOf: (version: string) => ownWrites.answerOf(kind, version),
    }),
  });
  const replay = (): void => {
    for (const object of store.list())
      onChange({ type: 'added', key: keyOf(object.metadata), object, listed: true }, true);
  };
  return { kind, store, reflector, forget, replay };
}
