/** Warnings of PersistentVolumes and PersistentVolumeClaims. */

import { fieldsOf, listOf } from '../../../apimachinery/validation/errors.ts';
import { nanoOf } from '../../../apimachinery/validation/quantity-rules.ts';
import type { Warn } from '../../builtin-kind.ts';
import { annotationsOf } from '../../warning-fields.ts';
import { expressionWarnings } from '../deprecated-node-labels.ts';

const betaClass = 'volume.beta.kubernetes.io/storage-class';
const betaOptions = 'volume.beta.kubernetes.io/mount-options';
const useClass = 'deprecated since v1.8; use "storageClassName" attribute instead';
const billion = 10n ** 9n;

/** Warns of a PersistentVolumeClaim. */
export const claimWarnings: Warn = function* (object) {
  if (betaClass in annotationsOf(object)) yield `metadata.annotations[${betaClass}]: ${useClass}`;
  const resources = fieldsOf(fieldsOf(object.spec).resources);
  for (const list of ['requests', 'limits']) {
    const { storage } = fieldsOf(resources[list]);
    if (storage === undefined || nanoOf(storage) % billion === 0n) continue;
    yield `spec.resources.${list}[storage]: fractional byte value "${storage}" is invalid, must be an integer`;
  }
};

/** Volume sources that have no implementation any more. */
const oldSources: Readonly<Record<string, string>> = {
  cephfs: 'spec.cephfs: deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'spec.scaleIO: deprecated in v1.16, non-functional in v1.22+',
  storageos: 'spec.storageOS: deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+',
  rbd: 'spec.rbd: deprecated in v1.28, non-functional in v1.31+',
};

/** Warns of a PersistentVolume. */
export const volumeWarnings: Warn = function* (object) {
  const [spec, notes] = [fieldsOf(object.spec), annotationsOf(object)];
  if (betaClass in notes) yield `metadata.annotations[${betaClass}]: ${useClass}`;
  if (betaOptions in notes) {
    yield `metadata.annotations[${betaOptions}]: deprecated since v1.31; use "mountOptions" attribute instead`;
  }
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    yield 'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  }
  const terms = listOf(fieldsOf(fieldsOf(spec.nodeAffinity).required).nodeSelectorTerms);
  for (const [index, { matchExpressions }] of terms.entries()) {
    const path = `spec.nodeAffinity.required.nodeSelectorTerms[${index}].matchExpressions`;
    yield* expressionWarnings(matchExpressions, path);
  }
  for (const [source, text] of Object.entries(oldSources)) if (spec[source] !== undefined) yield text;
};
