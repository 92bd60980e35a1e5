/** Formats values in error messages as the server's internal Go structs. */

import { escapedHtml, type FieldError } from '../apimachinery/field-error.ts';
import { unifiedDiff } from '../apimachinery/go/unified-diff.ts';
import type { Fields } from '../apimachinery/object.ts';
import { asGiven } from '../apimachinery/validation/emptied.ts';
import { zeroes } from './decode.ts';
import { fieldsOf } from './default-rule.ts';
import type { FieldInfo, TypeInfo, TypeRef, TypeTable } from './type-table.ts';

/** Value that a message shows as an internal Go struct, such as `core.Taint`. */
export interface GoValue {
  readonly [goType]: string;
  readonly value: unknown;
}

const goType: unique symbol = Symbol('the type of a value in messages');

/** Marks a value to be shown as an internal Go struct; `[core.Taint]` is a list of them. */
export const asGo = (type: string, value: unknown): GoValue => ({ [goType]: type, value });

/** Reports whether {@link asGo} has marked a value. */
export const isGoValue = (value: unknown): value is GoValue =>
  typeof value === 'object' && value !== null && goType in value;

/** Initialisms that Go writes in capitals at the start of names. */
const initials =
  /^(?:api|aws|ca|cel|chap|cidr|csi|dns|fc|fs|gce|gmsa|grpc|http|ip|iqn|iscsi|nfs|os|pd|qos|rbd|ssl|tcp|tls|tty|ttl|uid|url)(?=[A-Z]|$)/;

/** Fields with other names in the internal structs, by type and name. */
const renamed: Readonly<Record<string, string>> = {
  'resource.DeviceAttribute.bool': 'BoolValue',
  'resource.DeviceAttribute.int': 'IntValue',
  'resource.DeviceAttribute.string': 'StringValue',
  'resource.DeviceAttribute.version': 'VersionValue',
  'networking.ServiceCIDRSpec.cidrs': 'CIDRs',
  'core.AzureDiskVolumeSource.diskURI': 'DataDiskURI',
  'core.ContainerStatus.lastState': 'LastTerminationState',
  'core.Event.reportingComponent': 'ReportingController',
  'core.FCVolumeSource.wwids': 'WWIDs',
  'core.GlusterfsPersistentVolumeSource.endpoints': 'EndpointsName',
  'core.GlusterfsVolumeSource.endpoints': 'EndpointsName',
  'core.ISCSIPersistentVolumeSource.chapAuthDiscovery': 'DiscoveryCHAPAuth',
  'core.ISCSIPersistentVolumeSource.chapAuthSession': 'SessionCHAPAuth',
  'core.ISCSIVolumeSource.chapAuthDiscovery': 'DiscoveryCHAPAuth',
  'core.ISCSIVolumeSource.chapAuthSession': 'SessionCHAPAuth',
  'core.NodeSpec.externalID': 'DoNotUseExternalID',
  'core.PersistentVolumeSource.cephfs': 'CephFS',
  'core.PersistentVolumeSource.storageos': 'StorageOS',
  'core.RBDPersistentVolumeSource.image': 'RBDImage',
  'core.RBDPersistentVolumeSource.monitors': 'CephMonitors',
  'core.RBDPersistentVolumeSource.pool': 'RBDPool',
  'core.RBDPersistentVolumeSource.user': 'RadosUser',
  'core.RBDVolumeSource.image': 'RBDImage',
  'core.RBDVolumeSource.monitors': 'CephMonitors',
  'core.RBDVolumeSource.pool': 'RBDPool',
  'core.RBDVolumeSource.user': 'RadosUser',
  'core.Volume.cephfs': 'CephFS',
  'core.Volume.storageos': 'StorageOS',
};

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Field orders of internal structs that differ from the published types, or omit fields. */
const orders: Readonly<Record<string, readonly string[]>> = {
  'core.PersistentVolumeSource':
    wordsOf(`gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd quobyte iscsi
    flexVolume cinder cephfs fc flocker azureFile vsphereVolume azureDisk photonPersistentDisk portworxVolume scaleIO local
    storageos csi`),
  'core.PodSpec':
    wordsOf(`volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds
    activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName automountServiceAccountToken nodeName securityContext
    imagePullSecrets hostname subdomain setHostnameAsFQDN affinity schedulerName tolerations hostAliases priorityClassName
    priority preemptionPolicy dnsConfig readinessGates runtimeClassName overhead enableServiceLinks topologySpreadConstraints
    os schedulingGates resourceClaims resources hostnameOverride`),
  'core.PodSecurityContext':
    wordsOf(`seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot supplementalGroups supplementalGroupsPolicy
    fsGroup fsGroupChangePolicy sysctls seccompProfile appArmorProfile seLinuxChangePolicy`),
  'core.Volume':
    wordsOf(`name hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs
    persistentVolumeClaim rbd quobyte flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume
    azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos csi ephemeral image`),
  'batch.JobSpec': wordsOf(`parallelism completions podFailurePolicy successPolicy activeDeadlineSeconds backoffLimit
    backoffLimitPerIndex maxFailedIndexes selector manualSelector template ttlSecondsAfterFinished completionMode suspend
    podReplacementPolicy managedBy`),
};

/** Types that are part of a larger internal struct. */
const partOf: Readonly<Record<string, string>> = { 'core.PersistentVolumeSource': 'core.PersistentVolumeSpec' };

/** Fields of a pod that are internally in its security context, with their empty values. */
const inSecurityContext: Fields = {
  hostNetwork: false,
  hostPID: false,
  hostIPC: false,
  shareProcessNamespace: null,
  hostUsers: null,
};

const goNameOf = (type: string, name: string): string => {
  const known = renamed[`${type}.${name}`];
  if (known !== undefined) return known;
  if (name.startsWith('seLinux')) return name.replace('seLinux', 'SELinux');
  const start = initials.exec(name)?.[0] ?? name.charAt(0);
  return start.toUpperCase() + name.slice(start.length);
};

function formOf(types: TypeTable, type: TypeRef, value: unknown): unknown {
  if (type.is === 'scalar') return value ?? zeroes[type.scalar] ?? null;
  if (type.is === 'struct') return structForm(types, type.name, fieldsOf(value));
  if (value === undefined || value === null) return null;
  if (type.is === 'list') return (value as unknown[]).map((item) => formOf(types, type.of, item));
  const entries = Object.entries(value as Fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, formOf(types, type.of, member)]));
}

const fieldForm = (types: TypeTable, { type, whenEmpty }: FieldInfo, value: unknown): unknown =>
  (value === undefined || value === null) && (whenEmpty === 'kept' || whenEmpty === 'null')
    ? null
    : formOf(types, type, value);

const fieldsIn = (types: TypeTable, name: string): readonly FieldInfo[] => {
  const info: TypeInfo = types(partOf[name] ?? name);
  const order = orders[name];
  return order === undefined ? [...info.fields.values()] : order.flatMap((field) => info.fields.get(field) ?? []);
};

/** Formats a struct. Metadata keeps its JSON names and is embedded. */
function structForm(types: TypeTable, name: string, value: Fields): unknown {
  if (name.startsWith('meta.')) return value;
  const form: Fields = {};
  for (const field of fieldsIn(types, name)) {
    const { name: member } = field;
    if (member === 'metadata') Object.assign(form, fieldsOf(value.metadata));
    else form[goNameOf(name, member)] = fieldForm(types, field, asGiven(value, member));
  }
  if (name !== 'core.PodSpec' || value.securityContext === undefined) return form;
  const moved = Object.entries(inSecurityContext).map(([member, none]) => [
    goNameOf(name, member),
    value[member] ?? none,
  ]);
  return { ...form, SecurityContext: { ...Object.fromEntries(moved), ...fieldsOf(form.SecurityContext) } };
}

/** Formats a value as the internal Go struct of a type: all fields, with Go's names in Go's order. */
export function goForm(types: TypeTable, type: string, value: unknown): unknown {
  if (!type.startsWith('['))
    return value === undefined || value === null ? null : structForm(types, type, fieldsOf(value));
  return formOf(types, { is: 'list', of: { is: 'struct', name: type.slice(1, -1) } }, value);
}

/** Two values of a type whose difference a message shows. */
export interface Comparison {
  readonly type: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Error whose value or difference is shown as internal Go structs. */
export interface ComparingError extends FieldError {
  /** Values whose difference follows the detail, on lines of its own. */
  readonly compared?: Comparison;
}

function differenceOf(types: TypeTable, { type, before, after }: Comparison): string {
  const textOf = (value: unknown): string => escapedHtml(JSON.stringify(goForm(types, type, value), null, 1));
  return unifiedDiff(textOf(before), textOf(after));
}

/** Formats the error as it is sent: marked values and comparisons as Go writes them. */
export function shownInGo(types: TypeTable, { compared, ...error }: ComparingError): FieldError {
  const detail = compared === undefined ? error.detail : `${error.detail}\n${differenceOf(types, compared)}`;
  const value = isGoValue(error.value) ? goForm(types, error.value[goType], error.value.value) : error.value;
  return { ...error, ...(detail !== undefined && { detail }), ...('value' in error && { value }) };
}
