/** Validation of the status of Pods. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import { addressFamily } from '../../../../apimachinery/formats/canonical-ip.ts';
import { isQualifiedName, isSubdomain } from '../../../../apimachinery/name-validation.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { ipAddress } from '../../../../apimachinery/validation/address-rules.ts';
import { each, fields, named } from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, forbidden, immutable, invalid, listOf } from '../../../../apimachinery/validation/errors.ts';
import { unixId } from './security-rules.ts';

const notNegative = 'must be a non-negative integer';
const ofSystem: ReadonlySet<unknown> = new Set(['PodScheduled', 'Ready', 'Initialized']);

function* conditionErrors(conditions: readonly Fields[], path: string): Generator<FieldError> {
  for (const [index, { type = '', observedGeneration = 0 }] of conditions.entries()) {
    if (Number(observedGeneration) < 0) {
      yield invalid(`${path}[${index}].observedGeneration`, observedGeneration, notNegative);
    }
    if (!ofSystem.has(type)) yield* named(isQualifiedName)(type, `${path}[${index}].Type`);
  }
}

const isDown = ({ state }: Fields): boolean => fieldsOf(state).terminated !== undefined;

/** Reports whether a container restarts after an exit code, by the pod's restart policy. */
const returns: Readonly<Record<string, (code: number) => boolean>> = {
  Always: () => true,
  OnFailure: (code) => code !== 0,
  Never: () => false,
};

/** List of container statuses, and its containers that may always restart. */
interface Lives {
  readonly list: string;
  readonly policy: string;
  readonly isExempt?: (name: unknown) => boolean;
}

function* lifecycleErrors(now: Fields, before: Fields, { list, policy, isExempt }: Lives): Generator<FieldError> {
  const mayReturn = returns[policy] ?? returns.Never!;
  const next = listOf(now[list]);
  for (const [index, former] of listOf(before[list]).entries()) {
    if (!isDown(former) || isExempt?.(former.name)) continue;
    if (mayReturn(Number(fieldsOf(fieldsOf(former.state).terminated).exitCode ?? 0))) continue;
    for (const one of next) {
      if (one.name !== former.name || isDown(one)) continue;
      yield forbidden(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state');
    }
  }
}

const oneOfEach = 'may specify no more than one IP for each IP family';

function* addressErrors(list: readonly Fields[], path: string, known: readonly Fields[]): Generator<FieldError> {
  const before = new Set(known.map(({ ip }) => ip));
  for (const [index, { ip = '' }] of list.entries()) {
    if (!before.has(ip)) yield* ipAddress(ip, `${path}[${index}]`);
  }
  if (list.length < 2) return;
  const families = new Set(list.map(({ ip }) => addressFamily(String(ip))));
  if (families.size !== 2 || list.length > 2)
    yield invalid(
      path,
      list.map(({ ip }) => ({ IP: ip })),
      oneOfEach,
    );
}

const linuxUser = fields({ uid: unixId, gid: unixId, supplementalGroups: each(unixId) });
const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];

function* userErrors(status: Fields, os: unknown): Generator<FieldError> {
  for (const list of statusLists) {
    for (const [index, { user }] of listOf(status[list]).entries()) {
      const { linux } = fieldsOf(user);
      if (linux === undefined) continue;
      const path = `status.${list}[${index}].user.linux`;
      if (os === 'windows') yield forbidden(path, 'cannot be set for a windows pod');
      else yield* linuxUser(linux, path);
    }
  }
}

function* claimErrors(statuses: readonly Fields[], path: string, spec: Fields): Generator<FieldError> {
  const known = new Set(listOf(spec.resourceClaims).map(({ name }) => name));
  const seen = new Set<unknown>();
  for (const [index, { name = '', resourceClaimName }] of statuses.entries()) {
    const at = `${path}[${index}].name`;
    if (!known.has(name)) yield invalid(at, name, 'must match the name of an entry in `spec.resourceClaims`');
    if (seen.has(name)) yield { type: 'Duplicate', field: at, value: name };
    seen.add(name);
    if (resourceClaimName !== undefined) yield* named(isSubdomain)(resourceClaimName, at);
  }
}

function* nominationErrors(now: Fields, old: Fields): Generator<FieldError> {
  const { nominatedNodeName: name } = now;
  if (!name || name === fieldsOf(old.status).nominatedNodeName) return;
  yield* named(isSubdomain)(name, 'status.nominatedNodeName');
}

/** Validates a pod's status and its transition from the old one. */
export function* podStatusErrors(pod: Fields, old: Fields): Generator<FieldError> {
  const [now, before, spec] = [fieldsOf(pod.status), fieldsOf(old.status), fieldsOf(old.spec)];
  const policy = String(spec.restartPolicy ?? 'Always');
  const sidecars = new Set(
    listOf(spec.initContainers).flatMap((one) => (one.restartPolicy === 'Always' ? [one.name] : [])),
  );
  yield* conditionErrors(listOf(now.conditions), 'status.conditions');
  yield* nominationErrors(now, old);
  const { observedGeneration = 0 } = now;
  if (Number(observedGeneration) < 0) yield invalid('status.observedGeneration', observedGeneration, notNegative);
  yield* immutable('status.qosClass', now.qosClass, before.qosClass);
  yield* lifecycleErrors(now, before, { list: 'containerStatuses', policy });
  const isExempt = (name: unknown): boolean => sidecars.has(name);
  yield* lifecycleErrors(now, before, { list: 'initContainerStatuses', policy, isExempt });
  yield* lifecycleErrors(now, before, { list: 'ephemeralContainerStatuses', policy: 'Never' });
  yield* claimErrors(listOf(now.resourceClaimStatuses), 'status.resourceClaimStatuses', spec);
  yield* addressErrors(listOf(now.podIPs), 'status.podIPs', listOf(before.podIPs));
  const [first] = listOf(now.hostIPs);
  if (first !== undefined && (now.hostIP ?? '') !== first.ip) {
    yield invalid('status.hostIPs[0].ip', first.ip, 'must be equal to `hostIP`');
  }
  yield* addressErrors(listOf(now.hostIPs), 'status.hostIPs', listOf(before.hostIPs));
  yield* userErrors(now, fieldsOf(spec.os).name);
}
