/** Validates the fields of pods that depend on the operating system or the host's namespaces. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { fieldsOf, forbidden, invalid, required, unsupported } from '../../../../apimachinery/validation/errors.ts';
import { containersOf } from '../containers-of.ts';

const ofWindows = 'cannot be set for a windows pod';

/**
 * Fields that Windows pods must not set, in the server's order, and when each counts as set: by presence, by being
 * true or by having items.
 */
const podFields: readonly (readonly [string, 'spec' | 'context', 'given' | 'true' | 'some'])[] = [
  ['appArmorProfile', 'context', 'given'],
  ['seLinuxOptions', 'context', 'given'],
  ['hostUsers', 'spec', 'given'],
  ['hostPID', 'spec', 'true'],
  ['hostIPC', 'spec', 'true'],
  ['seccompProfile', 'context', 'given'],
  ['fsGroup', 'context', 'given'],
  ['fsGroupChangePolicy', 'context', 'given'],
  ['sysctls', 'context', 'some'],
  ['shareProcessNamespace', 'spec', 'given'],
  ['runAsUser', 'context', 'given'],
  ['runAsGroup', 'context', 'given'],
  ['supplementalGroups', 'context', 'given'],
  ['supplementalGroupsPolicy', 'context', 'given'],
  ['seLinuxChangePolicy', 'context', 'given'],
];

const isSet = {
  given: (value: unknown): boolean => value !== undefined,
  true: (value: unknown): boolean => value === true,
  some: (value: unknown): boolean => Array.isArray(value) && value.length > 0,
};

const containerFields = [
  ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem'],
  ...['privileged', 'allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
];

function* windowsErrors(spec: Fields, path: string): Generator<FieldError> {
  const context = fieldsOf(spec.securityContext);
  for (const [name, where, how] of podFields) {
    const [owner, at] = where === 'spec' ? [spec, path] : [context, `${path}.securityContext`];
    if (isSet[how](owner[name])) yield forbidden(`${at}.${name}`, ofWindows);
  }
  for (const [container, at] of containersOf(spec, path)) {
    const own = fieldsOf(container.securityContext);
    for (const name of containerFields) {
      if (own[name] !== undefined) yield forbidden(`${at}.securityContext.${name}`, ofWindows);
    }
  }
}

function* linuxErrors(spec: Fields, path: string): Generator<FieldError> {
  for (const [owner, at] of [[spec, path] as const, ...containersOf(spec, path)]) {
    if (fieldsOf(owner.securityContext).windowsOptions === undefined) continue;
    yield forbidden(`${at}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod');
  }
}

/** Validates the fields that a pod's operating system does not support. */
export function* systemErrors(spec: Fields, path: string): Generator<FieldError> {
  if (spec.os === undefined) return;
  const { name } = fieldsOf(spec.os);
  if (!name) yield required(`${path}.os.name`);
  else if (name === 'linux') yield* linuxErrors(spec, path);
  else if (name === 'windows') yield* windowsErrors(spec, path);
  else yield* unsupported(`${path}.os`, name, ['linux', 'windows']);
}

const hostProcessOf = ({ securityContext }: Fields): unknown =>
  fieldsOf(fieldsOf(securityContext).windowsOptions).hostProcess;

/** Validates HostProcess containers of Windows: all containers or none, with the host's network. */
export function* hostProcessErrors(spec: Fields, path: string): Generator<FieldError> {
  const ofPod = hostProcessOf(spec);
  let count = 0;
  let processes = 0;
  for (const [container, at] of containersOf(spec, path)) {
    const own = hostProcessOf(container);
    count += 1;
    if ((own ?? ofPod) === true) processes += 1;
    if (ofPod === undefined || own === undefined || own === ofPod) continue;
    const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    yield invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, detail);
  }
  if (processes === 0) return;
  if (processes !== count) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    yield invalid(path, '', detail);
  }
  if (spec.hostNetwork !== true) {
    yield invalid(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers');
  }
}

const withOwnUsers = 'when `hostUsers` is false';
const namespaces: readonly (readonly [string, string])[] = [
  ['hostNetwork', 'hostNetwork'],
  ['hostPID', 'HostPID'],
  ['hostIPC', 'HostIPC'],
];

/** Reports host namespaces that a pod with its own user namespace cannot share. */
export function* hostUserErrors(spec: Fields, path: string): Generator<FieldError> {
  if (spec.hostUsers !== false) return;
  for (const [name, shown] of namespaces) {
    if (spec[name] === true) yield forbidden(`${path}.${shown}`, withOwnUsers);
  }
  for (const [container, at] of containersOf(spec, path)) {
    const { volumeDevices } = container;
    if (isSet.some(volumeDevices)) yield forbidden(`${at}.volumeDevices`, withOwnUsers);
  }
}
