import { type Fields, isFields } from '../apimachinery/object.ts';
import { asGiven } from '../apimachinery/validation/emptied.ts';
import { defaultCrd, definitionSpecOf } from '../crd/definition.ts';
import { type DefaultRule, fieldsOf, isEmpty, withMissing, withoutFields } from '../resources/default-rule.ts';
import { kindDefaults } from './built-in-kinds.ts';
import { withoutDisabled } from './core/pods/disabled-fields.ts';
import { podDefaults, pullPolicyOf } from './core/pods/pod-defaults.ts';
import { serviceDefaults, servicePortDefaults, serviceStatusDefaults } from './core/services/service-defaults.ts';
import { deviceDefaults } from './resource/device-defaults.ts';

/** `serviceAccountName` and its deprecated alias `serviceAccount` default to each other. */
const podSpec: DefaultRule = (value) => {
  const spec = withoutDisabled(value);
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  return name === undefined ? spec : { ...spec, serviceAccountName: name, serviceAccount: name };
};

const container: DefaultRule = (value) => withMissing(value, { imagePullPolicy: pullPolicyOf(value.image) });

const secret: DefaultRule = ({ stringData, ...value }) => {
  if (!isFields(stringData)) return value;
  const added = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  return { ...value, data: { ...fieldsOf(value.data), ...Object.fromEntries(added) } };
};

const nameLabel = 'kubernetes.io/metadata.name';

const namespace: DefaultRule = (value) => {
  const metadata = fieldsOf(value.metadata);
  const { name, labels } = metadata;
  if (typeof name !== 'string' || name === '' || fieldsOf(labels)[nameLabel] === name) return value;
  return { ...value, metadata: { ...metadata, labels: { ...fieldsOf(labels), [nameLabel]: name } } };
};

const volume: DefaultRule = (value) => (Object.keys(value).length > 1 ? value : { ...value, emptyDir: {} });

const grpc: DefaultRule = (value) =>
  value.service === undefined || value.service === null ? { ...value, service: '' } : value;

const networkPolicy: DefaultRule = (spec) => {
  const hasEgress = Array.isArray(spec.egress) && spec.egress.length > 0;
  return withMissing(spec, { policyTypes: hasEgress ? ['Ingress', 'Egress'] : ['Ingress'] });
};

const subject: DefaultRule = (value) =>
  value.kind === 'ServiceAccount' ? value : withMissing(value, { apiGroup: 'rbac.authorization.k8s.io' });

/** `podCIDR` and the first of `podCIDRs` default to each other. */
const nodeSpec: DefaultRule = (spec) => {
  const [first] = Array.isArray(spec.podCIDRs) ? spec.podCIDRs : [];
  if (spec.podCIDR) return spec.podCIDR === first ? spec : { ...spec, podCIDRs: [spec.podCIDR] };
  return first === undefined ? spec : { ...spec, podCIDR: first };
};

const scaleUp: Fields = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const scaleDown: Fields = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

/** Defaults scaling rules; an explicitly empty list of policies stays empty. */
function scalingRules(given: unknown, missing: Fields): Fields {
  const rules = fieldsOf(given);
  const { policies: _policies, ...others } = missing;
  return withMissing(rules, asGiven(rules, 'policies') === undefined ? missing : others);
}

const behavior: DefaultRule = (value) => ({
  ...value,
  scaleUp: scalingRules(value.scaleUp, scaleUp),
  scaleDown: scalingRules(value.scaleDown, scaleDown),
});

/** Defaults of PersistentVolumes; inline volumes in other kinds are not defaulted. */
const persistentVolume: DefaultRule = (value) => {
  const spec = fieldsOf(value.spec);
  const { persistentVolumeReclaimPolicy: policy = 'Retain', volumeMode = 'Filesystem' } = spec;
  return { ...value, spec: { ...spec, persistentVolumeReclaimPolicy: policy, volumeMode } };
};

/** A node's allocatable resources default to its capacity. */
const nodeStatus: DefaultRule = (status) =>
  isFields(status.capacity) && status.allocatable === undefined ? { ...status, allocatable: status.capacity } : status;

/** Adds the storage version to the stored versions of a definition. */
const definition: DefaultRule = (value) => {
  const crd = defaultCrd(value);
  const storage = definitionSpecOf(crd).versions?.find((version) => version.storage)?.name;
  const status = fieldsOf(crd.status);
  const stored = Array.isArray(status.storedVersions) ? status.storedVersions : [];
  if (storage === undefined || stored.includes(storage)) return crd;
  return { ...crd, status: { ...status, storedVersions: [...stored, storage] } };
};

/** Container limits default to the maximum, requests to the limit or else the minimum. */
const limitRangeItem: DefaultRule = (item) => {
  if (item.type !== 'Container') return item;
  const limits = withMissing(fieldsOf(item.default), fieldsOf(item.max));
  const requests = withMissing(withMissing(fieldsOf(item.defaultRequest), limits), fieldsOf(item.min));
  const filled = Object.entries({ default: limits, defaultRequest: requests }).filter(([, list]) => !isEmpty(list));
  return { ...item, ...Object.fromEntries(filled) };
};

/** Defaults that depend on other fields, by type. */
export const defaultRules: Readonly<Record<string, DefaultRule>> = {
  ...kindDefaults,
  'core.LimitRangeItem': limitRangeItem,
  'core.Namespace': namespace,
  'core.NodeSpec': nodeSpec,
  'core.NodeStatus': nodeStatus,
  'core.PersistentVolume': persistentVolume,
  ...deviceDefaults,
  'coordination.LeaseSpec': withoutFields('strategy', 'preferredHolder'),
  'storage.VolumeError': withoutFields('errorCode'),
  'discovery.Endpoint': withoutFields('deprecatedTopology'),
  'core.Pod': podDefaults,
  'core.PodSpec': podSpec,
  'core.Container': container,
  'core.EphemeralContainer': container,
  'core.Volume': volume,
  'core.Service': serviceStatusDefaults,
  'core.GRPCAction': grpc,
  'core.ServiceSpec': serviceDefaults,
  'core.ServicePort': servicePortDefaults,
  'core.Secret': secret,
  'networking.NetworkPolicySpec': networkPolicy,
  'rbac.Subject': subject,
  'autoscaling2.HorizontalPodAutoscalerBehavior': behavior,
  'apiextensions.CustomResourceDefinition': definition,
};
