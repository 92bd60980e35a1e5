/** Optimistic locks of patches and deletions. */

import type { KubeObject } from '../api/object.ts';
import type { DeleteOptions, Patch } from '../client/client.ts';

/**
 * Returns a merge patch with an optimistic lock: refused with a ConflictError when the object has changed, or was replaced by another of its name.
 */
export function preconditionedPatch({ metadata: { uid, resourceVersion } }: KubeObject, change: object): Patch {
  const { metadata } = change as { readonly metadata?: object };
  return { type: 'merge', value: { ...change, metadata: { ...metadata, uid, resourceVersion } } };
}

/** Returns the precondition that protects another object of the same name from deletion; changes of this one are allowed. */
export const uidPrecondition = ({ metadata: { uid } }: KubeObject): Pick<DeleteOptions, 'preconditions'> =>
  uid === undefined ? {} : { preconditions: { uid } };
