import type { OwnerReference } from '../../../sdk/api/object.ts';
import type { Machinery } from '../machinery.ts';
import { type ApiObject, draftOf } from '../objects/object.ts';
import { updateObject } from '../objects/write.ts';
import type { Resource } from '../registry.ts';
import type { Change } from '../store.ts';
import { type DeleteOptions, deleteObject } from '../verbs/delete.ts';
import type { Controller } from './loop.ts';

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

  dependentsOf(uid: string | undefined): ApiObject[] {
    const places = [...(this.#dependents.get(uid ?? '')?.values() ?? [])];
    return places
      .map(({ collection, key }) => this.#machinery.store.get(collection, key))
      .filter((found) => found !== undefined);
  }
}

/** Deletes what nobody owns any more, and lets owners go when their dependents have gone or have been let go. */
export function garbageController(machinery: Machinery): Controller {
  const { registry } = machinery;
  const graph = new Graph(machinery);

  const resourceFor = (object: ApiObject): Resource => registry.ofKind(object)!;
  const rewrite = (object: ApiObject, metadata: Partial<ApiObject['metadata']>): void => {
    const draft = draftOf(object);
    Object.assign(draft.metadata, metadata);
    updateObject(machinery, { resource: resourceFor(object) }, object, draft);
  };
  const withoutFinalizer = (object: ApiObject, name: string): void =>
    rewrite(object, { finalizers: (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== name) });
  const remove = (object: ApiObject, propagationPolicy: DeleteOptions['propagationPolicy']): void => {
    if (!isDeleting(object)) deleteObject(machinery, resourceFor(object), object, { propagationPolicy });
  };

  /** An owner counts as there unless its kind is served and it is not found where it should be. */
  const isAbsent = (dependent: ApiObject, reference: OwnerReference): boolean => {
    const resource = registry.ofKind(reference);
    if (resource === undefined) return false;
    if (resource.info.namespaced && dependent.metadata.namespace === undefined) return false;
    const owner = graph.find(reference.uid);
    if (owner === undefined) return true;
    return resource.info.namespaced && owner.metadata.namespace !== dependent.metadata.namespace;
  };

  const unblockCycle = (object: ApiObject): ApiObject => {
    const inCycle = graph.dependentsOf(object.metadata.uid).some(waitsForDependents);
    if (!inCycle) return object;
    rewrite(object, { ownerReferences: ownersOf(object).map((owner) => ({ ...owner, blockOwnerDeletion: false })) });
    return graph.find(object.metadata.uid!) ?? object;
  };

  const judgeDependent = (object: ApiObject): void => {
    const owners = ownersOf(object);
    const absent = owners.filter((owner) => isAbsent(object, owner));
    const waiting = owners.filter((owner) => {
      const found = graph.find(owner.uid);
      return found !== undefined && waitsForDependents(found);
    });
    if (absent.length === 0 && waiting.length === 0) return;
    const solid = owners.filter((owner) => !absent.includes(owner) && !waiting.includes(owner));
    if (solid.length > 0) rewrite(object, { ownerReferences: solid });
    else if (waiting.length > 0 && graph.dependentsOf(object.metadata.uid).length > 0)
      remove(unblockCycle(object), 'Foreground');
    else remove(object, hasFinalizer(object, 'orphan') ? 'Orphan' : 'Background');
  };

  const orphan = (owner: ApiObject): void => {
    for (const dependent of graph.dependentsOf(owner.metadata.uid)) {
      rewrite(dependent, { ownerReferences: ownersOf(dependent).filter(({ uid }) => uid !== owner.metadata.uid) });
    }
    withoutFinalizer(owner, 'orphan');
  };

  const clear = (owner: ApiObject): void => {
    const dependents = graph.dependentsOf(owner.metadata.uid);
    for (const dependent of dependents) judgeDependent(dependent);
    const blocked = graph
      .dependentsOf(owner.metadata.uid)
      .some((dependent) => owns(owner, dependent)?.blockOwnerDeletion);
    const still = graph.find(owner.metadata.uid!);
    if (!blocked && still !== undefined && waitsForDependents(still)) withoutFinalizer(still, 'foregroundDeletion');
  };

  const judge = (object: ApiObject): void => {
    if (isDeleting(object) && hasFinalizer(object, 'orphan')) orphan(object);
    else if (waitsForDependents(object)) clear(object);
    else if (object.metadata.ownerReferences !== undefined) judgeDependent(object);
  };

  const judgeAgain = (uid: string): void => {
    const object = graph.find(uid);
    if (object !== undefined) judge(object);
  };

  return (change) => {
    graph.learn(change);
    const { object, previous } = change;
    if (change.type === 'DELETED') {
      for (const dependent of graph.dependentsOf(object.metadata.uid)) judge(dependent);
    } else judgeAgain(object.metadata.uid!);
    for (const { uid } of previous === undefined ? [] : ownersOf(previous)) judgeAgain(uid);
  };
}
