/** Deletion of CustomResourceDefinitions. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { type Draft, type Fields, isFields } from '../../apimachinery/object.ts';
import { definitionSpecOf } from '../../crd/definition.ts';
import type { Strategy } from '../../server/strategy.ts';

/** Finalizer of a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Adds the storage version to the stored versions of a definition. */
export function withStorageVersion<T extends Fields>(crd: T): T {
  const storage = definitionSpecOf(crd).versions?.find((version) => version.storage)?.name;
  const status = isFields(crd.status) ? crd.status : {};
  const stored = Array.isArray(status.storedVersions) ? status.storedVersions : [];
  if (storage === undefined || stored.includes(storage)) return crd;
  return { ...crd, status: { ...status, storedVersions: [...stored, storage] } };
}

/** Definitions: a change adds its storage version to the stored ones, and a deletion first deletes the objects. */
export const definitionStrategy: Strategy = {
  deletionKeepsGeneration: true,
  prepareForUpdate(draft, _current, subresource) {
    if (subresource === undefined) draft.status = withStorageVersion(draft as Fields & Draft).status;
  },
  markDeleted({ clock }, draft) {
    const { metadata } = draft;
    delete metadata.deletionGracePeriodSeconds;
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(cleanupFinalizer)) metadata.finalizers = [...finalizers, cleanupFinalizer];
    const status = isFields(draft.status) ? draft.status : {};
    const conditions = Array.isArray(status.conditions) ? status.conditions : [];
    const terminating = {
      type: 'Terminating',
      status: 'True',
      lastTransitionTime: timestampOf(clock.now()),
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    };
    draft.status = { ...status, conditions: [...conditions, terminating] };
  },
};
