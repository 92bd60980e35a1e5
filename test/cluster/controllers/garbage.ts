import type { OwnerReference } from '../../../sdk/api/object.ts';
import type { Machinery } from '../machinery.ts';
import { deleteObject } from '../objects/delete.ts';
import type { DeleteOptions } from '../objects/delete-options.ts';
import { scopeOf } from '../objects/managing.ts';
import { type ApiObject, draftOf } from '../objects/object.ts';
import { updateObject } from '../objects/update.ts';
import { type Resource, storeKeyOf } from '../registry.ts';
import type { Change } from '../store.ts';
import type { Controller } from './reaction.ts';

const manager = 'kube-controller-manager';

/** Where an object is. */
interface Place {
  readonly collection: string;
  readonly key: string;
}

const ownersOf = ({ metadata }: ApiObject): readonly OwnerReference[] => metadata.ownerReferences ?? [];
const hasFinalizer = ({ metadata }: ApiObject, name: string): boolean => metadata.finalizers?.includes(name) ?? false;
const isDeleting = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;
const waitsForDependents = (object: ApiObject): boolean =>
  isDeleting(object) && hasFinalizer(object, 'foregroundDeletion');

const owns = (owner: ApiObject, dependent: ApiObject): OwnerReference | undefined =>
  ownersOf(dependent).find(({ uid }) => uid === owner.metadata.uid);

/** Who exists, and who depends on whom, by uid. */
class Graph {
  readonly #places = new Map<string, Place>();
  readonly #dependents = new Map<string, Map<string, Place>>();
  readonly #machinery: Machinery;

  constructor(machinery: Machinery) {
    this.#machinery = machinery;
  }

  /** Learns a change; only what is gone or has owners costs anything. */
  learn({ type, collection, key, object, previous }: Change): void {
    const uid = object.metadata.uid!;
    const place = { collection, key };
    if (type === 'DELETED') this.#places.delete(uid);
    else this.#places.set(uid, place);
    if (previous?.metadata.ownerReferences !== undefined) {
      for (const owner of ownersOf(previous)) this.#dependents.get(owner.uid)?.delete(uid);
    }
    if (type === 'DELETED' || object.metadata.ownerReferences === undefined) return;
    for (const owner of ownersOf(object)) {
      const known = this.#dependents.get(owner.uid) ?? new Map<string, Place>();
      this.#dependents.set(owner.uid, known.set(uid, place));
    }
  }

  /** The object with that uid, or undefined. */
  find(uid: string): ApiObject | undefined {
    const place = this.#places.get(uid);
    return place && this.#machinery.store.get(place.collection, place.key);
  }

  /** The owner that a dependent's reference means; of what is there from the start nobody was told, so that it is looked for where the reference says. */
  ownerOf({ metadata }: ApiObject, reference: OwnerReference): ApiObject | undefined {
    const { registry, store } = this.#machinery;
    const resource = this.find(reference.uid) === undefined ? registry.ofKind(reference) : undefined;
    if (resource !== undefined) {
      const { collection, info } = resource;
      const key = storeKeyOf(info.namespaced ? metadata.namespace : undefined, reference.name);
      const isMeant = store.get(collection, key)?.metadata.uid === reference.uid;
      if (isMeant) this.#places.set(reference.uid, { collection, key });
    }
    return this.find(reference.uid);
  }

  dependentsOf(uid: string | undefined): ApiObject[] {
    const places = [...(this.#dependents.get(uid ?? '')?.values() ?? [])];
    return places
      .map(({ collection, key }) => this.#machinery.store.get(collection, key))
      .filter((found) => found !== undefined);
  }
}

/** Decides about single objects, by what the graph knows. */
class Collector {
  readonly #machinery: Machinery;
  readonly #graph: Graph;

  constructor(machinery: Machinery) {
    this.#machinery = machinery;
    this.#graph = new Graph(machinery);
  }

  /** Learns a change and looks again at everything that it may have freed. */
  take(change: Change): void {
    this.#graph.learn(change);
    const { object, previous } = change;
    if (change.type === 'DELETED') {
      for (const dependent of this.#graph.dependentsOf(object.metadata.uid)) this.#judge(dependent);
    } else this.#judgeAgain(object.metadata.uid!);
    for (const { uid } of previous === undefined ? [] : ownersOf(previous)) this.#judgeAgain(uid);
  }

  #judgeAgain(uid: string): void {
    const object = this.#graph.find(uid);
    if (object !== undefined) this.#judge(object);
  }

  #judge(object: ApiObject): void {
    if (isDeleting(object) && hasFinalizer(object, 'orphan')) this.#orphan(object);
    else if (waitsForDependents(object)) this.#clear(object);
    else if (object.metadata.ownerReferences !== undefined) this.#judgeDependent(object);
  }

  #judgeDependent(object: ApiObject): void {
    const owners = ownersOf(object);
    const absent = owners.filter((owner) => this.#isAbsent(object, owner));
    const waiting = owners.filter((owner) => {
      const found = this.#graph.ownerOf(object, owner);
      return found !== undefined && waitsForDependents(found);
    });
    if (absent.length === 0 && waiting.length === 0) return;
    const solid = owners.filter((owner) => !absent.includes(owner) && !waiting.includes(owner));
    const owns = this.#graph.dependentsOf(object.metadata.uid).length > 0;
    if (solid.length > 0) this.#rewrite(object, { ownerReferences: solid });
    else if (waiting.length > 0 && owns) this.#remove(this.#unblocked(object), 'Foreground');
    else this.#remove(object, hasFinalizer(object, 'orphan') ? 'Orphan' : 'Background');
  }

  /** An owner counts as there unless its kind is served and it is not found where it should be. */
  #isAbsent(object: ApiObject, reference: OwnerReference): boolean {
    const { namespace } = object.metadata;
    const resource = this.#machinery.registry.ofKind(reference);
    if (resource === undefined || (resource.info.namespaced && namespace === undefined)) return false;
    const owner = this.#graph.ownerOf(object, reference);
    return owner === undefined || (resource.info.namespaced && owner.metadata.namespace !== namespace);
  }

  /** An object whose own dependents wait for it must not block its owners: else they would wait for each other. */
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
    const uid = owner.metadata.uid!;
    for (const dependent of this.#graph.dependentsOf(uid)) this.#judgeDependent(dependent);
    const isBlocked = this.#graph.dependentsOf(uid).some((dependent) => owns(owner, dependent)?.blockOwnerDeletion);
    const still = this.#graph.find(uid);
    if (!isBlocked && still !== undefined && waitsForDependents(still))
      this.#dropFinalizer(still, 'foregroundDeletion');
  }

  #resourceOf(object: ApiObject): Resource {
    return this.#machinery.registry.ofKind(object)!;
  }

  #rewrite(object: ApiObject, metadata: Partial<ApiObject['metadata']>): void {
    const draft = draftOf(object);
    Object.assign(draft.metadata, metadata);
    const write = { machinery: this.#machinery, resource: this.#resourceOf(object), manager };
    updateObject(scopeOf(write), object, draft);
  }

  #dropFinalizer(object: ApiObject, name: string): void {
    this.#rewrite(object, { finalizers: (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== name) });
  }

  #remove(object: ApiObject, propagationPolicy: DeleteOptions['propagationPolicy']): void {
    if (isDeleting(object)) return;
    deleteObject({ machinery: this.#machinery, resource: this.#resourceOf(object) }, object, { propagationPolicy });
  }
}

/** Deletes what nobody owns any more, and lets owners go when their dependents have gone or have been let go. */
export function garbageController(machinery: Machinery): Controller {
  const collector = new Collector(machinery);
  return (change) => collector.take(change);
}
