import { isDeleting, type KubeObject } from './object.ts';
import { add, type JsonPatchOperation, remove, test } from './patch.ts';

/** Whether the object holds that finalizer. */
export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) ?? false;

/**
 * The patch of the main resource that adds a finalizer: refused (422) if the object was replaced, is being deleted, or its finalizers are not
 * the ones seen. Empty when it is there already or the object is being deleted, since a server refuses new finalizers then.
 */
export function addFinalizer(object: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  if (hasFinalizer(object, finalizer) || isDeleting(object)) return [];
  const { uid, finalizers } = object.metadata;
  const seen = finalizers === undefined || finalizers.length === 0 ? null : finalizers;
  return [
    test('/metadata/uid', uid),
    test('/metadata/deletionTimestamp', null),
    test('/metadata/finalizers', seen),
    add('/metadata/finalizers', [...(finalizers ?? []), finalizer]),
  ];
}

/** The patch that removes a finalizer from where it was seen, and nothing else; empty when it is not there. */
export function removeFinalizer(object: KubeObject, finalizer: string): readonly JsonPatchOperation[] {
  const index = object.metadata.finalizers?.indexOf(finalizer) ?? -1;
  if (index === -1) return [];
  const path = `/metadata/finalizers/${index}`;
  return [test('/metadata/uid', object.metadata.uid), test(path, finalizer), remove(path)];
}
