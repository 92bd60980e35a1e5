/** Preconditions of patches and deletions: optimistic locking by uid and resourceVersion. */

import type { KubeObject } from '../api/object.ts';
import type { DeleteOptions, Patch } from '../client/client.ts';

/**
 * Returns a merge patch with an optimistic lock: the server answers a ConflictError when the object has changed, or was replaced by another of its name.
 */
export function preconditionedPatch({ metadata: { uid, resourceVersion } }: KubeObject, change: object): Patch {
  const { metadata } = change as { readonly metadata?: object };
  return { type: 'merge', value: { ...change, metadata: { ...metadata, uid, resourceVersion } } };
}

/** Returns the precondition that limits a deletion to this uid; a changed object is deleted, a replaced one is not. */
export const uidPrecondition = ({ metadata: { uid } }: KubeObject): Pick<DeleteOptions, 'preconditions'> =>
  uid === undefined ? {} : { preconditions: { uid } };
