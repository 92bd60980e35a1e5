/** Validates the cluster addresses of Services. */

import { type FieldError, notSupported } from '../../../apimachinery/field-error.ts';
import { addressFamily } from '../../../apimachinery/formats/canonical-ip.ts';
import type { Fields } from '../../../apimachinery/object.ts';
import { ipAddress } from '../../../apimachinery/validation/address-rules.ts';
import { invalid, required } from '../../../apimachinery/validation/errors.ts';

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const at = 'spec.clusterIPs';
const policyAt = 'spec.ipFamilyPolicy';

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);

/** Reports whether a Service is headless. */
export const isHeadless = ({ clusterIPs }: Fields): boolean => {
  const [first, ...more] = textsOf(clusterIPs);
  return first === 'None' && more.length === 0;
};

function* syncErrors({ clusterIP, clusterIPs }: Fields): Generator<FieldError> {
  const ips = textsOf(clusterIPs);
  if (clusterIP) {
    if (ips.length === 0) yield required(at);
    else if (ips[0] !== clusterIP) yield invalid(at, ips, 'first value must match `clusterIP`');
  } else if (ips.length > 0) yield invalid(at, ips, 'must be empty when `clusterIP` is not specified');
}

function* familyErrors({ ipFamilies, ipFamilyPolicy }: Fields): Generator<FieldError> {
  const seen = new Set<string>();
  for (const [index, family] of textsOf(ipFamilies).entries()) {
    const place = `spec.ipFamilies[${index}]`;
    if (!families.includes(family)) yield notSupported(place, family, families);
    if (seen.has(family)) yield { type: 'Duplicate', field: place, value: family };
    seen.add(family);
  }
  if (ipFamilyPolicy !== undefined && !policies.includes(String(ipFamilyPolicy))) {
    yield notSupported(policyAt, ipFamilyPolicy, policies);
  }
}

/** Validates each of the addresses; those that were held before are not checked. */
function formErrors(ips: readonly string[], held: readonly string[]): readonly FieldError[] {
  return ips.flatMap((ip, index) => {
    if (index > 0 || ip !== 'None') return held.includes(ip) ? [] : [...ipAddress(ip, `${at}[${index}]`)];
    return ips.length > 1 ? [invalid(at, ips, "'None' must be the first and only value")] : [];
  });
}

/** Validates that each address is of the family that the Service names at its place. */
function* placeErrors(spec: Fields, ips: readonly string[]): Generator<FieldError> {
  for (const [index, family] of textsOf(spec.ipFamilies).slice(0, ips.length).entries()) {
    if (`IPv${addressFamily(ips[index]!)}` === family || !families.includes(family)) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    yield invalid(`${at}[${index}]`, ips[index], detail);
  }
}

function* addressErrors(spec: Fields, held: readonly string[]): Generator<FieldError> {
  const ips = textsOf(spec.clusterIPs);
  const problems = formErrors(ips, held);
  yield* problems;
  if (ips.length > 2) yield invalid(at, ips, 'may only hold up to 2 values');
  if (problems.length > 0) return;
  const known = ips.map(addressFamily);
  const isDual = new Set(known).size === 2 && ips.length === 2;
  if (ips.length > 1 && !isDual) yield invalid(at, ips, 'may specify no more than one IP for each IP family');
  if (!isHeadless(spec)) yield* placeErrors(spec, ips);
}

/** Validates the cluster addresses of a Service; `held` are its former ones. */
export function* clusterIpErrors(spec: Fields, held: readonly string[]): Generator<FieldError> {
  if (spec.type === 'ExternalName') return;
  yield* syncErrors(spec);
  yield* familyErrors(spec);
  yield* addressErrors(spec, held);
}

function* stackErrors(spec: Fields): Generator<FieldError> {
  const { ipFamilyPolicy: policy } = spec;
  const ips = textsOf(spec.clusterIPs);
  const asked = textsOf(spec.ipFamilies);
  const dual = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (policy === 'SingleStack' && ips.length === 2)
    yield invalid(policyAt, policy, `${dual} cluster IPs are specified`);
  if (policy === 'SingleStack' && asked.length === 2)
    yield invalid(policyAt, policy, `${dual} IP families are specified`);
  for (const [index, ip] of ips.entries()) {
    if (ip === 'None') break;
    if (index >= asked.length && addressFamily(ip) === 6) {
      yield invalid(`${at}[${index}]`, ips, 'IPv6 is not configured on this cluster');
    }
  }
}

function* configuredErrors(spec: Fields): Generator<FieldError> {
  const { ipFamilyPolicy: policy } = spec;
  const isFree = spec.clusterIP === 'None' && Object.keys((spec.selector ?? {}) as Fields).length === 0;
  if (isFree) return;
  if (policy === 'RequireDualStack') {
    yield invalid(policyAt, policy, 'this cluster is not configured for dual-stack services');
  }
  for (const [index, family] of textsOf(spec.ipFamilies).entries()) {
    if (family !== 'IPv4') yield invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster');
  }
}

/**
 * Reports the reason why no addresses can be allocated in an IPv4-only cluster. It precedes all other validation;
 * only the first problem is reported.
 */
export function* assignmentErrors(spec: Fields, held: readonly string[]): Generator<FieldError> {
  if (spec.type === 'ExternalName') return;
  for (const check of [() => clusterIpErrors(spec, held), () => stackErrors(spec), () => configuredErrors(spec)]) {
    const problems = [...check()];
    yield* problems;
    if (problems.length > 0) return;
  }
}
