/** Validates VolumeAttachments. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isSubdomain } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import {
  fields,
  inRange,
  named,
  optional,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, invalid, required } from '../../apimachinery/validation/errors.ts';
import { asGo } from '../../resources/go-form.ts';
import { accessModeErrors } from '../core/volumes/claim-validation.ts';
import { csiDriverName, sourceErrors } from '../core/volumes/persistent-volume-sources.ts';

/** Size limit of a map of texts, in bytes. */
export const maxBytes = 256 * 1024;

/** Returns the error for a value of more than `most` bytes. */
export const tooLong = (field: string, most: number): FieldError => ({
  type: 'TooLong',
  field,
  detail: `may not be more than ${most} bytes`,
});

/** Returns the size of a map of texts, keys included, in bytes. */
export const bytesOf = (map: Fields): number =>
  Object.entries(map).reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)), 0);

const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
const inline = 'in the context of inline volumes';

/** Validates a volume that is specified inline. */
function* inlineErrors(spec: Fields, path: string): Generator<FieldError> {
  if (spec.claimRef !== undefined) yield forbidden(`${path}.claimRef`, `may not be specified ${inline}`);
  if (Object.keys(fieldsOf(spec.capacity)).length > 0) {
    yield forbidden(`${path}.capacity`, `may not be specified ${inline}`);
  }
  if (spec.csi === undefined) yield required(`${path}.csi`, `has to be specified ${inline}`);
  yield* accessModeErrors(spec, path, '');
  const { persistentVolumeReclaimPolicy: policy = 'Retain', volumeMode = 'Filesystem' } = spec;
  if (policy !== 'Retain') yield forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${inline}`);
  if (spec.nodeAffinity !== undefined) yield forbidden(`${path}.nodeAffinity`, `may not be specified ${inline}`);
  yield* sourceErrors(spec, path, '');
  if (spec.storageClassName) yield forbidden(`${path}.storageClassName`, `may not be specified ${inline}`);
  if (volumeMode !== 'Filesystem') {
    yield forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${inline}`);
  }
}

const attachmentSource: Rule = function* (value, path) {
  const { inlineVolumeSpec, persistentVolumeName: name } = fieldsOf(value);
  if (inlineVolumeSpec === undefined && name === undefined) yield required(path, exactlyOne);
  else if (inlineVolumeSpec !== undefined && name !== undefined) yield forbidden(path, exactlyOne);
  else if (name === '') yield required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName');
  else if (inlineVolumeSpec !== undefined) yield* inlineErrors(fieldsOf(inlineVolumeSpec), `${path}.inlineVolumeSpec`);
};

const attachmentRules = fields({ attacher: requiredValue(), source: attachmentSource, nodeName: named(isSubdomain) });

const maxMessageLength = 1024;

const volumeError: Rule = function* (value, path) {
  const { message, errorCode } = fieldsOf(value);
  if (Buffer.byteLength(String(message ?? '')) > maxMessageLength) yield tooLong(`${path}.message`, maxBytes);
  yield* inRange(0, Infinity, 'must be between 0 and 2147483647, inclusive')(errorCode, `${path}.errorCode`);
};

const attachmentStatus = fields({
  attachmentMetadata: (value, path) => (bytesOf(fieldsOf(value)) > maxBytes ? [tooLong(path, maxBytes)] : []),
  attachError: volumeError,
  detachError: volumeError,
});

function* attachmentErrors({ spec, status }: Fields): Generator<FieldError> {
  yield* attachmentRules(spec, 'spec');
  yield* attachmentStatus(status, 'status');
}

/** Validates VolumeAttachments; updates validate twice, and creation is stricter about the driver and the volume. */
export const volumeAttachment: Check = function* (object, old) {
  yield* attachmentErrors(object);
  if (old !== undefined) {
    yield* attachmentErrors(object);
    if (!equal(object.spec, old.spec))
      yield invalid('spec', asGo('storage.VolumeAttachmentSpec', object.spec), 'field is immutable');
    return;
  }
  const { attacher, source } = fieldsOf(object.spec);
  yield* csiDriverName(attacher, 'spec.attacher');
  const name = fieldsOf(source).persistentVolumeName;
  yield* optional(named(isSubdomain))(name, 'spec.source.persistentVolumeName');
};
