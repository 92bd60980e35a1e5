/** Rules of the kinds of `storage.k8s.io`. */

import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { withoutFields } from '../../resources/defaulting.ts';
import type { BuiltinKind, Warn } from '../builtin-kind.ts';
import { deprecationOf, expressionWarnings } from '../core/deprecated-node-labels.ts';
import { volumeAttachment } from './attachment-validation.ts';
import { csiDriver, csiNode, csiStorageCapacity, storageClass, volumeAttributesClass } from './storage-validation.ts';

const classWarnings: Warn = function* ({ allowedTopologies }) {
  for (const [index, { matchLabelExpressions }] of listOf(allowedTopologies).entries()) {
    for (const [place, { key }] of listOf(matchLabelExpressions).entries()) {
      const old = deprecationOf(key);
      if (old !== undefined) yield `allowedTopologies[${index}].matchLabelExpressions[${place}].key: ${old}`;
    }
  }
};

const capacityWarnings: Warn = function* ({ nodeTopology }) {
  const { matchExpressions, matchLabels } = fieldsOf(nodeTopology);
  yield* expressionWarnings(matchExpressions, 'nodeTopology.matchExpressions');
  for (const label of Object.keys(fieldsOf(matchLabels))) {
    const old = deprecationOf(label);
    if (old !== undefined) yield `nodeTopology.matchLabels.${label}: ${old}`;
  }
};

/** Rules of the kinds of the group, by type. */
export const storageKinds: Readonly<Record<string, BuiltinKind>> = {
  'storage.CSIDriver': {
    values: {
      'storage.CSIDriverSpec': {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        requiresRepublish: false,
        seLinuxMount: false,
      },
    },
    check: csiDriver,
  },
  'storage.CSINode': { check: csiNode },
  'storage.CSIStorageCapacity': { check: csiStorageCapacity, warn: capacityWarnings },
  'storage.StorageClass': {
    values: { 'storage.StorageClass': { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' } },
    check: storageClass,
    warn: classWarnings,
  },
  'storage.VolumeAttachment': {
    defaults: { 'storage.VolumeError': withoutFields('errorCode') },
    check: volumeAttachment,
  },
  'storage.VolumeAttributesClass': { check: volumeAttributesClass },
};
