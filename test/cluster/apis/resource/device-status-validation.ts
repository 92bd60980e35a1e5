/** Validation of the status of ResourceClaims. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import {
  all,
  each,
  fields,
  oneOf,
  optional,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, invalid, listOf } from '../../apimachinery/validation/errors.ts';
import { nodeSelector } from '../../apimachinery/validation/node-selector.ts';
import { asGo } from '../../resources/go-form.ts';
import { configured } from './device-validation.ts';
import {
  atMost,
  distinct,
  driverName,
  labelName,
  poolName,
  rawObject,
  requestName,
  requestNames,
  sized,
} from './device-validation-rules.ts';

const max = 32;
const maxConsumers = 256;

const reference: Rule = fields({ resource: requiredValue(), name: requiredValue(), uid: requiredValue() });

const result = (known: ReadonlySet<string>): Rule =>
  fields({ request: requestName(known), driver: driverName, pool: poolName, device: labelName });

const allocated = (known: ReadonlySet<string>): Rule =>
  fields({
    devices: fields({
      results: sized(max, result(known)),
      config: sized(
        2 * max,
        all(fields({ source: requiredValue('', oneOf('FromClaim', 'FromClass')) }), configured(known, false)),
      ),
    }),
    nodeSelector: optional(nodeSelector),
  });

/** Identifies a device as Go formats it. */
const deviceId = ({ driver = '', pool: poolOf = '', device: name = '' }: Fields): string =>
  `${driver}/${poolOf}/${name}`;

/** Go's representation of a device id, whose fields are not exported. */
const goDevice = { Driver: {}, Pool: {}, Device: {}, ShareID: {} };

const network: Rule = fields({
  interfaceName: optional(atMost(256)),
  hardwareAddress: optional(atMost(128)),
});

function* deviceStatuses(status: Fields, path: string): Generator<FieldError> {
  const { results } = fieldsOf(fieldsOf(status.allocation).devices);
  const known = new Set(listOf(results).map(deviceId));
  const rule: Rule = function* (value, at) {
    const own = fieldsOf(value);
    yield* fields({ driver: driverName, pool: poolName, device: labelName })(value, at);
    if (!known.has(deviceId(own))) yield invalid(at, goDevice, 'must be an allocated device in the claim');
    if (own.data !== undefined && own.data !== null) yield* rawObject(false)(own.data, `${at}.data`);
    yield* optional(network)(own.networkData, `${at}.networkData`);
  };
  yield* each(rule)(status.devices, path);
  const seen = new Set<string>();
  for (const [index, one] of listOf(status.devices).entries()) {
    const id = deviceId(one);
    if (seen.has(id)) yield { type: 'Duplicate', field: `${path}[${index}].deviceID`, value: id };
    seen.add(id);
  }
}

const tooLate = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';

/** Validates the status of a ResourceClaim. */
export const claimStatus: Check = function* (object, old) {
  const [status, before] = [fieldsOf(object.status), fieldsOf(old?.status)];
  const consumers = listOf(status.reservedFor);
  yield* distinct(maxConsumers, reference, 'uid')(status.reservedFor, 'status.reservedFor');
  yield* deviceStatuses(status, 'status.devices');
  const isNew = consumers.some((one) => !listOf(before.reservedFor).some((other) => equal(one, other)));
  if (consumers.length > 0 && status.allocation === undefined) {
    yield forbidden('status.reservedFor', 'may not be specified when `allocated` is not set');
  } else if (isNew && fieldsOf(object.metadata).deletionTimestamp !== undefined) {
    yield forbidden('status.reservedFor', tooLate);
  }
  if (status.allocation === undefined) return;
  if (before.allocation === undefined) {
    yield* allocated(requestNames(fieldsOf(fieldsOf(object.spec).devices)))(status.allocation, 'status.allocation');
  } else if (!equal(status.allocation, before.allocation)) {
    yield invalid('status.allocation', asGo('resource.AllocationResult', status.allocation), 'field is immutable');
  }
};
