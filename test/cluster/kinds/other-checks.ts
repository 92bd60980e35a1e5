import { type FieldError, notSupported } from '../field-error.ts';
import { equal, type Fields } from '../objects/object.ts';
import { type Check, changed, fieldsOf, forbidden, invalid, listOf, required, unsupported } from './checks.ts';
import { isSubdomain } from './names.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function* accessModeErrors(spec: Fields): Generator<FieldError> {
  const modes = Array.isArray(spec.accessModes) ? spec.accessModes : [];
  if (modes.length === 0) yield required('spec.accessModes', 'at least 1 access mode is required');
  for (const mode of modes)
    if (!accessModes.includes(String(mode))) yield notSupported('spec.accessModes', mode, accessModes);
}

const claimMutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

const persistentVolumeClaim: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  yield* accessModeErrors(spec);
  const { storage } = fieldsOf(fieldsOf(spec.resources).requests);
  if (storage === undefined) yield required('spec.resources[storage]');
  if (old === undefined) return;
  const before = fieldsOf(old.spec);
  const fixed = ({ resources: _resources, volumeName: _name, volumeAttributesClassName: _class, ...rest }: Fields) =>
    rest;
  // A claim that named no class may get one later: the default.
  const { storageClassName = spec.storageClassName } = before;
  if (!equal(fixed(spec), fixed({ ...before, storageClassName }))) yield forbidden('spec', claimMutable);
};

const persistentVolume: Check = function* ({ spec: value }) {
  const spec = fieldsOf(value);
  yield* accessModeErrors(spec);
  if (Object.keys(fieldsOf(spec.capacity)).length === 0) yield required('spec.capacity');
};

const event: Check = function* ({ metadata, involvedObject }) {
  const { namespace } = fieldsOf(metadata);
  const about = fieldsOf(involvedObject).namespace ?? '';
  const isMismatch = about === '' ? namespace !== 'default' : about !== namespace;
  if (isMismatch) yield invalid('involvedObject.namespace', about, 'does not match event.namespace');
};

const lease: Check = function* ({ spec }) {
  const { leaseDurationSeconds, leaseTransitions } = fieldsOf(spec);
  if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0) {
    yield invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0');
  }
  if (typeof leaseTransitions === 'number' && leaseTransitions < 0) {
    yield invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0');
  }
};

function* ruleErrors(rules: readonly Fields[], namespaced: boolean): Generator<FieldError> {
  for (const [index, rule] of rules.entries()) {
    const at = `rules[${index}]`;
    const has = (name: string): boolean => Array.isArray(rule[name]) && rule[name].length > 0;
    if (!has('verbs')) yield required(`${at}.verbs`, 'verbs must contain at least one value');
    if (has('nonResourceURLs')) {
      if (namespaced)
        yield invalid(
          `${at}.nonResourceURLs`,
          rule.nonResourceURLs,
          'namespaced rules cannot apply to non-resource URLs',
        );
      continue;
    }
    if (!has('apiGroups')) yield required(`${at}.apiGroups`, 'resource rules must supply at least one api group');
    if (!has('resources')) yield required(`${at}.resources`, 'resource rules must supply at least one resource');
  }
}

const role = (namespaced: boolean): Check =>
  function* ({ rules }) {
    yield* ruleErrors(listOf(rules), namespaced);
  };

const subjectKinds = ['Group', 'ServiceAccount', 'User'];

const binding = (kinds: readonly string[]): Check =>
  function* ({ roleRef, subjects }, old) {
    const { apiGroup, kind, name } = fieldsOf(roleRef);
    yield* unsupported('roleRef.apiGroup', apiGroup, ['rbac.authorization.k8s.io']);
    yield* unsupported('roleRef.kind', kind, kinds);
    if (!name) yield required('roleRef.name');
    for (const [index, subject] of listOf(subjects).entries()) {
      if (!subject.name) yield required(`subjects[${index}].name`);
      yield* unsupported(`subjects[${index}].kind`, subject.kind, subjectKinds);
      if (subject.kind === 'ServiceAccount' && !subject.namespace) yield required(`subjects[${index}].namespace`);
    }
    if (old !== undefined && !equal(roleRef, old.roleRef)) {
      yield invalid('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef');
    }
  };

const sideEffects = ['None', 'NoneOnDryRun'];

function* webhookErrors(webhook: Fields, at: string): Generator<FieldError> {
  const { name, clientConfig, admissionReviewVersions } = webhook;
  const { url, service } = fieldsOf(clientConfig);
  for (const detail of isSubdomain(String(name ?? ''))) yield invalid(`${at}.name`, name, detail);
  if (String(name ?? '').split('.').length < 3) {
    yield invalid(`${at}.name`, name, 'should be a domain with at least three segments separated by dots');
  }
  if (!Array.isArray(admissionReviewVersions) || admissionReviewVersions.length === 0) {
    yield required(`${at}.admissionReviewVersions`, 'must specify one of v1, v1beta1');
  }
  if (webhook.sideEffects === undefined) yield required(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun');
  else yield* unsupported(`${at}.sideEffects`, webhook.sideEffects, sideEffects);
  yield* unsupported(`${at}.failurePolicy`, webhook.failurePolicy, ['Fail', 'Ignore']);
  if ((url === undefined) === (service === undefined)) {
    yield required(`${at}.clientConfig`, 'exactly one of url or service is required');
  } else if (typeof url === 'string' && !url.startsWith('https://')) {
    const scheme = url.split(':', 1)[0];
    yield invalid(
      `${at}.clientConfig.url`,
      scheme,
      "'https' is the only allowed URL scheme; desired format: https://host[/path]",
    );
  }
}

const webhooks: Check = function* (object) {
  for (const [index, webhook] of listOf(object.webhooks).entries()) yield* webhookErrors(webhook, `webhooks[${index}]`);
};

const podDisruptionBudget: Check = function* ({ spec }) {
  const { minAvailable, maxUnavailable } = fieldsOf(spec);
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    yield invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set');
  }
};

const horizontalPodAutoscaler: Check = function* ({ spec }) {
  const { maxReplicas, minReplicas, scaleTargetRef } = fieldsOf(spec);
  if (typeof minReplicas === 'number' && minReplicas < 1) {
    yield invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1');
  }
  if (typeof maxReplicas !== 'number' || maxReplicas < 1) {
    yield invalid('spec.maxReplicas', maxReplicas ?? 0, 'must be greater than 0');
  } else if (typeof minReplicas === 'number' && maxReplicas < minReplicas) {
    yield invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  const { kind, name } = fieldsOf(scaleTargetRef);
  if (!kind) yield required('spec.scaleTargetRef.kind');
  if (!name) yield required('spec.scaleTargetRef.name');
};

const priorityClass: Check = function* (object, old) {
  if (old !== undefined && object.value !== old.value) yield forbidden('value', 'may not be changed in an update.');
};

const storageClass: Check = function* (object, old) {
  if (!object.provisioner) yield required('provisioner');
  if (old === undefined) return;
  if (!equal(object.parameters, old.parameters)) yield forbidden('parameters', 'updates to parameters are forbidden.');
  if (object.provisioner !== old.provisioner) yield forbidden('provisioner', 'updates to provisioner are forbidden.');
  yield* changed('volumeBindingMode', object.volumeBindingMode, old.volumeBindingMode);
};

/** Rules of all other kinds that have any, by type. */
export const otherChecks: Readonly<Record<string, Check>> = {
  'core.PersistentVolumeClaim': persistentVolumeClaim,
  'core.PersistentVolume': persistentVolume,
  'core.Event': event,
  'coordination.Lease': lease,
  'rbac.Role': role(true),
  'rbac.ClusterRole': role(false),
  'rbac.RoleBinding': binding(['ClusterRole', 'Role']),
  'rbac.ClusterRoleBinding': binding(['ClusterRole']),
  'admissionregistration.ValidatingWebhookConfiguration': webhooks,
  'admissionregistration.MutatingWebhookConfiguration': webhooks,
  'policy.PodDisruptionBudget': podDisruptionBudget,
  'autoscaling.HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'autoscaling2.HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'scheduling.PriorityClass': priorityClass,
  'storage.StorageClass': storageClass,
};
