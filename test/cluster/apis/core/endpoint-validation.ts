/** Validates Endpoints and EndpointSlices. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { addressFamily } from '../../apimachinery/formats/canonical-ip.ts';
import { isLabel, isQualifiedName, isSubdomain } from '../../apimachinery/name-validation.ts';
import { equal, type Fields, ownMember } from '../../apimachinery/object.ts';
import { endpointAddress, ipAddress, portNumber, strictAddress } from '../../apimachinery/validation/address-rules.ts';
import {
  each,
  fields,
  labels,
  labelText,
  named,
  oneOf,
  optional,
  optionalOrEmpty,
  type Rule,
  requiredValue,
  some,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';

const protocol = oneOf('SCTP', 'TCP', 'UDP');

const address = fields({
  ip: ipAddress,
  hostname: optionalOrEmpty(named(isLabel)),
  nodeName: optional(named(isSubdomain)),
});

const reachable: Rule = function* (value, path) {
  yield* address(value, path);
  yield* endpointAddress(fieldsOf(value).ip, `${path}.ip`);
};

function* subset(value: Fields, path: string): Generator<FieldError> {
  const { addresses, notReadyAddresses, ports } = value;
  if (listOf(addresses).length + listOf(notReadyAddresses).length === 0) {
    yield required(path, 'must specify `addresses` or `notReadyAddresses`');
  }
  yield* each(reachable)(addresses, `${path}.addresses`);
  yield* each(reachable)(notReadyAddresses, `${path}.notReadyAddresses`);
  const name = listOf(ports).length > 1 ? requiredValue('', named(isLabel)) : optionalOrEmpty(named(isLabel));
  const appProtocol = optional(named(isQualifiedName));
  yield* each(fields({ name, port: portNumber, protocol: requiredValue('', protocol), appProtocol }))(
    ports,
    `${path}.ports`,
  );
}

/** Validates Endpoints. */
export const endpoints: Check = function* ({ subsets }, old) {
  if (old !== undefined && equal(subsets, old.subsets)) return;
  for (const [index, one] of listOf(subsets).entries()) yield* subset(one, `subsets[${index}]`);
};

/** Returns the rule of addresses of one family; an address of the other family is reported for the whole list. */
const ofFamily = (family: 4 | 6, form: Rule): Rule =>
  function* (value, path) {
    const problems = [...form(value, path)];
    yield* problems;
    if (problems.length > 0) return;
    const list = path.replace(/\[\d+\]$/, '');
    if (addressFamily(String(value)) !== family) yield invalid(list, value, `must be an IPv${family} address`);
    yield* endpointAddress(value, path);
  };

const domain: Rule = requiredValue('', function* (value, path) {
  const name = String(value).replace(/\.$/, '');
  const problems = isSubdomain(name);
  if (problems.length > 0) yield invalid(path, name, problems.join(','));
  else if (!name.includes('.')) {
    yield invalid(path, name, 'should be a domain with at least two segments separated by dots');
  }
});

const sliceAddress: Readonly<Record<string, Rule>> = {
  IPv4: ofFamily(4, ipAddress),
  IPv6: ofFamily(6, strictAddress),
  FQDN: domain,
};

const slicePort = fields({
  name: optionalOrEmpty(named(isLabel)),
  protocol: (value, path) => protocol(value ?? '', path),
  appProtocol: optional(named(isQualifiedName)),
});

/** Reports items with duplicate names; empty names count too. */
function* twice(items: unknown, path: string): Generator<FieldError> {
  const seen = new Set<unknown>();
  for (const [index, { name = '' }] of listOf(items).entries()) {
    if (seen.has(name)) yield { type: 'Duplicate', field: `${path}[${index}].name`, value: name };
    seen.add(name);
  }
}

const maxHints = 8;

const hintList = (check: Rule): Rule =>
  function* (value, path) {
    const list = listOf(value);
    const names = new Set<unknown>();
    if (list.length > maxHints) {
      yield { type: 'TooMany', field: path, value: list.length, detail: `must have at most ${maxHints} items` };
      return;
    }
    for (const [index, { name = '' }] of list.entries()) {
      const at = `${path}[${index}].name`;
      if (names.has(name)) yield { type: 'Duplicate', field: at, value: name };
      names.add(name);
      yield* check(name, at);
    }
  };

const endpointRules = (known: Rule): Rule =>
  fields({
    addresses: some('must contain at least 1 address', known),
    nodeName: optional(named(isSubdomain)),
    deprecatedTopology: labels,
    hostname: optional(named(isLabel)),
    hints: fields({ forZones: hintList(labelText), forNodes: hintList(named(isSubdomain)) }),
  });

/** Validates an EndpointSlice. */
export const endpointSlice: Check = function* (object, old) {
  const { addressType, endpoints: list, ports } = object;
  const known = ownMember(sliceAddress, addressType);
  yield* requiredValue('', oneOf('FQDN', 'IPv4', 'IPv6'))(addressType, 'addressType');
  for (const [index, port] of listOf(ports).entries()) {
    yield* slicePort(port, `ports[${index}]`);
  }
  yield* twice(ports, 'ports');
  const isOld = old !== undefined && equal(list, old.endpoints);
  if (!isOld) yield* each(endpointRules(known ?? (() => [])))(list, 'endpoints');
  if (old !== undefined && !equal(addressType, old.addressType)) {
    yield invalid('addressType', addressType, 'field is immutable');
  }
};
