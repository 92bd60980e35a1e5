/** Garbage collector: deletes objects whose owners are gone. */

import type { OwnerReference } from '../../../sdk/api/object.ts';
import { type ApiObject, type Draft, draftOf } from '../apimachinery/object.ts';
import { createObject } from '../objects/create.ts';
import { deleteObject } from '../objects/delete.ts';
import { scopeOf } from '../objects/managed-fields.ts';
import { updateObject } from '../objects/update.ts';
import { type Resource, storeKeyOf } from '../resources/registry.ts';
import type { DeleteOptions } from '../server/delete-options.ts';
import type { ServerContext } from '../server/server-context.ts';
import type { Change } from '../storage/store.ts';
import type { ChangeHandler } from './engine/change-worker.ts';
import type { EventReport } from './engine/reconciler.ts';
import { createRecorder, type Recorder } from './engine/recorder.ts';
import { OwnershipGraph, ownersOf } from './ownership-graph.ts';

const manager = 'kube-controller-manager';
/** Collection of Events, whose owners are ignored. */
const events = '/events';

/** State of an owner: exists, absent, waiting for its dependents (foreground deletion), or unknown. */
type OwnerState = 'solid' | 'dangling' | 'waiting' | 'unclear';

/** Propagation policy that an object's finalizers already imply. */
const policies = [
  ['orphan', 'Orphan'],
  ['foregroundDeletion', 'Foreground'],
] as const;

const hasFinalizer = ({ metadata }: ApiObject, name: string): boolean => metadata.finalizers?.includes(name) ?? false;
const isDeleting = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
const waitsForDependents = (object: ApiObject): boolean =>
  isDeleting(object) && hasFinalizer(object, 'foregroundDeletion');

/** Decides about single objects, using the graph. */
class Collector {
  readonly #server: ServerContext;
  readonly #graph: OwnershipGraph;
  readonly #record: Recorder;

  constructor(server: ServerContext) {
    this.#server = server;
    this.#record = createRecorder('garbage-collector-controller', server.random);
    this.#graph = new OwnershipGraph(server);
  }

  /** Records a change and re-evaluates the objects that it affects. */
  take(change: Change): void {
    if (change.collection === events) return;
    this.#graph.learn(change);
    if (change.type !== 'DELETED' && change.object.metadata.ownerReferences !== undefined) this.#warn(change);
    const { object, previous } = change;
    if (change.type === 'DELETED') {
      for (const dependent of this.#graph.dependentsOf(object.metadata.uid)) this.#attempt(dependent);
    } else this.#attemptAgain(object.metadata.uid!);
    for (const { uid } of previous === undefined ? [] : ownersOf(previous)) this.#attemptOwner(uid);
  }

  /** Re-evaluates the owner of a changed dependent; one that waits for its dependents needs no look at the others. */
  #attemptOwner(uid: string): void {
    const owner = this.#graph.find(uid);
    if (owner === undefined) return;
    if (waitsForDependents(owner) && !hasFinalizer(owner, 'orphan')) this.#finishForeground(owner);
    else this.#attempt(owner);
  }

  #attemptAgain(uid: string): void {
    const object = this.#graph.find(uid);
    if (object !== undefined) this.#attempt(object);
  }

  #attempt(object: ApiObject): void {
    if (isDeleting(object) && hasFinalizer(object, 'orphan')) this.#orphan(object);
    else if (waitsForDependents(object)) this.#clear(object);
    else if (object.metadata.ownerReferences !== undefined) this.#attemptDependent(object);
  }

  /** Deletes an object without owners and drops dangling references; skips objects being deleted, and any with an unknown owner. */
  #attemptDependent(object: ApiObject): void {
    if (isDeleting(object)) return;
    const owners = ownersOf(object);
    const states = owners.map((owner) => this.#stateOf(object, owner));
    if (states.includes('unclear') || states.every((state) => state === 'solid')) return;
    const solid = owners.filter((_owner, index) => states[index] === 'solid');
    const owns = this.#graph.dependentsOf(object.metadata.uid).length > 0;
    if (solid.length > 0) this.#rewrite(object, { ownerReferences: solid });
    else if (states.includes('waiting') && owns) this.#remove(this.#unblocked(object), 'Foreground');
    else this.#remove(object, policies.find(([finalizer]) => hasFinalizer(object, finalizer))?.[1] ?? 'Background');
  }

  /** Looks an owner up by kind and name, in the dependent's namespace; an object with another uid does not count. */
  #stateOf({ metadata: { namespace } }: ApiObject, reference: OwnerReference): OwnerState {
    const { registry, store } = this.#server;
    const resource = registry.ofKind(reference);
    if (resource === undefined || (resource.info.namespaced && namespace === undefined)) return 'unclear';
    const key = storeKeyOf(resource.info.namespaced ? namespace : undefined, reference.name);
    const owner = store.get(resource.collection, key);
    if (owner?.metadata.uid !== reference.uid) return 'dangling';
    this.#graph.note(reference.uid, { collection: resource.collection, key });
    return waitsForDependents(owner) ? 'waiting' : 'solid';
  }

  /** Records a Warning event for new owner references into another namespace, which are invalid. */
  #warn({ object, previous }: Change): void {
    const known = new Set((previous === undefined ? [] : ownersOf(previous)).map(({ uid }) => uid));
    const { namespace = '' } = object.metadata;
    for (const owner of ownersOf(object)) {
      const found = known.has(owner.uid) ? undefined : this.#graph.find(owner.uid);
      if (found?.metadata.namespace === undefined || found.metadata.namespace === namespace) continue;
      const { apiVersion, kind, name, uid } = owner;
      const identity = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
      const message = `ownerRef ${identity} does not exist in namespace ${JSON.stringify(namespace)}`;
      this.#report({ about: object, type: 'Warning', reason: 'OwnerRefInvalidNamespace', message });
      return;
    }
  }

  #report(event: EventReport): void {
    const { clock, registry, store } = this.#server;
    const { namespace, name, known, body } = this.#record(event, clock.now());
    const place = store.get('/namespaces', namespace);
    if (place === undefined || isDeleting(place)) return;
    const scope = scopeOf({ server: this.#server, resource: registry.find('v1', 'events')!, manager });
    const before = known ? store.get(events, storeKeyOf(namespace, name)) : undefined;
    if (before !== undefined) updateObject(scope, before, { ...draftOf(before), ...body });
    else if (!known) createObject(scope, { ...body, eventTime: null } as unknown as Draft);
  }

  /** Clears `blockOwnerDeletion` of an object that its own dependents wait for, so that a cycle of owners does not deadlock. */
  #unblocked(object: ApiObject): ApiObject {
    const inCycle = this.#graph.dependentsOf(object.metadata.uid).some(waitsForDependents);
    if (!inCycle) return object;
    this.#rewrite(object, {
      ownerReferences: ownersOf(object).map((owner) => ({ ...owner, blockOwnerDeletion: false })),
    });
    return this.#graph.find(object.metadata.uid!) ?? object;
  }

  #orphan(owner: ApiObject): void {
    for (const dependent of this.#graph.dependentsOf(owner.metadata.uid)) {
      this.#rewrite(dependent, {
        ownerReferences: ownersOf(dependent).filter(({ uid }) => uid !== owner.metadata.uid),
      });
    }
    this.#dropFinalizer(owner, 'orphan');
  }

  #clear(owner: ApiObject): void {
    for (const dependent of this.#graph.dependentsOf(owner.metadata.uid)) this.#attemptDependent(dependent);
    const still = this.#graph.find(owner.metadata.uid!);
    if (still !== undefined && waitsForDependents(still)) this.#finishForeground(still);
  }

  /** Removes the finalizer of a foreground deletion unless a dependent blocks it. */
  #finishForeground(owner: ApiObject): void {
    if (!this.#graph.isBlocked(owner)) this.#dropFinalizer(owner, 'foregroundDeletion');
  }

  #resourceOf(object: ApiObject): Resource {
    return this.#server.registry.ofKind(object)!;
  }

  #rewrite(object: ApiObject, metadata: Partial<ApiObject['metadata']>): void {
    const draft = draftOf(object);
    Object.assign(draft.metadata, metadata);
    const write = { server: this.#server, resource: this.#resourceOf(object), manager };
    updateObject(scopeOf(write), object, draft);
  }

  #dropFinalizer(object: ApiObject, name: string): void {
    this.#rewrite(object, { finalizers: (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== name) });
  }

  #remove(object: ApiObject, propagationPolicy: DeleteOptions['propagationPolicy']): void {
    if (isDeleting(object)) return;
    deleteObject({ server: this.#server, resource: this.#resourceOf(object) }, object, { propagationPolicy });
  }
}

/** Creates the garbage collector: deletes objects without owners, and removes the finalizers of orphaning and foreground deletion. */
export function garbageCollector(server: ServerContext): ChangeHandler {
  const collector = new Collector(server);
  return (change) => collector.take(change);
}
