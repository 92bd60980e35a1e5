import type { KubeObject } from '../api/object.ts';
import type { DeleteOptions, Patch } from '../client/client.ts';

/** A merge patch of the object as it was seen: refused with a ConflictError when it has changed, or was replaced by another of its name. */
export function preconditionedPatch({ metadata: { uid, resourceVersion } }: KubeObject, change: object): Patch {
  const { metadata } = change as { readonly metadata?: object };
  return { type: 'merge', value: { ...change, metadata: { ...metadata, uid, resourceVersion } } };
}

/** Deletes no other object of the same name; whether this one has changed does not matter. */
export const uidPrecondition = ({ metadata: { uid } }: KubeObject): Pick<DeleteOptions, 'preconditions'> =>
  uid === undefined ? {} : { preconditions: { uid } };
