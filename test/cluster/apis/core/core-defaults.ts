/** Defaults of core kinds that depend on other fields. */

import { isFields } from '../../apimachinery/object.ts';
import { type DefaultRule, fieldsOf, isEmpty, withMissing, withoutFields } from '../../resources/defaulting.ts';

/** Encodes `stringData` of a Secret into `data`. */
export const secretDefaults: DefaultRule = ({ stringData, ...value }) => {
  if (!isFields(stringData)) return value;
  const added = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  return { ...value, data: { ...fieldsOf(value.data), ...Object.fromEntries(added) } };
};

/** Defaults of PersistentVolumes; inline volumes in other kinds are not defaulted. */
export const volumeDefaults: DefaultRule = (value) => {
  const spec = fieldsOf(value.spec);
  const { persistentVolumeReclaimPolicy: policy = 'Retain', volumeMode = 'Filesystem' } = spec;
  return { ...value, spec: { ...spec, persistentVolumeReclaimPolicy: policy, volumeMode } };
};

/** A node's allocatable resources default to its capacity. */
export const nodeStatusDefaults: DefaultRule = (given) => {
  const status = withoutFields('declaredFeatures')(given);
  const isMissing = isFields(status.capacity) && status.allocatable === undefined;
  return isMissing ? { ...status, allocatable: status.capacity } : status;
};

/** Container limits default to the maximum, requests to the limit or else the minimum. */
export const limitDefaults: DefaultRule = (item) => {
  if (item.type !== 'Container') return item;
  const limits = withMissing(fieldsOf(item.default), fieldsOf(item.max));
  const requests = withMissing(withMissing(fieldsOf(item.defaultRequest), limits), fieldsOf(item.min));
  const filled = Object.entries({ default: limits, defaultRequest: requests }).filter(([, list]) => !isEmpty(list));
  return { ...item, ...Object.fromEntries(filled) };
};

const nameLabel = 'kubernetes.io/metadata.name';

/** Labels a Namespace with its name. */
export const namespaceDefaults: DefaultRule = (value) => {
  const metadata = fieldsOf(value.metadata);
  const { name, labels } = metadata;
  if (typeof name !== 'string' || name === '' || fieldsOf(labels)[nameLabel] === name) return value;
  return { ...value, metadata: { ...metadata, labels: { ...fieldsOf(labels), [nameLabel]: name } } };
};

/** `podCIDR` and the first of `podCIDRs` default to each other. */
export const nodeSpecDefaults: DefaultRule = (spec) => {
  const [first] = Array.isArray(spec.podCIDRs) ? spec.podCIDRs : [];
  if (spec.podCIDR) return spec.podCIDR === first ? spec : { ...spec, podCIDRs: [spec.podCIDR] };
  return first === undefined ? spec : { ...spec, podCIDR: first };
};
