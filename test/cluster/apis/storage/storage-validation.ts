/** Validates the kinds of `storage.k8s.io` but VolumeAttachments. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isQualifiedName, isSubdomain } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import {
  all,
  each,
  fields,
  inRange,
  labelSelector,
  named,
  notNegative,
  oneOf,
  optional,
  optionalOrEmpty,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { memberAsSent } from '../../apimachinery/validation/empty-members.ts';
import {
  type Check,
  fieldsOf,
  forbidden,
  immutable,
  invalid,
  listOf,
  required,
} from '../../apimachinery/validation/errors.ts';
import { amountNotNegative } from '../../apimachinery/validation/quantity-rules.ts';
import { asGo } from '../../resources/go-form.ts';
import { csiDriverName } from '../core/volumes/persistent-volume-sources.ts';
import { bytesOf, maxBytes, tooLong } from './attachment-validation.ts';

const immutableDetail = 'field is immutable';

const provisioner: Rule = requiredValue('', (value, path) => named(isQualifiedName)(String(value).toLowerCase(), path));

const maxParameters = 512;
const parameters: Rule = function* (value, path) {
  const map = fieldsOf(value);
  if (Object.keys(map).length > maxParameters) {
    yield tooLong(path, maxParameters);
    return;
  }
  if ('' in map) yield invalid(path, '', 'field can not be empty.');
  if (bytesOf(map) > maxBytes) yield tooLong(path, maxBytes);
};

function* topologyErrors(term: Fields, path: string): Generator<FieldError> {
  const keys = new Set<unknown>();
  for (const [index, { key, values }] of listOf(term.matchLabelExpressions).entries()) {
    const at = `${path}.matchLabelExpressions[${index}]`;
    const list: readonly unknown[] = Array.isArray(values) ? values : [];
    if (list.length === 0) yield required(`${at}.values`);
    const seen = new Set<unknown>();
    for (const [place, value] of list.entries()) {
      if (seen.has(value)) yield { type: 'Duplicate', field: `${at}.values[${place}]`, value };
      seen.add(value);
    }
    yield* named(isQualifiedName)(key, `${at}.key`);
    if (keys.has(key)) yield { type: 'Duplicate', field: `${at}.key`, value: key };
    keys.add(key);
  }
}

/** Returns the meaning of a term: its keys with their values; later expressions replace earlier ones. */
const meaningOf = (term: Fields): Fields =>
  Object.fromEntries(
    listOf(term.matchLabelExpressions).map(({ key, values }) => [String(key), [...new Set(values as string[])].sort()]),
  );

const topologies: Rule = function* (value, path) {
  const seen: Fields[] = [];
  for (const [index, term] of listOf(value).entries()) {
    const at = `${path}[${index}]`;
    yield* topologyErrors(term, at);
    const meaning = meaningOf(term);
    for (const one of seen) {
      if (equal(one, meaning)) yield { type: 'Duplicate', field: `${at}.matchLabelExpressions`, value: '' };
    }
    // Empty terms equal the zero values that the server compares them with.
    if (Object.keys(meaning).length === 0) {
      for (const _place of listOf(value)) yield { type: 'Duplicate', field: `${at}.matchLabelExpressions`, value: '' };
    }
    seen.push(meaning);
  }
};

const classRules = fields({
  provisioner,
  parameters,
  reclaimPolicy: optionalOrEmpty(oneOf('Delete', 'Retain')),
  volumeBindingMode: oneOf('Immediate', 'WaitForFirstConsumer'),
  allowedTopologies: topologies,
});

function* fixedErrors(object: Fields, old: Fields, names: readonly string[]): Generator<FieldError> {
  for (const name of names) {
    if (!equal(object[name], old[name])) yield forbidden(name, `updates to ${name} are forbidden.`);
  }
}

/** Validates a StorageClass. */
export const storageClass: Check = function* (object, old) {
  yield* classRules(object, '');
  if (old === undefined) return;
  yield* fixedErrors(object, old, ['parameters', 'provisioner', 'reclaimPolicy']);
  yield* immutable('volumeBindingMode', object.volumeBindingMode, old.volumeBindingMode);
};

const attributesRules = fields({
  driverName: provisioner,
  parameters: all(parameters, (value, path) =>
    Object.keys(fieldsOf(value)).length === 0 ? [required(path, 'must contain at least one key/value pair')] : [],
  ),
});

/** Validates VolumeAttributesClasses; updates validate twice. */
export const volumeAttributesClass: Check = function* (object, old) {
  yield* attributesRules(object, '');
  if (old === undefined) return;
  yield* fixedErrors(object, old, ['driverName', 'parameters']);
  yield* attributesRules(object, '');
};

const shortest = 600;

const tokenRequests: Rule = function* (value, path) {
  const audiences = new Set<unknown>();
  for (const [index, { audience = '', expirationSeconds }] of listOf(value).entries()) {
    const at = `${path}[${index}]`;
    if (audiences.has(audience)) {
      yield { type: 'Duplicate', field: `${at}.audience`, value: audience };
      continue;
    }
    audiences.add(audience);
    const seconds = `${at}.expirationSeconds`;
    yield* inRange(shortest, Infinity, 'may not specify a duration less than 10 minutes')(expirationSeconds, seconds);
    const longest = 'may not specify a duration larger than 2^32 seconds';
    yield* inRange(-Infinity, 2 ** 32, longest)(expirationSeconds, seconds);
  }
};

const driverRules = fields({
  fsGroupPolicy: oneOf('File', 'None', 'ReadWriteOnceWithFSType'),
  tokenRequests,
  volumeLifecycleModes: each((value, path) => oneOf('Persistent', 'Ephemeral')(value, path.replace(/\[\d+\]$/, ''))),
  nodeAllocatableUpdatePeriodSeconds: inRange(10, Infinity, 'must be greater than or equal to 10 seconds'),
});

/** Validates a CSIDriver. */
export const csiDriver: Check = function* (object, old) {
  const spec = fieldsOf(object.spec);
  yield* driverRules(spec, 'spec');
  if (old === undefined) return;
  const before = fieldsOf(old.spec);
  yield* immutable('spec.attachedRequired', spec.attachRequired, before.attachRequired);
  yield* immutable('spec.volumeLifecycleModes', spec.volumeLifecycleModes, before.volumeLifecycleModes);
};

const maxNodeIdLength = 256;

const nodeId: Rule = requiredValue('', function* (value, path) {
  if (Buffer.byteLength(String(value)) > maxNodeIdLength) {
    yield invalid(path, value, `must be ${maxNodeIdLength} characters or less`);
  }
});

function* topologyKeyErrors(keys: unknown, path: string): Generator<FieldError> {
  const seen = new Set<unknown>();
  for (const key of Array.isArray(keys) ? keys : []) {
    if (key === '') yield required(path);
    if (seen.has(key)) yield { type: 'Duplicate', field: path, value: key };
    seen.add(key);
    yield* named(isQualifiedName)(key, path);
  }
}

const nodeDrivers: Rule = function* (value, path) {
  const names = new Set<unknown>();
  for (const [index, driver] of listOf(value).entries()) {
    const at = `${path}[${index}]`;
    const { name = '', nodeID, allocatable, topologyKeys } = driver;
    yield* csiDriverName(name, `${at}.name`);
    yield* nodeId(nodeID, `${at}.nodeID`);
    yield* notNegative(fieldsOf(allocatable).count, `${at}.allocatable.count`);
    if (names.has(name)) yield { type: 'Duplicate', field: `${at}.name`, value: name };
    names.add(name);
    yield* topologyKeyErrors(topologyKeys, at);
  }
};

/** Validates CSINodes; updates validate twice. */
export const csiNode: Check = function* ({ spec }, old) {
  const { drivers } = fieldsOf(spec);
  yield* nodeDrivers(drivers, 'spec.drivers');
  if (old === undefined) return;
  yield* nodeDrivers(drivers, 'spec.drivers');
  for (const before of listOf(fieldsOf(old.spec).drivers)) {
    for (const now of listOf(drivers).filter(({ name }) => name === before.name)) {
      if (!equal(now, before)) yield invalid('spec.drivers', asGo('storage.CSINodeDriver', now), immutableDetail);
    }
  }
};

/** Validates a CSIStorageCapacity. */
export const csiStorageCapacity: Check = function* (object, old) {
  yield* optional(labelSelector)(object.nodeTopology, 'nodeTopology');
  yield* named(isSubdomain)(object.storageClassName, 'storageClassName');
  yield* optional(amountNotNegative)(object.capacity, 'capacity');
  if (old === undefined) return;
  yield* immutable('nodeTopology', memberAsSent(object, 'nodeTopology'), old.nodeTopology);
  yield* immutable('storageClassName', object.storageClassName, old.storageClassName);
};
