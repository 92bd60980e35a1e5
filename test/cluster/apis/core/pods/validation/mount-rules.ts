/** Validates the volume mounts and devices of containers. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import {
  fieldsOf,
  forbidden,
  invalid,
  listOf,
  required,
  unsupported,
} from '../../../../apimachinery/validation/errors.ts';
import { descendingPath } from './path-rules.ts';
import type { Volumes } from './volume-rules.ts';

const isPrivileged = ({ securityContext }: Fields): boolean => fieldsOf(securityContext).privileged === true;

function* propagationErrors(mode: unknown, path: string, container: Fields): Generator<FieldError> {
  yield* unsupported(path, mode, ['Bidirectional', 'HostToContainer', 'None']);
  if (mode === 'Bidirectional' && !isPrivileged(container)) {
    yield forbidden(path, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

function* recursionErrors(mount: Fields, path: string): Generator<FieldError> {
  const { recursiveReadOnly: mode, readOnly, mountPropagation = 'None' } = mount;
  yield* unsupported(path, mode, ['Disabled', 'Enabled', 'IfPossible']);
  if (mode !== 'Enabled' && mode !== 'IfPossible') return;
  if (!readOnly) yield forbidden(path, 'may only be specified when readOnly is true');
  if (mountPropagation !== 'None') {
    yield forbidden(path, 'may only be specified when mountPropagation is None or not specified');
  }
}

function* subPathErrors(mount: Fields, path: string, at: string): Generator<FieldError> {
  if (mount.subPath) yield* descendingPath(mount.subPath, `${path}.subPath`);
  if (!mount.subPathExpr) return;
  if (mount.subPath) {
    yield invalid(`${at}.subPathExpr`, mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive');
  }
  yield* descendingPath(mount.subPathExpr, `${path}.subPathExpr`);
}

/** Names and paths of a list of devices or mounts. */
const taken = (list: readonly Fields[], path: string) => ({
  names: new Set<unknown>(list.map(({ name }) => name ?? '')),
  paths: new Set<unknown>(list.map((one) => one[path] ?? '')),
});

/** Validates the volume mounts of a container. */
export function* mountErrors(container: Fields, path: string, volumes: Volumes): Generator<FieldError> {
  if (container.volumeMounts === undefined) return;
  const devices = taken(listOf(container.volumeDevices), 'devicePath');
  const seen = new Set<unknown>();
  for (const [index, mount] of listOf(container.volumeMounts).entries()) {
    const at = `${path}[${index}]`;
    const { name = '', mountPath = '' } = mount;
    if (name === '') yield required(`${at}.name`);
    if (!volumes.has(String(name))) yield { type: 'NotFound', field: `${at}.name`, value: name };
    if (mountPath === '') yield required(`${at}.mountPath`);
    if (seen.has(mountPath)) yield invalid(`${at}.mountPath`, mountPath, 'must be unique');
    seen.add(mountPath);
    if (devices.names.has(name)) yield invalid(`${at}.name`, name, 'must not already exist in volumeDevices');
    if (devices.paths.has(mountPath)) {
      yield invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices');
    }
    yield* subPathErrors(mount, path, at);
    yield* propagationErrors(mount.mountPropagation, `${path}.mountPropagation`, container);
    yield* recursionErrors(mount, `${path}.recursiveReadOnly`);
  }
}

/** Reports whether a volume can be a block device: only claims can. */
const isClaim = (volume: Fields): boolean =>
  volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined;

function* deviceNameErrors(name: unknown, field: string, volumes: Volumes): Generator<FieldError> {
  const volume = volumes.get(String(name));
  if (volume === undefined) yield { type: 'NotFound', field, value: name };
  else if (!isClaim(volume)) {
    const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
    yield invalid(field, name, detail);
  }
}

/** Validates the path of a block device, and takes it: `paths` are those of the earlier ones. */
function* devicePathErrors(devicePath: unknown, field: string, paths: Set<unknown>): Generator<FieldError> {
  if (devicePath === '') yield required(field);
  if (paths.has(devicePath)) yield invalid(field, devicePath, 'must be unique');
  if (String(devicePath).split('/').includes('..')) {
    yield invalid(field, devicePath, "can not contain backsteps ('..')");
  } else paths.add(devicePath);
}

/** Validates the block devices of a container. */
export function* deviceErrors(container: Fields, path: string, volumes: Volumes): Generator<FieldError> {
  if (container.volumeDevices === undefined) return;
  const mounts = taken(listOf(container.volumeMounts), 'mountPath');
  const [names, paths] = [new Set<unknown>(), new Set<unknown>()];
  for (const [index, { name = '', devicePath = '' }] of listOf(container.volumeDevices).entries()) {
    const at = `${path}[${index}]`;
    if (name === '') yield required(`${at}.name`);
    if (names.has(name)) yield invalid(`${at}.name`, name, 'must be unique');
    yield* deviceNameErrors(name, `${at}.name`, volumes);
    yield* devicePathErrors(devicePath, `${at}.devicePath`, paths);
    if (mounts.names.has(name)) yield invalid(`${at}.name`, name, 'must not already exist in volumeMounts');
    if (mounts.paths.has(devicePath)) {
      yield invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  }
}
