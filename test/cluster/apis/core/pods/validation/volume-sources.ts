/** Validation of the sources of volumes. */

import { isLabel, isSubdomain } from '../../../../apimachinery/name-validation.ts';
import {
  fields,
  inRange,
  members,
  named,
  optional,
  optionalOrEmpty,
  type Rule,
  requiredValue,
} from '../../../../apimachinery/validation/combinators.ts';
import { fieldsOf, forbidden, invalid, required } from '../../../../apimachinery/validation/errors.ts';
import { nanoOf } from '../../../../apimachinery/validation/quantity-rules.ts';
import { csiDriverName, persistentSources } from '../../volumes/persistent-volume-sources.ts';
import { filesOf, filesOfPod, projectedFiles } from './file-rules.ts';
import { descendingPath } from './path-rules.ts';

/** Rule of secret references with a required name. */
const secretRef: Rule = fields({ name: requiredValue() });
const lun = inRange(0, 255, 'must be between 0 and 255, inclusive');

const sizeLimit: Rule = function* (value, path) {
  if (nanoOf(value) < 0n) {
    yield forbidden(path, 'SizeLimit field must be a valid resource quantity');
  }
};

const initiatorFormats: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

const initiator: Rule = function* (value, path) {
  const text = String(value);
  const format = initiatorFormats[text.slice(0, 3)];
  if (format === undefined) yield invalid(path, text, 'must be valid format starting with iqn, eui, or naa');
  else if (!format.test(text)) yield invalid(path, text, 'must be valid format');
};

const iscsi: Rule = function* (value, path) {
  const source = fieldsOf(value);
  yield* fields({ targetPortal: requiredValue(), iqn: requiredValue('', initiator), lun })(source, path);
  if ((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef === undefined) {
    yield required(`${path}.secretRef`);
  }
  if (source.initiatorName !== undefined) yield* initiator(source.initiatorName, `${path}.initiatorname`);
};

const csi: Rule = function* (value, path) {
  const { driver, nodePublishSecretRef } = fieldsOf(value);
  yield* csiDriverName(driver, `${path}.driver`);
  if (nodePublishSecretRef === undefined) return;
  const { name } = fieldsOf(nodePublishSecretRef);
  if (!name) yield required(`${path}.nodePublishSecretRef.name`);
  else yield* named(isSubdomain)(name, `${path}.name`);
};

/** Returns the rules of sources that PersistentVolumes share. */
const shared = (...names: readonly string[]): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.map((name) => [name, persistentSources[name]!]));

/** Rules of volume sources in the server's order of validation; ephemeral volumes are validated separately. */
export const volumeSources: Readonly<Record<string, Rule>> = {
  emptyDir: members({ sizeLimit }),
  ...shared('hostPath'),
  gitRepo: fields({ repository: requiredValue(), directory: descendingPath }),
  ...shared('gcePersistentDisk', 'awsElasticBlockStore'),
  secret: filesOf('secretName'),
  ...shared('nfs'),
  iscsi,
  ...shared('glusterfs', 'flocker'),
  persistentVolumeClaim: fields({ claimName: requiredValue() }),
  ...shared('rbd'),
  cinder: fields({ volumeID: requiredValue(), secretRef: optional(secretRef) }),
  ...shared('cephfs', 'quobyte'),
  downwardAPI: filesOfPod,
  ...shared('fc', 'flexVolume'),
  configMap: filesOf('name'),
  ...shared('azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk'),
  storageos: fields({
    volumeName: requiredValue('', named(isLabel)),
    volumeNamespace: optionalOrEmpty(named(isLabel)),
    secretRef: optional(secretRef),
  }),
  projected: projectedFiles,
  ...shared('scaleIO'),
  csi,
};
