/** Validates Nodes. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isLabel, isQualifiedName, isSubdomain } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { addressRange, isIpv6Range } from '../../apimachinery/validation/address-rules.ts';
import {
  each,
  fields,
  labelValueProblems,
  named,
  oneOf,
  optional,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { integerResources, isExtended } from '../../apimachinery/validation/compute-resource-names.ts';
import { type Check, fieldsOf, forbidden, invalid, listOf } from '../../apimachinery/validation/errors.ts';
import { amountNotNegative, wholeAmount } from '../../apimachinery/validation/quantity-rules.ts';
import { asGo } from '../../resources/go-form.ts';
import { configKeyProblems } from './config-map-and-secret-validation.ts';

const effect = requiredValue('', oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'));

/** Validates taints; each pair of key and effect must be unique. */
function* taintErrors(taints: unknown, path: string): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, taint] of listOf(taints).entries()) {
    const at = `${path}[${index}]`;
    yield* named(isQualifiedName)(taint.key, `${at}.key`);
    const problems = labelValueProblems(String(taint.value ?? ''));
    if (problems.length > 0) yield invalid(`${at}.value`, taint.value, problems.join(';'));
    yield* effect(taint.effect, `${at}.effect`);
    const id = `${taint.effect} ${taint.key}`;
    if (seen.has(id)) {
      const detail = 'taints must be unique by key and effect pair';
      yield { type: 'Duplicate', field: at, value: asGo('core.Taint', taint), detail };
    }
    seen.add(id);
  }
}

function* amountErrors(amounts: unknown, path: string): Generator<FieldError> {
  for (const [name, amount] of Object.entries(fieldsOf(amounts))) {
    yield* amountNotNegative(amount, `${path}.${name}`);
    if (integerResources.has(name) || isExtended(name)) yield* wholeAmount(amount, `${path}.${name}`);
  }
}

function* resourceErrors({ status }: Fields): Generator<FieldError> {
  const { capacity, allocatable } = fieldsOf(status);
  yield* amountErrors(capacity, 'status.capacity');
  yield* amountErrors(allocatable, 'status.allocatable');
}

const rangesOf = ({ podCIDR, podCIDRs }: Fields): readonly string[] =>
  Array.isArray(podCIDRs) ? (podCIDRs as string[]) : podCIDR ? [String(podCIDR)] : [];

function* rangeErrors(spec: Fields): Generator<FieldError> {
  const ranges = rangesOf(spec);
  yield* each(addressRange)(ranges, 'spec.podCIDRs');
  if (ranges.length < 2) return;
  const wrong = ranges.findIndex((range) => [...addressRange(range, '')].length > 0);
  if (wrong >= 0) {
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${ranges[wrong]})`;
    const detail = `invalid PodCIDRs. failed to check with dual stack with error:${why}`;
    yield { type: 'Internal', field: 'spec.podCIDRs', detail };
  }
  const [first, second] = ranges.map(isIpv6Range);
  if (wrong >= 0 || first === second || ranges.length > 2) {
    yield invalid('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family');
  }
}

const onlyOne = 'exactly one reference subfield must be non-nil';

/** Returns the rule of a kubelet's ConfigMap; `isFound` is set for one in the status, which is resolved. */
const configSource = (isFound: boolean): Rule =>
  function* (value, path) {
    const { configMap } = fieldsOf(value);
    if (configMap !== undefined) yield* configMapRules(isFound)(configMap, `${path}.configMap`);
    else yield invalid(path, asGo('core.NodeConfigSource', value), onlyOne);
  };

const absent =
  (detail: string): Rule =>
  (value, path) =>
    value ? [forbidden(path, detail)] : [];

const configMapRules = (isFound: boolean): Rule =>
  fields({
    uid: isFound ? requiredValue() : absent('uid must not be set in spec'),
    resourceVersion: isFound ? requiredValue() : absent('resourceVersion must not be set in spec'),
    namespace: requiredValue('', named(isLabel)),
    name: requiredValue('', named(isSubdomain)),
    kubeletConfigKey: requiredValue('', named(configKeyProblems)),
  });

const configOf = ({ status }: Fields): unknown => fieldsOf(status).config;

const foundSource = optional(configSource(true));

function* addressErrors({ status }: Fields): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, address] of listOf(fieldsOf(status).addresses).entries()) {
    const id = `${address.type} ${address.address}`;
    const value = asGo('core.NodeAddress', address);
    if (seen.has(id)) yield { type: 'Duplicate', field: `status.addresses[${index}]`, value };
    seen.add(id);
  }
}

const ofRange = 'node updates may not change podCIDR except from "" to valid';
const ofProvider = 'node updates may not change providerID except from "" to valid';

function* updateErrors(node: Fields, old: Fields): Generator<FieldError> {
  const [spec, before] = [fieldsOf(node.spec), fieldsOf(old.spec)];
  yield* resourceErrors(node);
  yield* addressErrors(node);
  const [now, former] = [rangesOf(spec), rangesOf(before)];
  if (former.length > 0 && now.length !== former.length) yield forbidden('spec.podCIDRs', ofRange);
  else {
    for (const [index, range] of former.entries()) if (range !== now[index]) yield forbidden('spec.podCIDRs', ofRange);
  }
  if (before.providerID && before.providerID !== spec.providerID) yield forbidden('spec.providerID', ofProvider);
  yield* optional(configSource(false))(spec.configSource, 'spec.configSource');
  const found = { assigned: foundSource, active: foundSource, lastKnownGood: foundSource };
  yield* fields(found)(configOf(node), 'status.config');
  yield* taintErrors(spec.taints, 'metadata.taints');
  if (!equal(spec.externalID, before.externalID)) yield forbidden('spec.externalID', 'may not be updated');
}

/** Validates Nodes; updates validate twice. Errors of taints are reported under metadata. */
export const node: Check = function* (object, old) {
  const spec = fieldsOf(object.spec);
  yield* taintErrors(spec.taints, 'metadata.taints');
  yield* resourceErrors(object);
  yield* rangeErrors(spec);
  if (old !== undefined) yield* updateErrors(object, old);
};

/** Validates the status of Nodes. */
export const nodeStatus: Check = function* (object, old) {
  if (old !== undefined) yield* updateErrors(object, old);
};
