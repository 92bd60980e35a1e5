/** Graph of owner references, which the garbage collector decides by. */

import type { OwnerReference } from '../../../sdk/api/object.ts';
import type { ApiObject } from '../apimachinery/object.ts';
import type { ServerContext } from '../server/server-context.ts';
import type { Change } from '../storage/store.ts';

/** Location of an object in the store. */
interface ObjectLocation {
  readonly collection: string;
  readonly key: string;
}

/** Returns the owner references of an object. */
export const ownersOf = ({ metadata }: ApiObject): readonly OwnerReference[] => metadata.ownerReferences ?? [];

const owns = (owner: ApiObject, dependent: ApiObject): OwnerReference | undefined =>
  ownersOf(dependent).find(({ uid }) => uid === owner.metadata.uid);

/** Locations of objects, and dependents of owners, by uid. */
export class OwnershipGraph {
  readonly #places = new Map<string, ObjectLocation>();
  readonly #dependents = new Map<string, Map<string, ObjectLocation>>();
  readonly #server: ServerContext;

  constructor(server: ServerContext) {
    this.#server = server;
  }

  /** Records a change; keeps edges only for objects with owners. */
  learn({ type, collection, key, object, previous }: Change): void {
    const uid = object.metadata.uid!;
    const place = { collection, key };
    if (type === 'DELETED') this.#places.delete(uid);
    else this.#places.set(uid, place);
    if (previous?.metadata.ownerReferences !== undefined) {
      for (const owner of ownersOf(previous)) this.#removeDependent(owner.uid, uid);
    }
    if (type === 'DELETED' || object.metadata.ownerReferences === undefined) return;
    for (const owner of ownersOf(object)) {
      const known = this.#dependents.get(owner.uid) ?? new Map<string, ObjectLocation>();
      this.#dependents.set(owner.uid, known.set(uid, place));
    }
  }

  #removeDependent(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    known?.delete(dependent);
    if (known?.size === 0) this.#dependents.delete(owner);
  }

  /** Returns the object with a uid, or undefined. */
  find(uid: string): ApiObject | undefined {
    const place = this.#places.get(uid);
    return place && this.#server.store.get(place.collection, place.key);
  }

  /** Records the location of an owner; initial objects are not announced. */
  note(uid: string, place: ObjectLocation): void {
    this.#places.set(uid, place);
  }

  *#existingDependents(uid = ''): Generator<ApiObject> {
    for (const { collection, key } of this.#dependents.get(uid)?.values() ?? []) {
      const found = this.#server.store.get(collection, key);
      if (found !== undefined) yield found;
    }
  }

  /** Returns the existing dependents of an owner. */
  dependentsOf = (uid: string | undefined): ApiObject[] => [...this.#existingDependents(uid)];

  /** Reports whether a dependent blocks the deletion of its owner. */
  isBlocked(owner: ApiObject): boolean {
    for (const one of this.#existingDependents(owner.metadata.uid))
      if (owns(owner, one)?.blockOwnerDeletion) return true;
    return false;
  }
}
