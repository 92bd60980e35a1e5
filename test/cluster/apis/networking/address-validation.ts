/** Validates IPAddresses and ServiceCIDRs. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isPathSegment, isSubdomain } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { isIpv6Range, strictRange } from '../../apimachinery/validation/address-rules.ts';
import { each, fields, named, optionalOrEmpty, requiredValue } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid, required } from '../../apimachinery/validation/errors.ts';
import { asGo } from '../../resources/go-form.ts';

const segment = named(isPathSegment);

const parent = fields({
  group: optionalOrEmpty(named(isSubdomain)),
  resource: requiredValue('', segment),
  name: requiredValue('', segment),
  namespace: optionalOrEmpty(segment),
});

/** Validates an IPAddress. */
export const ipAddress: Check = function* ({ spec }, old) {
  const { parentRef } = fieldsOf(spec);
  if (old !== undefined) {
    if (equal(parentRef, fieldsOf(old.spec).parentRef)) return;
    yield invalid('spec.parentRef', asGo('networking.ParentReference', parentRef), 'field is immutable');
  } else if (parentRef === undefined) yield required('spec.parentRef');
  else yield* parent(parentRef, 'spec.parentRef');
};

const at = 'spec.cidrs';
const oneOfEach = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

const rangesOf = ({ spec }: Fields): readonly string[] => {
  const { cidrs } = fieldsOf(spec);
  return Array.isArray(cidrs) ? (cidrs as string[]) : [];
};

function* rangeErrors(object: Fields): Generator<FieldError> {
  const ranges = rangesOf(object);
  if (ranges.length === 0) yield required(at, 'at least one CIDR required');
  else if (ranges.length > 2) {
    yield invalid(at, asGo('networking.ServiceCIDRSpec', object.spec), 'may only hold up to 2 values');
  } else {
    const problems = [...each(strictRange)(ranges, at)];
    yield* problems;
    const [first, second] = ranges.map(isIpv6Range);
    const isUnclear = problems.some(({ detail }) => detail?.startsWith('must be a valid CIDR'));
    if (ranges.length === 2 && first === second && !isUnclear) yield invalid(at, ranges, oneOfEach);
  }
}

/** Validates a ServiceCIDR. */
export const serviceCidr: Check = function* (object, old) {
  if (old === undefined) {
    yield* rangeErrors(object);
    return;
  }
  const [now, before] = [rangesOf(object), rangesOf(old)];
  const grows = before.length === 1 && now.length === 2;
  if (now.length !== before.length && !grows) {
    yield invalid(at, now, 'field is immutable');
    return;
  }
  for (const [index, range] of before.entries()) {
    if (range !== now[index]) yield invalid(`${at}[${index}]`, now[index], 'field is immutable');
  }
  if (grows) yield* rangeErrors(object);
};
