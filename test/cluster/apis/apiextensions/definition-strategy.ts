/** Deletion of CustomResourceDefinitions. */

import { timestampOf } from '../../apimachinery/metadata-values.ts';
import { isFields } from '../../apimachinery/object.ts';
import type { Strategy } from '../../server/strategy.ts';

/** Finalizer of a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Definitions: a deletion first deletes the objects. */
export const definitionStrategy: Strategy = {
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
