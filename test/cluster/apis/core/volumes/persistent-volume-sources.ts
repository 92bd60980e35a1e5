/** Validates the sources of PersistentVolumes. */

import type { FieldError } from '../../../apimachinery/field-error.ts';
import { goRegExp } from '../../../apimachinery/go/go-regexp.ts';
import { isLabel, isSubdomain } from '../../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../../apimachinery/object.ts';
import {
  all,
  fields,
  inRange,
  named,
  oneOf,
  optional,
  optionalOrEmpty,
  type Rule,
  requiredValue,
  some,
} from '../../../apimachinery/validation/combinators.ts';
import { fieldsOf, forbidden, invalid, required } from '../../../apimachinery/validation/errors.ts';

const textOf = (value: unknown): string => String(value ?? '');
const isThere = (value: unknown): boolean => value !== undefined && value !== null;
const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** Rule of paths without `..`. */
const noBacksteps: Rule = (value, path) =>
  textOf(value).split('/').includes('..') ? [invalid(path, value, "must not contain '..'")] : [];

const hostPathTypes = oneOf(
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
);

const hostPath: Rule = function* (value, path) {
  const { path: place, type } = fieldsOf(value);
  if (!place) yield required(`${path}.path`);
  else {
    yield* noBacksteps(place, `${path}.path`);
    yield* hostPathTypes(type, `${path}.type`);
  }
};

const partition = inRange(0, 255, 'must be between 1 and 255, inclusive');
const lun = inRange(0, 255, 'must be between 0 and 255, inclusive');

const namespaceOfEndpoints: Rule = function* (value, path) {
  if (value === '') yield invalid(path, '', 'if the endpointnamespace is set, it must be a valid namespace name');
  else yield* named(isLabel)(value, path);
};

const flocker: Rule = function* (value, path) {
  const { datasetName, datasetUUID } = fieldsOf(value);
  if (!datasetName && !datasetUUID) yield required(path, 'one of datasetName and datasetUUID is required');
  if (datasetName && datasetUUID) {
    yield invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  }
  if (textOf(datasetName).includes('/')) yield invalid(`${path}.datasetName`, datasetName, "must not contain '/'");
};

const nfs: Rule = function* (value, path) {
  const { server, path: place } = fieldsOf(value);
  if (!server) yield required(`${path}.server`);
  if (!place) yield required(`${path}.path`);
  if (!textOf(place).startsWith('/')) yield invalid(`${path}.path`, place ?? '', 'must be an absolute path');
};

const hostPort = /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/;
const wantedPairs = 'must be a host:port pair or multiple pairs separated by commas';

const quobyte: Rule = function* (value, path) {
  const { registry, tenant, volume } = fieldsOf(value);
  if (!registry) yield required(`${path}.registry`, wantedPairs);
  else if (textOf(tenant).length >= 65) {
    yield required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters');
  } else {
    for (const pair of textOf(registry).split(',')) {
      if (!hostPort.test(pair)) yield invalid(`${path}.registry`, registry, wantedPairs);
    }
  }
  if (!volume) yield required(`${path}.volume`);
};

const initiators: Readonly<Record<string, Pick<RegExp, 'test'>>> = {
  iqn: goRegExp(String.raw`iqn\.\d{4}-\d{2}\.([\w\-.]+)(:[^,;*&$|\s]+)$`)!,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

const initiator: Rule = (value, path) => {
  const pattern = initiators[textOf(value).slice(0, 3)];
  return pattern?.test(textOf(value)) ? [] : [invalid(path, value, 'must be valid format')];
};

function* iscsiErrors(source: Fields, path: string, volume: string): Generator<FieldError> {
  const { targetPortal, initiatorName, iqn: name, secretRef } = source;
  if (!targetPortal) yield required(`${path}.targetPortal`);
  if (isThere(initiatorName) && `${volume}:${targetPortal}`.length > 64) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    yield invalid(`${path}.targetportal`, targetPortal, detail);
  }
  yield* requiredValue('', initiator)(name, `${path}.iqn`);
  yield* lun(source.lun, `${path}.lun`);
  const authenticates = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  if (authenticates && !isThere(secretRef)) yield required(`${path}.secretRef`);
  yield* optional(fields({ name: requiredValue() }))(secretRef, `${path}.secretRef`);
  yield* optional(initiator)(initiatorName, `${path}.initiatorname`);
}

const fibreChannel: Rule = function* (value, path) {
  const { targetWWNs, wwids, lun: unit } = fieldsOf(value);
  const at = `${path}.targetWWNs`;
  const [targets, ids] = [countOf(targetWWNs), countOf(wwids)];
  if (targets === 0 && ids === 0) yield required(at, 'must specify either targetWWNs or wwids, but not both');
  if (targets > 0 && ids > 0) {
    yield invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously');
  }
  if (targets === 0) return;
  if (!isThere(unit)) yield required(`${path}.lun`, 'lun is required if targetWWNs is specified');
  else yield* lun(unit, `${path}.lun`);
};

const reserved = /\.(?:kubernetes|k8s)\.io$/;

const flexOptions: Rule = function* (value, path) {
  for (const key of Object.keys(fieldsOf(value))) {
    const [namespace = ''] = key.split('/');
    if (reserved.test(`.${namespace.toLowerCase()}`)) {
      yield invalid(`${path}[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved');
    }
  }
};

const azureDisk: Rule = function* (value, path) {
  const { diskName, diskURI, cachingMode, kind } = fieldsOf(value);
  yield* requiredValue()(diskName, `${path}.diskName`);
  yield* requiredValue()(diskURI, `${path}.diskURI`);
  yield* oneOf('None', 'ReadOnly', 'ReadWrite')(cachingMode, `${path}.cachingMode`);
  yield* oneOf('Dedicated', 'Managed', 'Shared')(kind, `${path}.kind`);
  const [start, form] =
    kind === 'Managed'
      ? [
          '/subscriptions/',
          '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
        ]
      : ['https://', 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'];
  if (isThere(kind) && !textOf(diskURI).startsWith(start)) yield* oneOf(form)(diskURI ?? '', `${path}.diskURI`);
};

/** Rule of CSI driver names. */
export const csiDriverName: Rule = function* (value, path) {
  const name = textOf(value);
  if (name === '') yield required(path);
  if (name.length > 63) yield { type: 'TooLong', field: path, detail: 'may not be more than 63 bytes' };
  for (const detail of isSubdomain(name.toLowerCase())) yield invalid(path, name, detail);
};

const secretOf = optional(
  fields({ name: requiredValue('', named(isSubdomain)), namespace: requiredValue('', named(isLabel)) }),
);
const plainSecret = optional(fields({ name: requiredValue(), namespace: requiredValue() }));

/** Rules of sources by name; those that pods validate differently are not included. */
export const persistentSources: Readonly<Record<string, Rule>> = {
  hostPath,
  gcePersistentDisk: (value, path) =>
    fields({ pdName: requiredValue(), partition })(value, path.replace('gcePersistentDisk', 'persistentDisk')),
  awsElasticBlockStore: fields({ volumeID: requiredValue(), partition }),
  glusterfs: fields({
    endpoints: requiredValue(),
    path: requiredValue(),
    endpointsNamespace: optional(namespaceOfEndpoints),
  }),
  flocker,
  nfs,
  rbd: fields({ monitors: some(), image: requiredValue() }),
  quobyte,
  cephfs: fields({ monitors: some() }),
  cinder: fields({ volumeID: requiredValue(), secretRef: plainSecret }),
  fc: fibreChannel,
  flexVolume: fields({ driver: requiredValue(), options: flexOptions }),
  azureFile: fields({
    secretName: requiredValue(),
    shareName: requiredValue(),
    secretNamespace: (value, path) => (value === '' ? [required(path)] : []),
  }),
  vsphereVolume: fields({ volumePath: requiredValue() }),
  photonPersistentDisk: fields({ pdID: requiredValue() }),
  portworxVolume: fields({ volumeID: requiredValue() }),
  azureDisk,
  scaleIO: fields({ gateway: requiredValue(), system: requiredValue(), volumeName: requiredValue() }),
  local: fields({ path: requiredValue('', noBacksteps) }),
  storageos: fields({
    volumeName: requiredValue('', named(isLabel)),
    volumeNamespace: optionalOrEmpty(named(isLabel)),
    secretRef: plainSecret,
  }),
  csi: all(
    fields({
      driver: csiDriverName,
      volumeHandle: requiredValue(),
      controllerPublishSecretRef: secretOf,
      controllerExpandSecretRef: secretOf,
      nodePublishSecretRef: secretOf,
      nodeExpandSecretRef: secretOf,
    }),
  ),
};

/** Names of sources, in the server's order of validation. */
const order = Object.keys(persistentSources).flatMap((name) => (name === 'cinder' ? ['iscsi', name] : [name]));

/** Returns the source of a volume's spec. */
export const sourceOf = (spec: Fields): Fields =>
  Object.fromEntries(order.filter((name) => isThere(spec[name])).map((name) => [name, spec[name]]));

/** Reports whether two specs have the same source; a CSI expansion secret may be added later. */
export function isSameSource(now: Fields, before: Fields): boolean {
  const [csi, former] = [fieldsOf(now.csi), fieldsOf(before.csi)];
  const isLate = isThere(before.csi) && former.controllerExpandSecretRef === undefined;
  const { controllerExpandSecretRef: _secret, ...others } = csi;
  return equal(sourceOf(isLate && isThere(now.csi) ? { ...now, csi: others } : now), sourceOf(before));
}

/** Validates that exactly one source is set, and validates it; `volume` is the volume's name. */
export function* sourceErrors(spec: Fields, path: string, volume: string): Generator<FieldError> {
  let isFirst = true;
  for (const name of order) {
    if (!isThere(spec[name])) continue;
    const at = `${path}.${name}`;
    // The server ignores earlier sources when it counts a flex volume.
    if (!isFirst && name !== 'flexVolume') {
      yield forbidden(name === 'cephfs' ? `${path}.cephFS` : at, 'may not specify more than 1 volume type');
      continue;
    }
    isFirst = false;
    if (name === 'iscsi') yield* iscsiErrors(fieldsOf(spec.iscsi), at, volume);
    else yield* persistentSources[name]!(spec[name], at);
    if (name === 'local' && !isThere(spec.nodeAffinity)) {
      yield required(`${path}.nodeAffinity`, 'Local volume requires node affinity');
    }
  }
  if (isFirst) yield required(path, 'must specify a volume type');
}
