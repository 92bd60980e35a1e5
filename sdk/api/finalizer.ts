import { isDeleting, type KubeObject } from './object.ts';
import { add, type JsonPatchOperation, remove, test } from './patch.ts';

/** Whether the object holds that finalizer. */
export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) ?? false;

/**
 * The patch of the main resource that adds finalizers: refused (422) if the object was replaced, is being deleted, or its finalizers are not
 * the ones seen. Empty when they are there already or the object is being deleted, since a server refuses new finalizers then.
 */
export function addFinalizer(object: KubeObject, ...wanted: readonly string[]): readonly JsonPatchOperation[] {
  return changeFinalizers(object, { add: wanted });
}

/** The patch that removes a finalizer from where it was seen, and nothing else; empty when it is not there. */
export function removeFinalizer(object: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  const index = object.metadata.finalizers?.indexOf(finalizer) ?? -1;
  if (index === -1) return [];
  const path = `/metadata/finalizers/${index}`;
  return [test('/metadata/uid', object.metadata.uid), test(path, finalizer), remove(path)];
}

/** What becomes of the finalizers of an object; those of others keep their order. */
export interface FinalizerChange {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/**
 * The patch that puts finalizers in the place of others; refused (422) if the object was replaced or its finalizers are not the ones seen.
 * An object that is being deleted gets none, and keeps those that were to be replaced. Empty when nothing changes.
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
