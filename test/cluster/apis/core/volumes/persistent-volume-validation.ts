/** Validation of PersistentVolumes. */

import { posix } from 'node:path';
import { type FieldError, notSupported } from '../../../apimachinery/field-error.ts';
import { isSubdomain } from '../../../apimachinery/name-validation.ts';
import { equal, type Fields, isFields, ownMember } from '../../../apimachinery/object.ts';
import { named, oneOf, optional, optionalOrEmpty, type Rule } from '../../../apimachinery/validation/combinators.ts';
import { memberAsSent } from '../../../apimachinery/validation/empty-members.ts';
import {
  type Check,
  fieldsOf,
  forbidden,
  immutable,
  invalid,
  listOf,
  required,
} from '../../../apimachinery/validation/errors.ts';
import { nodeSelector } from '../../../apimachinery/validation/node-selector.ts';
import { basicAmount, positiveAmount } from '../../../apimachinery/validation/quantity-rules.ts';
import { asGo, type ComparingError } from '../../../resources/go-form.ts';
import { accessModeErrors, volumeModes } from './claim-validation.ts';
import { isSameSource, sourceErrors, sourceOf } from './persistent-volume-sources.ts';

const capacity: Rule = function* (value, path) {
  const amounts = fieldsOf(value);
  const names = Object.keys(amounts);
  if (names.length === 0) yield required(path);
  if (names.length !== 1 || names[0] !== 'storage') yield notSupported(path, value ?? null, ['storage']);
  for (const name of names) {
    yield* basicAmount(amounts[name], `${path}[${name}]`);
    yield* positiveAmount(amounts[name], `${path}[${name}]`);
  }
};

const reclaimPolicy = optionalOrEmpty(oneOf('Delete', 'Recycle', 'Retain'));

const nodeAffinity: Rule = function* (value, path) {
  const { required: selector } = fieldsOf(value);
  if (selector === undefined) yield required(`${path}.required`, 'must specify required node constraints');
  else yield* nodeSelector(selector, `${path}.required`);
};

function* classErrors(spec: Fields, path: string): Generator<FieldError> {
  const { volumeAttributesClassName: name, csi } = spec;
  if (name === undefined) return;
  const at = `${path}.volumeAttributesClassName`;
  if (name === '') yield required(at, 'an empty string is disallowed');
  else yield* named(isSubdomain)(name, at);
  if (csi === undefined) yield required(`${path}.csi`, 'has to be specified when using volumeAttributesClassName');
}

/** Validates the spec of a volume; `name` is the volume's. */
function* specErrors(spec: Fields, name: string): Generator<FieldError> {
  yield* accessModeErrors(spec, 'spec', '');
  yield* capacity(memberAsSent(spec, 'capacity'), 'spec.capacity');
  yield* reclaimPolicy(spec.persistentVolumeReclaimPolicy, 'spec.persistentVolumeReclaimPolicy');
  yield* optional(nodeAffinity)(spec.nodeAffinity, 'spec.nodeAffinity');
  yield* sourceErrors(spec, 'spec', name);
  const { path } = fieldsOf(spec.hostPath);
  const isRoot = spec.hostPath !== undefined && posix.normalize(String(path ?? '')) === '/';
  if (isRoot && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    yield forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'");
  }
  yield* optionalOrEmpty(named(isSubdomain))(spec.storageClassName, 'spec.storageClassName');
  yield* volumeModes(spec.volumeMode, 'spec.volumeMode');
  yield* classErrors(spec, 'spec');
}

const mountOptions = 'volume.beta.kubernetes.io/mount-options';

/** Sources that support the mount options annotation. */
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
  'cinder',
  'csi',
];

function* annotationErrors({ metadata, spec }: Fields): Generator<FieldError> {
  const isMountable = mountable.some((source) => fieldsOf(spec)[source] !== undefined);
  if (!isMountable && fieldsOf(fieldsOf(metadata).annotations)[mountOptions] !== undefined) {
    yield forbidden(`metadata.annotations.${mountOptions}`, 'may not specify mount options for this volume type');
  }
}

/** Renamed node labels. */
const renamedLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

const termsOf = (affinity: unknown): readonly Fields[] =>
  listOf(fieldsOf(fieldsOf(affinity).required).nodeSelectorTerms);

/** Returns an expression with its former key, if the key has only been renamed. */
const asBefore = (now: Fields, { key }: Fields): Fields =>
  now.key === (ownMember(renamedLabels, key) ?? '') ? { ...now, key } : now;

/** Reports whether an affinity is unchanged except for renamed labels. */
function isSameAffinity(now: unknown, before: unknown): boolean {
  const old = termsOf(before);
  const terms = termsOf(now).map((term, index) => {
    const expressions = listOf(old[index]?.matchExpressions);
    const matchExpressions = listOf(term.matchExpressions).map((one, at) => asBefore(one, expressions[at] ?? one));
    return matchExpressions.length === 0 ? term : { ...term, matchExpressions };
  });
  return equal(terms, old) && isFields(now);
}

function* updateErrors(spec: Fields, before: Fields): Generator<ComparingError> {
  if (!isSameSource(spec, before)) {
    const detail = 'spec.persistentvolumesource is immutable after creation';
    const compared = { type: 'core.PersistentVolumeSource', before: sourceOf(before), after: sourceOf(spec) };
    yield { ...forbidden('spec.persistentvolumesource', detail), compared };
  }
  yield* immutable('volumeMode', spec.volumeMode, before.volumeMode);
  if (before.nodeAffinity !== undefined && !isSameAffinity(spec.nodeAffinity, before.nodeAffinity)) {
    const detail = 'field is immutable, except for updating from beta label to GA';
    yield invalid('nodeAffinity', asGo('core.VolumeNodeAffinity', spec.nodeAffinity), detail);
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    yield forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden');
  }
}

/** Validates PersistentVolumes; updates validate twice. */
export const persistentVolume: Check = function* (object, old) {
  const spec = fieldsOf(object.spec);
  const name = String(fieldsOf(object.metadata).name ?? '');
  yield* specErrors(spec, name);
  yield* annotationErrors(object);
  if (old === undefined) return;
  yield* specErrors(spec, name);
  yield* updateErrors(spec, fieldsOf(old.spec));
};
