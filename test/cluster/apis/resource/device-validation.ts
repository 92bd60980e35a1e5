/** Validates device classes, claims and slices (DRA). */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { annotationErrors } from '../../apimachinery/metadata-validation.ts';
import { isSubdomain } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import {
  all,
  each,
  fields,
  labels,
  named,
  oneOf,
  optional,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { memberAsSent } from '../../apimachinery/validation/empty-members.ts';
import { type Check, fieldsOf, immutable, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { nodeSelector } from '../../apimachinery/validation/node-selector.ts';
import { asGo } from '../../resources/go-form.ts';
import {
  atMost,
  attribute,
  byName,
  className,
  deviceConfiguration,
  distinct,
  driverName,
  fullName,
  labelName,
  poolName,
  requestName,
  requestNames,
  sized,
  toleration,
} from './device-validation-rules.ts';

const immutableDetail = 'field is immutable';
const max = 32;
const maxAlternatives = 8;
const maxDevices = 128;
const maxExpressionLength = 10 * 1024;

/** Rule of device selectors; expressions are checked when they are compiled. */
const selector: Rule = fields({
  cel: requiredValue('', fields({ expression: optional(atMost(maxExpressionLength)) })),
});

const modes = ['All', 'ExactCount'];

const allocation: Rule = function* (value, path) {
  const { allocationMode = '', count = 0 } = fieldsOf(value);
  if (allocationMode === 'All' && count !== 0) {
    yield invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'");
  } else if (allocationMode === 'ExactCount' && Number(count) <= 0) {
    yield invalid(`${path}.count`, count, 'must be greater than zero');
  }
  yield* oneOf(...modes)(allocationMode, `${path}.allocationMode`);
};

const exactly: Rule = all(
  fields({ deviceClassName: className, selectors: sized(max, selector) }),
  allocation,
  fields({ tolerations: each(toleration) }),
);

const request: Rule = function* (value, path) {
  const { name, firstAvailable, exactly: one } = fieldsOf(value);
  yield* labelName(name, `${path}.name`);
  const alternatives = listOf(firstAvailable).length > 0;
  const alternative = all(fields({ name: labelName }), exactly);
  if (alternatives) yield* distinct(maxAlternatives, alternative, 'name')(firstAvailable, `${path}.firstAvailable`);
  const isExact = one !== undefined && one !== null;
  if (isExact) yield* exactly(one, `${path}.exactly`);
  const text = 'exactly one of `exactly` or `firstAvailable` is required';
  if (!alternatives && !isExact) yield required(path, text);
  if (alternatives && isExact) yield invalid(path, null, `${text}, but multiple fields are set`);
};

const constraint = (known: ReadonlySet<string>): Rule =>
  function* (value, path) {
    const { requests, matchAttribute, distinctAttribute } = fieldsOf(value);
    yield* distinct(max, requestName(known))(requests, `${path}.requests`);
    if (matchAttribute !== undefined) yield* fullName(matchAttribute, `${path}.matchAttribute`);
    else if (distinctAttribute !== undefined) yield* fullName(distinctAttribute, `${path}.distinctAttribute`);
    else yield required(`${path}.matchAttribute`);
  };

/** Returns the rule of configuration for some of the known requests. */
export const configured = (known: ReadonlySet<string>, isStored: boolean): Rule =>
  all(fields({ requests: distinct(max, requestName(known)) }), deviceConfiguration(isStored));

function* claimSpec(spec: unknown, path: string, isStored: boolean): Generator<FieldError> {
  const claim = fieldsOf(fieldsOf(spec).devices);
  const known = requestNames(claim);
  const at = `${path}.devices`;
  yield* distinct(max, request, 'name')(claim.requests, `${at}.requests`);
  yield* sized(max, constraint(known))(claim.constraints, `${at}.constraints`);
  yield* sized(max, configured(known, isStored))(claim.config, `${at}.config`);
}

/** Validates a ResourceClaim. */
export const resourceClaim: Check = function* ({ spec }, old) {
  yield* claimSpec(spec, 'spec', false);
  if (old === undefined) return;
  if (!equal(spec, old.spec)) yield invalid('spec', asGo('resource.ResourceClaimSpec', spec), immutableDetail);
  yield* claimSpec(spec, 'spec', true);
};

function* templateMetadata(metadata: unknown): Generator<FieldError> {
  const own = fieldsOf(metadata);
  yield* labels(own.labels, 'spec.metadata.labels');
  yield* annotationErrors(own.annotations, 'spec.metadata.annotations');
}

/** Validates a ResourceClaimTemplate. */
export const resourceClaimTemplate: Check = function* ({ spec }, old) {
  const own = fieldsOf(spec);
  yield* templateMetadata(own.metadata);
  yield* claimSpec(own.spec, 'spec.spec', false);
  if (old === undefined) return;
  if (!equal(spec, old.spec)) yield invalid('spec', asGo('resource.ResourceClaimTemplateSpec', spec), immutableDetail);
  yield* templateMetadata(own.metadata);
  yield* claimSpec(own.spec, 'spec.spec', true);
};

const classSpec = (isStored: boolean): Rule =>
  fields({ selectors: sized(max, selector), config: sized(max, deviceConfiguration(isStored)) });

/** Validates device classes; updates validate twice. */
export const deviceClass: Check = function* ({ spec }, old) {
  yield* classSpec(false)(spec, 'spec');
  if (old !== undefined) yield* classSpec(equal(fieldsOf(spec).config, fieldsOf(old.spec).config))(spec, 'spec');
};

const pool: Rule = function* (value, path) {
  const { name, resourceSliceCount = 0, generation = 0 } = fieldsOf(value);
  yield* poolName(name, `${path}.name`);
  if (Number(resourceSliceCount) <= 0) {
    yield invalid(`${path}.resourceSliceCount`, resourceSliceCount, 'must be greater than zero');
  }
  if (Number(generation) < 0) yield invalid(`${path}.generation`, generation, 'must be greater than or equal to zero');
};

const shownAttribute = (value: Fields): unknown => asGo('resource.DeviceAttribute', value);

const device: Rule = function* (value, path) {
  const { name, attributes, capacity } = fieldsOf(value);
  yield* labelName(name, `${path}.name`);
  const count = Object.keys(fieldsOf(attributes)).length + Object.keys(fieldsOf(capacity)).length;
  if (count > max) yield invalid(path, count, `the total number of attributes and capacities must not exceed ${max}`);
  yield* byName(attribute(shownAttribute))(attributes, `${path}.attributes`);
  yield* byName(() => [])(capacity, `${path}.capacity`);
};

const choices = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

function* nodeNameErrors(nodeName: unknown, path: string): Generator<FieldError> {
  if (nodeName === '') yield invalid(path, '', 'must be either unset or set to a non-empty string');
  else yield* named(isSubdomain)(nodeName, path);
}

function* nodeSelectorErrors(selecting: unknown, path: string): Generator<FieldError> {
  yield* nodeSelector(selecting, path);
  const terms = memberAsSent(fieldsOf(selecting), 'nodeSelectorTerms');
  if (listOf(terms).length === 1) return;
  const isEmpty = Array.isArray(terms) && terms.length === 0;
  const shown = terms === undefined ? null : isEmpty ? [] : asGo('[core.NodeSelectorTerm]', terms);
  yield invalid(`${path}.nodeSelectorTerms`, shown, 'must have exactly one node selector term');
}

/** Returns the forms of node assignment that are set. */
function nodeChoices({ nodeName, nodeSelector: selecting, allNodes }: Fields): readonly string[] {
  return [
    ...(nodeName === undefined || nodeName === '' ? [] : ['`nodeName`']),
    ...(selecting === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
  ];
}

/** Validates the node assignment of a slice: exactly one of its forms must be set. */
function* nodesOf(spec: Fields, path: string): Generator<FieldError> {
  const { nodeName, nodeSelector: selecting, allNodes } = spec;
  if (nodeName !== undefined) yield* nodeNameErrors(nodeName, `${path}.nodeName`);
  if (selecting !== undefined) yield* nodeSelectorErrors(selecting, `${path}.nodeSelector`);
  if (allNodes !== undefined && allNodes !== true)
    yield invalid(`${path}.allNodes`, allNodes, 'must be either unset or set to true');
  const chosen = nodeChoices(spec);
  if (chosen.length === 0) yield required(path, choices);
  if (chosen.length > 1) yield invalid(path, `{${chosen.join(', ')}}`, `${choices}, but multiple fields are set`);
}

/** Validates a ResourceSlice. */
export const resourceSlice: Check = function* (object, old) {
  const spec = fieldsOf(object.spec);
  yield* driverName(spec.driver, 'spec.driver');
  yield* pool(spec.pool, 'spec.pool');
  if (old !== undefined) {
    const before = fieldsOf(old.spec);
    yield* immutable('spec.pool.name', fieldsOf(spec.pool).name ?? '', fieldsOf(before.pool).name);
    yield* immutable('spec.driver', spec.driver ?? '', before.driver);
    yield* immutable('spec.nodeName', spec.nodeName, before.nodeName);
  }
  yield* nodesOf(spec, 'spec');
  yield* distinct(maxDevices, device, 'name')(spec.devices, 'spec.devices');
};
