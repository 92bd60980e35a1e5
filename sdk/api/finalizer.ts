/** JSON patches that add, remove and replace finalizers. */

import { isDeleting, type KubeObject } from './object.ts';
import { add, type JsonPatchOperation, remove, test } from './patch.ts';

/** Reports whether the object has that finalizer. */
export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) ?? false;

/**
 * Returns the patch of the main resource that adds finalizers: refused (422) if the object was replaced, is being deleted, or its finalizers differ
 * from those read.
 * Empty when they are present already or the object is being deleted, since a server rejects new finalizers then.
 */
export function addFinalizer(object: KubeObject, ...wanted: readonly string[]): readonly JsonPatchOperation[] {
  return changeFinalizers(object, { add: wanted });
}

/** Returns the patch that removes a finalizer from the position at which it was read; empty when it is absent. */
export function removeFinalizer(object: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  const index = object.metadata.finalizers?.indexOf(finalizer) ?? -1;
  if (index === -1) return [];
  const path = `/metadata/finalizers/${index}`;
  return [test('/metadata/uid', object.metadata.uid), test(path, finalizer), remove(path)];
}

/** Finalizers to add to and to remove from an object; the order of the others is kept. */
export interface FinalizerChange {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/**
 * Returns the patch that replaces finalizers: refused (422) if the object was replaced or its finalizers differ from those read.
 * An object that is being deleted gets no new finalizers and keeps those to be replaced. Empty when nothing changes.
 */
export function changeFinalizers(
  object: KubeObject,
  { add: wanted = [], remove: unwanted = [] }: FinalizerChange,
): readonly JsonPatchOperation[] {
  const { uid, finalizers = [] } = object.metadata;
  if (wanted.length > 0 && isDeleting(object)) return [];
  const kept = finalizers.filter((finalizer) => !unwanted.includes(finalizer));
  const missing = wanted.filter((finalizer) => !kept.includes(finalizer));
  if (kept.length === finalizers.length && missing.length === 0) return [];
  return [
    test('/metadata/uid', uid),
    ...(wanted.length === 0 ? [] : [test('/metadata/deletionTimestamp', null)]),
    test('/metadata/finalizers', finalizers.length === 0 ? null : finalizers),
    add('/metadata/finalizers', [...kept, ...missing]),
  ];
}
