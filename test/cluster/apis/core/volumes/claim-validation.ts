/** Validates PersistentVolumeClaims. */

import { type FieldError, notSupported } from '../../../apimachinery/field-error.ts';
import { isLabel, isQualifiedName, isSubdomain } from '../../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../../apimachinery/object.ts';
import {
  labelSelector,
  named,
  oneOf,
  optional,
  optionalOrEmpty,
  type Rule,
  requiredValue,
} from '../../../apimachinery/validation/combinators.ts';
import {
  type Check,
  fieldsOf,
  forbidden,
  immutable,
  invalid,
  required,
} from '../../../apimachinery/validation/errors.ts';
import {
  amountNotNegative,
  basicAmount,
  nanoOf,
  positiveAmount,
} from '../../../apimachinery/validation/quantity-rules.ts';
import type { ComparingError } from '../../../resources/go-form.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const modesOf = ({ accessModes: modes }: Fields): readonly string[] => (Array.isArray(modes) ? modes : []);

function* unknownModes(modes: readonly string[], path: string): Generator<FieldError> {
  for (const mode of modes) if (!accessModes.includes(mode)) yield notSupported(path, mode, accessModes);
  const known = modes.filter((mode) => accessModes.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod')) {
    yield forbidden(path, 'may not use ReadWriteOncePod with other access modes');
  }
}

/** Validates the access modes of a volume; `detail` is the message when there are none. */
export function* accessModeErrors(spec: Fields, path: string, detail: string): Generator<FieldError> {
  const modes = modesOf(spec);
  if (modes.length === 0) yield required(`${path}.accessModes`, detail);
  yield* unknownModes(modes, `${path}.accessModes`);
}

/** Rule of volume modes. */
export const volumeModes = optional(oneOf('Block', 'Filesystem'));

const source = (now: Fields, old: Fields): Rule =>
  function* (value, path) {
    const { name, kind, apiGroup, namespace } = fieldsOf(value);
    yield* requiredValue()(name, `${path}.name`);
    yield* requiredValue()(kind, `${path}.kind`);
    if (!apiGroup && kind !== 'PersistentVolumeClaim') {
      yield invalid(path, kind ?? '', "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    const isOld = [old.dataSource, old.dataSourceRef].some((one) => typeof fieldsOf(one).apiGroup === 'string');
    if (apiGroup && !isOld) yield* named(isSubdomain)(apiGroup, `${path}.apiGroup`);
    if (value === now.dataSourceRef) yield* optionalOrEmpty(named(isLabel))(namespace, `${path}.namespace`);
  };

function* sourceErrors(spec: Fields, path: string, old: Fields): Generator<FieldError> {
  const { dataSource, dataSourceRef } = spec;
  const rule = optional(source(spec, old));
  yield* rule(dataSource, `${path}.dataSource`);
  yield* rule(dataSourceRef, `${path}.dataSourceRef`);
  if (dataSource === undefined || dataSourceRef === undefined) return;
  const { namespace, ...reference } = fieldsOf(dataSourceRef);
  // The server reports an empty path and value here.
  if (namespace) yield invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified');
  else if (!equal(reference, dataSource)) yield invalid(path, {}, 'must match dataSourceRef');
}

/** Returns the rule of a claim's spec that replaces `old`. */
const claimRules = (old: Fields): Rule =>
  function* (value, path) {
    const spec = fieldsOf(value);
    const modes = modesOf(spec);
    if (modes.length === 0) yield required(`${path}.accessModes`, 'at least 1 access mode is required');
    yield* optional(labelSelector)(spec.selector, `${path}.selector`);
    yield* unknownModes(modes, `${path}.accessModes`);
    const { storage } = fieldsOf(fieldsOf(spec.resources).requests);
    if (storage === undefined) yield required(`${path}.resources[storage]`);
    else yield* positiveAmount(storage, `${path}.resources[storage]`);
    yield* optionalOrEmpty(named(isSubdomain))(spec.storageClassName, `${path}.storageClassName`);
    yield* volumeModes(spec.volumeMode, `${path}.volumeMode`);
    yield* sourceErrors(spec, path, old);
    yield* optionalOrEmpty(named(isSubdomain))(spec.volumeAttributesClassName, `${path}.volumeAttributesClassName`);
  };

/** Rule of a new claim's spec, also in templates. */
export const claimErrors: Rule = claimRules({});

const betaClass = 'volume.beta.kubernetes.io/storage-class';
const immutableDetail =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

const annotatedClass = ({ metadata }: Fields): unknown => fieldsOf(fieldsOf(metadata).annotations)[betaClass];

/**
 * Returns the former storage class, as far as it may change: an annotation may move to the field, and an unset class
 * may become the default.
 */
function formerClass(object: Fields, old: Fields): unknown {
  const [now, before] = [fieldsOf(object.spec).storageClassName, fieldsOf(old.spec).storageClassName];
  const [note, noted] = [annotatedClass(object), annotatedClass(old)];
  if (before !== undefined || now === undefined) return before;
  if (noted === undefined) return now;
  return now === noted && (note === undefined || note === noted) ? now : before;
}

/** Returns the immutable part of a spec: once bound, all but the requested size and the attributes class. */
function fixedPart(spec: Fields, isBound: boolean, size: unknown): Fields {
  if (!isBound) return spec;
  const { volumeAttributesClassName: _class, ...rest } = spec;
  const resources = fieldsOf(spec.resources);
  if (resources.requests === undefined) return rest;
  return { ...rest, resources: { ...resources, requests: { ...fieldsOf(resources.requests), storage: size } } };
}

function* sizeErrors(object: Fields, size: unknown): Generator<FieldError> {
  const { storage } = fieldsOf(fieldsOf(fieldsOf(object.spec).resources).requests);
  const { capacity } = fieldsOf(object.status);
  if (nanoOf(storage) < nanoOf(size) && nanoOf(storage) <= nanoOf(fieldsOf(capacity).storage)) {
    yield forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity');
  }
}

function* attributesErrors(object: Fields, old: Fields): Generator<FieldError> {
  const name = fieldsOf(object.spec).volumeAttributesClassName;
  const isApplied = fieldsOf(old.status).currentVolumeAttributesClassName !== undefined;
  if (!isApplied || name === fieldsOf(old.spec).volumeAttributesClassName || (name !== undefined && name !== ''))
    return;
  const to = name === undefined ? 'nil' : 'empty string';
  const detail = `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  yield forbidden('spec.volumeAttributesClassName', detail);
}

function* updateErrors(object: Fields, old: Fields): Generator<ComparingError> {
  const [spec, before] = [fieldsOf(object.spec), fieldsOf(old.spec)];
  const isBound = fieldsOf(object.status).phase === 'Bound';
  const size = fieldsOf(fieldsOf(before.resources).requests).storage;
  const expected = {
    ...before,
    volumeName: before.volumeName ?? spec.volumeName,
    storageClassName: formerClass(object, old),
  };
  const [noted, note] = [annotatedClass(old), annotatedClass(object)];
  const moves = noted !== undefined && before.storageClassName === undefined && spec.storageClassName === noted;
  if (note !== noted && !(moves && note === undefined)) {
    yield invalid(`metadata.annotations.${betaClass}`, note ?? '', 'field is immutable');
  }
  const [after, former] = [fixedPart(spec, isBound, size), fixedPart(expected, isBound, size)];
  if (!equal(after, former)) {
    yield {
      ...forbidden('spec', immutableDetail),
      compared: { type: 'core.PersistentVolumeClaimSpec', before: former, after },
    };
  }
  yield* sizeErrors(object, size);
  yield* immutable('volumeMode', spec.volumeMode, before.volumeMode);
  yield* attributesErrors(object, old);
}

/** Validates PersistentVolumeClaims; updates validate the spec twice. */
export const persistentVolumeClaim: Check = function* (object, old) {
  const rules = claimRules(fieldsOf(old?.spec));
  yield* rules(object.spec, 'spec');
  if (old === undefined) return;
  yield* rules(object.spec, 'spec');
  yield* updateErrors(object, old);
};

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

const resourceKey: Rule = function* (value, path) {
  const key = String(value);
  const problems = [...named(isQualifiedName)(key, path)];
  yield* problems;
  const isNative = !key.includes('/') || key.includes('kubernetes.io/');
  if (problems.length === 0 && isNative && key !== 'storage') yield notSupported(path, key, ['storage']);
};

/** Validates the status of a claim: its sizes and the progress of resizing. */
export const claimStatus: Check = function* ({ status }) {
  const { capacity, allocatedResourceStatuses, allocatedResources } = fieldsOf(status);
  for (const [name, amount] of Object.entries(fieldsOf(capacity))) {
    yield* basicAmount(amount, `status.capacity[${name}]`);
  }
  const states = 'status.allocatedResourceStatuses';
  for (const [name, state] of Object.entries(fieldsOf(allocatedResourceStatuses))) {
    yield* resourceKey(name, states);
    if (!resizeStates.includes(String(state))) yield notSupported(states, name, resizeStates);
  }
  for (const [name, amount] of Object.entries(fieldsOf(allocatedResources))) {
    const path = 'status.allocatedResources';
    const problems = [...resourceKey(name, path)];
    if (problems.length > 0) yield* problems;
    else {
      const negative = [...basicAmount(amount, `${path}[${name}]`)];
      yield* negative.length > 0 ? negative : amountNotNegative(amount, `${path}[${name}]`);
    }
  }
};
