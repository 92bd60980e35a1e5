import { type Fields, isFields } from '../apimachinery/object.ts';
import { asGiven } from '../apimachinery/validation/emptied.ts';
import { defaultCrd, definitionSpecOf } from '../crd/definition.ts';
import { type DefaultRule, fieldsOf, isEmpty, withMissing, withoutFields } from '../resources/default-rule.ts';
import { withoutDisabled } from './core/pods/disabled-fields.ts';
import { podDefaults, pullPolicyOf } from './core/pods/pod-defaults.ts';
import { serviceDefaults, servicePortDefaults, serviceStatusDefaults } from './core/services/service-defaults.ts';
import { deviceDefaults } from './resource/device-defaults.ts';

const rollingUpdate =
  (name: string, defaults: Fields): DefaultRule =>
  (spec) => {
    const strategy = fieldsOf(spec[name]);
    const { type = 'RollingUpdate' } = strategy;
    if (type !== 'RollingUpdate') return spec;
    const filled = { ...strategy, type, rollingUpdate: withMissing(fieldsOf(strategy.rollingUpdate), defaults) };
    return { ...spec, [name]: filled };
  };

const claimType: Fields = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };

const statefulSet: DefaultRule = (given) => {
  const { volumeClaimTemplates: claims } = given;
  const spec = Array.isArray(claims)
    ? { ...given, volumeClaimTemplates: claims.map((claim: Fields) => ({ ...claim, ...claimType })) }
    : given;
  return withPartition(spec);
};

/** A StatefulSet's `rollingUpdate` is defaulted only when its type is. */
const withPartition: DefaultRule = (spec) => {
  const { type, ...strategy } = fieldsOf(spec.updateStrategy);
  if (type !== undefined && !(type === 'RollingUpdate' && isFields(strategy.rollingUpdate))) return spec;
  const update = withMissing(fieldsOf(strategy.rollingUpdate), { partition: 0 });
  return { ...spec, updateStrategy: { type: 'RollingUpdate', ...strategy, rollingUpdate: update } };
};

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

const jobSpec: DefaultRule = (spec) => {
  const { completions, parallelism, podFailurePolicy, backoffLimitPerIndex } = spec;
  return withMissing(spec, {
    completions: parallelism === undefined && completions === undefined ? 1 : undefined,
    parallelism: 1,
    backoffLimit: backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
  });
};

/** A Job without labels gets those of its pods; labels that are generated on creation are added later. */
const job: DefaultRule = (value) => {
  const spec = jobSpec(fieldsOf(value.spec));
  const { labels } = fieldsOf(fieldsOf(spec.template).metadata);
  const metadata = fieldsOf(value.metadata);
  const isBeingMade = metadata.uid !== undefined && metadata.resourceVersion === undefined;
  const inherits = isEmpty(metadata.labels) && !isEmpty(labels) && !isBeingMade;
  return { ...value, spec, ...(inherits && { metadata: { ...metadata, labels } }) };
};

const replicationController: DefaultRule = (value) => {
  const spec = fieldsOf(value.spec);
  const { labels } = fieldsOf(fieldsOf(spec.template).metadata);
  const metadata = fieldsOf(value.metadata);
  return {
    ...value,
    metadata: isEmpty(metadata.labels) && !isEmpty(labels) ? { ...metadata, labels } : value.metadata,
    spec: isEmpty(spec.selector) && !isEmpty(labels) ? { ...spec, selector: labels } : value.spec,
  };
};

const nameLabel = 'kubernetes.io/metadata.name';

const namespace: DefaultRule = (value) => {
  const metadata = fieldsOf(value.metadata);
  const { name, labels } = metadata;
  if (typeof name !== 'string' || name === '' || fieldsOf(labels)[nameLabel] === name) return value;
  return { ...value, metadata: { ...metadata, labels: { ...fieldsOf(labels), [nameLabel]: name } } };
};

const generationAnnotation = 'deprecated.daemonset.template.generation';

const daemonSet: DefaultRule = (value) => {
  const metadata = fieldsOf(value.metadata);
  const annotations = withMissing(fieldsOf(metadata.annotations), { [generationAnnotation]: '1' });
  return annotations === metadata.annotations ? value : { ...value, metadata: { ...metadata, annotations } };
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
  'core.ReplicationController': replicationController,
  'apps.DeploymentSpec': rollingUpdate('strategy', { maxUnavailable: '25%', maxSurge: '25%' }),
  'apps.DaemonSetSpec': rollingUpdate('updateStrategy', { maxUnavailable: 1, maxSurge: 0 }),
  'apps.DaemonSet': daemonSet,
  'apps.StatefulSetSpec': statefulSet,
  'batch.Job': job,
  'networking.NetworkPolicySpec': networkPolicy,
  'rbac.Subject': subject,
  'autoscaling2.HorizontalPodAutoscalerBehavior': behavior,
  'apiextensions.CustomResourceDefinition': definition,
};
