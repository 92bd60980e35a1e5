import type { FieldError } from '../../apimachinery/field-error.ts';
import { isSubdomain } from '../../apimachinery/names.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import {
  type Check,
  changed,
  fieldsOf,
  forbidden,
  invalid,
  listOf,
  required,
  unsupported,
} from '../../apimachinery/validation/checks.ts';
import {
  all,
  amountOrPercent,
  fields,
  given,
  labelSelector,
  named,
  needed,
  oneOf,
} from '../../apimachinery/validation/rules.ts';
import { asGo } from '../../resources/go-form.ts';
import { atMostAll } from '../apps/workload-rules.ts';
import { horizontalPodAutoscaler } from '../autoscaling/autoscaling-checks.ts';

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
      if (['apiGroups', 'resources', 'resourceNames'].some(has)) {
        const detail = 'rules cannot apply to both regular resources and non-resource URLs';
        yield invalid(`${at}.nonResourceURLs`, rule.nonResourceURLs, detail);
      }
      continue;
    }
    if (!has('apiGroups')) yield required(`${at}.apiGroups`, 'resource rules must supply at least one api group');
    if (!has('resources')) yield required(`${at}.resources`, 'resource rules must supply at least one resource');
  }
}

const role = (namespaced: boolean): Check =>
  function* ({ rules, aggregationRule }) {
    yield* ruleErrors(listOf(rules), namespaced);
    if (namespaced || aggregationRule === undefined) return;
    const at = 'aggregationRule.clusterRoleSelectors';
    const selectors = listOf(fieldsOf(aggregationRule).clusterRoleSelectors);
    if (selectors.length === 0) {
      yield required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
    }
    for (const [index, selector] of selectors.entries()) {
      const errors = [...labelSelector(selector, `${at}[${index}]`)];
      yield* errors;
      if (errors.length > 0) yield invalid(`${at}[${index}]`, null, 'invalid label selector.');
    }
  };

const rbac = 'rbac.authorization.k8s.io';
const subjectKinds = ['ServiceAccount', 'User', 'Group'];

function* subjectErrors(subject: Fields, at: string, isOfCluster: boolean): Generator<FieldError> {
  if (!subject.name) yield required(`${at}.name`);
  else if (subject.kind === 'ServiceAccount') yield* named(isSubdomain)(subject.name, `${at}.name`);
  yield* unsupported(`${at}.kind`, subject.kind ?? '', subjectKinds);
  if (subject.kind === 'User' || subject.kind === 'Group') {
    yield* unsupported(`${at}.apiGroup`, subject.apiGroup, [rbac]);
  }
  if (subject.kind !== 'ServiceAccount') return;
  yield* unsupported(`${at}.apiGroup`, subject.apiGroup, ['']);
  // A RoleBinding provides its own namespace.
  if (isOfCluster && !subject.namespace) yield required(`${at}.namespace`);
}

function* bindingErrors({ roleRef, subjects }: Fields, kinds: readonly string[]): Generator<FieldError> {
  const { apiGroup, kind, name } = fieldsOf(roleRef);
  yield* unsupported('roleRef.apiGroup', apiGroup, [rbac]);
  yield* unsupported('roleRef.kind', kind ?? '', kinds);
  if (!name) yield required('roleRef.name');
  for (const [index, subject] of listOf(subjects).entries())
    yield* subjectErrors(subject, `subjects[${index}]`, kinds.length === 1);
}

const binding = (kinds: readonly string[]): Check =>
  function* (object, old) {
    yield* bindingErrors(object, kinds);
    if (old === undefined) return;
    yield* bindingErrors(object, kinds);
    const { apiGroup, kind, name } = fieldsOf(object.roleRef);
    if (!equal(object.roleRef, old.roleRef)) {
      yield invalid('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef');
    }
  };

const budget = fields({
  minAvailable: all(amountOrPercent, atMostAll),
  maxUnavailable: all(amountOrPercent, atMostAll),
  selector: given(labelSelector),
  unhealthyPodEvictionPolicy: oneOf('AlwaysAllow', 'IfHealthyBudget'),
});

const podDisruptionBudget: Check = function* ({ spec }) {
  const { minAvailable, maxUnavailable } = fieldsOf(spec);
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    yield invalid(
      'spec',
      asGo('policy.PodDisruptionBudgetSpec', spec),
      'minAvailable and maxUnavailable cannot be both set',
    );
  }
  yield* budget(spec, 'spec');
};

/** Largest priority that users may set. */
const highest = 1_000_000_000;
const systemPrefix = 'system-';
const systemClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

/** Reports the problem of a class with a reserved name; undefined when it equals the system's own. */
function notOfSystem(name: string, { value, globalDefault }: Fields): string | undefined {
  const known = systemClasses[name];
  if (known === undefined) return `${name} is not a known system priority class`;
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

const preemption = needed('', oneOf('PreemptLowerPriority', 'Never'));

function* newPriorityErrors(object: Fields): Generator<FieldError> {
  const name = String(fieldsOf(object.metadata).name ?? '');
  if (name.startsWith(systemPrefix)) {
    const why = notOfSystem(name, object);
    const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${why}`;
    if (why !== undefined) yield forbidden('metadata.name', detail);
  } else if (Number(object.value ?? 0) > highest) {
    yield forbidden('value', `maximum allowed value of a user defined priority is ${highest}`);
  }
  yield* given(preemption)(object.preemptionPolicy, 'preemptionPolicy');
}

const priorityClass: Check = function* (object, old) {
  if (old === undefined) {
    yield* newPriorityErrors(object);
    return;
  }
  if (object.value !== old.value) yield forbidden('value', 'may not be changed in an update.');
  yield* changed('preemptionPolicy', object.preemptionPolicy, old.preemptionPolicy);
};

/** Checks of all other kinds with validation, by type. */
export const otherChecks: Readonly<Record<string, Check>> = {
  'coordination.Lease': lease,
  'rbac.Role': role(true),
  'rbac.ClusterRole': role(false),
  'rbac.RoleBinding': binding(['Role', 'ClusterRole']),
  'rbac.ClusterRoleBinding': binding(['ClusterRole']),
  'policy.PodDisruptionBudget': podDisruptionBudget,
  'autoscaling.HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'autoscaling2.HorizontalPodAutoscaler': horizontalPodAutoscaler,
  'scheduling.PriorityClass': priorityClass,
};
