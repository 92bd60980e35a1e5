/** Registry of the dependent resources of one run (OKT). */

import { type Kind, resourceOf } from '../api/kind.ts';
import { type KubeObject, keyOf, type ObjectKey, objectKeyOf } from '../api/object.ts';
import { ignoreNotFound } from '../client/ignore-not-found.ts';
import { AlreadyExistsError, isRace, StaleError } from '../errors.ts';
import { errorOf } from '../thrown.ts';
import {
  type MutableResource,
  MutateWithCRError,
  type Mutation,
  mutationOf,
  hashAnnotation as ourHashAnnotation,
  type RegisteredResource,
} from './mutable-resource.ts';
import { OrderedCalls } from './ordered-calls.ts';
import { preconditionedPatch, uidPrecondition } from './preconditions.ts';
import type { Request } from './reconciler.ts';
import type { Results } from './results.ts';

/** Options of a {@link ResourceRegistry}: hash annotation and source of the peers. */
export interface RegistryOptions {
  /** Annotation with the hash of the desired state. @default 'se.quencer.io/hash' */
  readonly hashAnnotation?: string;
  /** Source of the peers, the objects on the server: `'live'` requests, or the controller's cache, which must have the kind. @default 'live' */
  readonly peers?: 'live' | 'stored';
}

/** Options of {@link ResourceRegistry.createOrUpdateAll}. */
export interface CreateOrUpdateOptions {
  /** Maximum number of creations in one run. @default no limit */
  readonly maxCreation?: number;
  /** Stops at the first failure. @default false */
  readonly stopOnError?: boolean;
}

/** Options and dependencies of a {@link ResourceRegistry}. */
export interface RegistryHost<T extends KubeObject> extends RegistryOptions {
  readonly request: Request<T>;
  readonly owner: T;
  readonly results: Results;
}

interface RegistryEntry<T extends KubeObject> extends RegisteredResource<T> {
  mutation: Mutation<KubeObject> | undefined;
}

const unmutated = 'it is to be written but was never mutated: call mutateAll before';

/** ms until the next run, by kind of failure. */
const delays = { unreadable: 5000, failed: 3000, createDelayed: 4000 };

/**
 * Resources of one run, in the order of their registration. Its methods do not throw: failures are recorded in the run's results.
 * A resource that is registered twice or is invalid raises an alarm. Each method but `register` starts after all earlier calls, and the run waits
 * for all of them, even if the caller does not.
 */
export class ResourceRegistry<T extends KubeObject> {
  readonly #host: RegistryHost<T>;
  readonly #annotation: string;
  /** Entries by index; undefined while the peer is being read. */
  readonly #entries = new Map<string, RegistryEntry<T> | undefined>();
  readonly #calls = new OrderedCalls();
  #isComplete = true;

  constructor(host: RegistryHost<T>) {
    this.#host = host;
    this.#annotation = host.hashAnnotation ?? ourHashAnnotation;
  }

  /** Returns a registered resource; undefined when its peer could not be read. */
  get(index: string): RegisteredResource<T> | undefined {
    return this.#entries.get(index);
  }

  /** Registers a resource after reading its peer. */
  register<R extends KubeObject>(resource: MutableResource<T, R>): Promise<void> {
    return this.#calls.run(() => this.#register(resource));
  }

  /** Computes the mutation of each resource; nothing is written. */
  mutateAll(): Promise<void> {
    return this.#calls.runAfterOthers(() => this.#mutateAll());
  }

  /** Creates missing resources and updates differing ones, until the run gives up or stops. */
  createOrUpdateAll(options: CreateOrUpdateOptions = {}): Promise<void> {
    return this.#calls.runAfterOthers(() => this.#createOrUpdateAll(options));
  }

  /**
   * Deletes objects of one kind that have the hash annotation, are controlled by the reconciled object, and are not registered in this run.
   * Nothing is deleted while the run has errors, since the registry may be incomplete.
   */
  prune<R extends KubeObject>(kind: Kind<R>): Promise<void> {
    return this.#calls.runAfterOthers(() => this.#prune(kind));
  }

  /** Resolves when all pending calls have ended; rejects with the first error among them. */
  settled(): Promise<void> {
    return this.#calls.settled();
  }

  *#registered(): Iterable<RegistryEntry<T>> {
    for (const entry of this.#entries.values()) if (entry !== undefined) yield entry;
  }

  async #register<R extends KubeObject>(resource: MutableResource<T, R>): Promise<void> {
    const { owner, results } = this.#host;
    const { kind, name, namespace = owner.metadata.namespace } = resource;
    const key = kind.namespaced && namespace !== undefined ? { namespace, name } : { name };
    const index = resource.index ?? `${kind.kind} ${keyOf(key)}`;
    if (this.#entries.has(index)) return this.#addConcern(index, new TypeError('it is registered twice'));
    this.#entries.set(index, undefined);
    try {
      const peer = await this.#read(kind, key);
      this.#entries.set(index, { resource, index, key, peer, mutation: undefined } as unknown as RegistryEntry<T>);
      results.addOpSuccess('RegistrationSuccess', index);
    } catch (error) {
      this.#isComplete = false;
      this.#entries.delete(index);
      this.#addUnreadable(index, error);
    }
  }

  async #createOrUpdateAll({ maxCreation = Infinity, stopOnError = false }: CreateOrUpdateOptions): Promise<void> {
    const { results } = this.#host;
    let created = 0;
    for (const entry of this.#registered()) {
      if (results.isOver) return;
      const errors = results.errors;
      if (entry.peer !== undefined) await this.#write(entry);
      else if (created < maxCreation) {
        created += 1;
        await this.#write(entry);
      } else results.addOp('CreateDelayed', { resource: entry.index, requeueAfter: delays.createDelayed });
      if (stopOnError && results.errors > errors) return;
    }
  }

  async #prune<R extends KubeObject>(kind: Kind<R>): Promise<void> {
    const { owner, results, request } = this.#host;
    if (!this.#isComplete || results.errors > 0 || results.isOver) return;
    const kept = new Set(
      [...this.#registered()]
        .filter(({ resource }) => resourceOf(resource.kind) === resourceOf(kind))
        .map(({ key }) => keyOf(key)),
    );
    const { uid = '' } = owner.metadata;
    for (const object of await this.#listOwned(kind, uid)) {
      const { metadata } = object;
      const isOurs =
        metadata.annotations?.[this.#annotation] !== undefined &&
        metadata.ownerReferences?.some((reference) => reference.controller && reference.uid === uid);
      if (!isOurs || metadata.deletionTimestamp !== undefined || kept.has(keyOf(metadata))) continue;
      const index = `${kind.kind} ${keyOf(metadata)}`;
      await this.#attempt('Deleted', index, () =>
        request.client.delete(kind, objectKeyOf(object), { signal: request.signal, ...uidPrecondition(object) }),
      );
    }
  }

  async #read<R extends KubeObject>(kind: Kind<R>, key: ObjectKey): Promise<R | undefined> {
    const { request, peers } = this.#host;
    if (peers === 'stored') return request.stored(kind).get(key);
    return ignoreNotFound(request.client.get(kind, key, { signal: request.signal }));
  }

  async #listOwned<R extends KubeObject>(kind: Kind<R>, uid: string): Promise<readonly R[]> {
    const { request, peers } = this.#host;
    const { namespace } = this.#host.owner.metadata;
    const selection = kind.namespaced && namespace !== undefined ? { namespace } : {};
    try {
      if (peers === 'stored') return request.stored(kind).by('owner', uid);
      return (await request.client.list(kind, { ...selection, signal: request.signal })).items;
    } catch (error) {
      this.#addUnreadable(resourceOf(kind), error);
      return [];
    }
  }

  async #mutateAll(): Promise<void> {
    for (const entry of this.#registered()) await this.#mutate(entry);
  }

  async #mutate(entry: RegistryEntry<T>): Promise<void> {
    const { index } = entry;
    const { results, request, owner } = this.#host;
    try {
      entry.mutation = await mutationOf(entry, { request, owner, hashAnnotation: this.#annotation });
      const { requeueAfter } = entry.mutation;
      results.addOpSuccess('MutationSuccess', index);
      if (requeueAfter !== undefined && requeueAfter > 0)
        results.addOp('AskRequeue', { resource: index, requeueAfter });
    } catch (error) {
      if (error instanceof MutateWithCRError)
        results.addOp('MutateWithCRError', { resource: index, error: errorOf(error.cause) });
      else this.#addConcern(index, errorOf(error));
    }
  }

  async #write(entry: RegistryEntry<T>): Promise<void> {
    const { index, key, peer, mutation, resource } = entry;
    const { kind, serverSideApply = false } = resource;
    const { client, signal } = this.#host.request;
    if (mutation === undefined) return this.#addConcern(index, new TypeError(unmutated));
    const { wanted, change } = mutation;
    if (peer !== undefined && change === undefined) return this.#host.results.addOpSuccess('None', index);
    await this.#attempt(peer === undefined ? 'Created' : 'Updated', index, () => {
      if (serverSideApply) return client.patch(kind, key, { type: 'apply', value: wanted, force: true }, { signal });
      if (peer === undefined) return client.create(kind, wanted, { signal });
      return client.patch(kind, key, preconditionedPatch(peer, change as object), { signal });
    });
  }

  async #attempt(
    operation: 'Created' | 'Updated' | 'Deleted',
    resource: string,
    write: () => Promise<unknown>,
  ): Promise<void> {
    const { results } = this.#host;
    try {
      await write();
      results.addOpSuccess(operation, resource);
    } catch (thrown) {
      const error =
        thrown instanceof AlreadyExistsError
          ? new StaleError(`${resource} was made meanwhile`, { cause: thrown })
          : thrown;
      results.addOp('CRUDError', { resource, error, ...(isRace(error) ? {} : { requeueAfter: delays.failed }) });
    }
  }

  #addUnreadable(resource: string, error: unknown): void {
    if (error instanceof TypeError) this.#addConcern(resource, error);
    else this.#host.results.addOp('ResourceUnreadable', { resource, error, requeueAfter: delays.unreadable });
  }

  #addConcern(resource: string, { message }: Error): void {
    this.#host.results.addGiveupError('ImplementationConcern', {
      resource,
      error: new Error(`${resource}: ${message}`),
    });
  }
}
