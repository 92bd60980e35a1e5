/** Validates workloads. */

import { type FieldError, notSupported } from '../../apimachinery/field-error.ts';
import { type Fields, isFields } from '../../apimachinery/object.ts';
import {
  type Check,
  changed,
  fieldsOf,
  forbidden,
  invalid,
  negative,
  required,
} from '../../apimachinery/validation/checks.ts';
import { all, amountOrPercent, labelSelector, needed, type Rule } from '../../apimachinery/validation/rules.ts';
import {
  emptySelector,
  isSelector,
  selectorErrors,
  selects,
  templateLabels,
  unselected,
  unselectedLabels,
} from '../../apimachinery/validation/selector-checks.ts';
import { asGo } from '../../resources/go-form.ts';
import { lasting, templateErrors } from '../core/pods/template-checks.ts';
import { statefulSet } from './stateful-set-checks.ts';

const template = (kind: string): Rule => all(templateErrors, lasting(kind));

const percentOf = (value: unknown): number | undefined => {
  const [, percent] = /^([0-9]+)%$/.exec(String(value)) ?? [];
  return percent === undefined ? undefined : Number(percent);
};

/** Returns an amount or percentage as a number; 0 when it is invalid. */
const amountIn = (value: unknown): number =>
  (typeof value === 'number' ? value : (percentOf(value) ?? Number(value))) || 0;

/** Rule of percentages of at most 100%. */
export const atMostAll: Rule = function* (value, path) {
  if ((percentOf(value) ?? 0) > 100) yield invalid(path, value, 'must not be greater than 100%');
};

const rolledDaemons: Rule = function* (value, path) {
  const { maxUnavailable = 0, maxSurge = 0 } = fieldsOf(value);
  yield* amountOrPercent(maxUnavailable, `${path}.maxUnavailable`);
  yield* amountOrPercent(maxSurge, `${path}.maxSurge`);
  yield* atMostAll(maxUnavailable, `${path}.maxUnavailable`);
  yield* atMostAll(maxSurge, `${path}.maxSurge`);
  const [unavailable, surge] = [amountIn(maxUnavailable), amountIn(maxSurge)];
  if (unavailable === 0 && surge === 0) yield required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
  else if (unavailable !== 0 && surge !== 0) {
    yield invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
};

const daemonSetStrategy: Rule = function* (value, path) {
  const { type, rollingUpdate } = fieldsOf(value);
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate')
    yield notSupported(path, asGo('apps.DaemonSetUpdateStrategy', value), ['RollingUpdate', 'OnDelete']);
  else yield* needed('', rolledDaemons)(rollingUpdate, `${path}.rollingUpdate`);
};

const daemonSet: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  if (old !== undefined) yield* changed('spec.selector', spec.selector, fieldsOf(old.spec).selector);
  yield* labelSelector(spec.selector, 'spec.selector');
  yield* unselected(spec);
  yield* emptySelector(spec.selector, 'daemonset');
  yield* template('DaemonSet')(spec.template, 'spec.template');
  yield* negative('spec.minReadySeconds', spec.minReadySeconds);
  yield* daemonSetStrategy(spec.updateStrategy, 'spec.updateStrategy');
  yield* negative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
};

/** Validates the selector and template of a workload with replicas. */
function* replicated(spec: Fields): Generator<FieldError> {
  yield* selectorErrors(spec, 'deployment', 'invalid label selector');
  if (!isSelector(spec.selector)) return;
  yield* unselected(spec);
  yield* template('ReplicaSet')(spec.template, 'spec.template');
}

const replicaSet: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  yield* negative('spec.replicas', spec.replicas);
  yield* negative('spec.minReadySeconds', spec.minReadySeconds);
  yield* replicated(spec);
  if (old !== undefined) yield* changed('spec.selector', spec.selector, fieldsOf(old.spec).selector);
};

const rolledDeployment: Rule = function* (value, path) {
  const { maxUnavailable = 0, maxSurge = 0 } = fieldsOf(value);
  yield* amountOrPercent(maxUnavailable, `${path}.maxUnavailable`);
  yield* amountOrPercent(maxSurge, `${path}.maxSurge`);
  if (amountIn(maxUnavailable) === 0 && amountIn(maxSurge) === 0) {
    yield invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  yield* atMostAll(maxUnavailable, `${path}.maxUnavailable`);
};

const deploymentStrategy: Rule = function* (value, path) {
  const { type, rollingUpdate } = fieldsOf(value);
  const at = `${path}.rollingUpdate`;
  if (type === 'Recreate') {
    if (rollingUpdate !== undefined) yield forbidden(at, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type === 'RollingUpdate')
    yield* needed('this should be defaulted and never be nil', rolledDeployment)(rollingUpdate, at);
  else yield notSupported(path, asGo('apps.DeploymentStrategy', value), ['Recreate', 'RollingUpdate']);
};

const deployment: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  yield* negative('spec.replicas', spec.replicas);
  yield* replicated(spec);
  yield* deploymentStrategy(spec.strategy, 'spec.strategy');
  yield* negative('spec.minReadySeconds', minReadySeconds);
  yield* negative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
  yield* negative('spec.progressDeadlineSeconds', deadline);
  if (typeof deadline === 'number' && deadline <= Number(minReadySeconds)) {
    yield invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds');
  }
  if (old !== undefined) yield* changed('spec.selector', spec.selector, fieldsOf(old.spec).selector);
};

function* controllerErrors(spec: Fields): Generator<FieldError> {
  const selector = fieldsOf(spec.selector);
  yield* negative('spec.minReadySeconds', spec.minReadySeconds);
  if (Object.keys(selector).length === 0) yield required('spec.selector');
  yield* negative('spec.replicas', spec.replicas);
  if (spec.template === undefined) {
    yield required('spec.template');
    return;
  }
  if (!selects({ matchLabels: selector }, templateLabels(spec))) {
    yield unselectedLabels(spec);
  }
  yield* template('ReplicationController')(spec.template, 'spec.template');
}

const replicationController: Check = function* ({ spec }, old) {
  yield* controllerErrors(fieldsOf(spec));
  // The server validates this twice and reports each error twice.
  if (old !== undefined) yield* controllerErrors(fieldsOf(spec));
};

/** Validates ControllerRevisions: the data is an immutable object. */
const controllerRevision: Check = function* ({ revision, data }, old) {
  yield* negative('revision', revision);
  if (old !== undefined) yield* changed('data', data, old.data);
  else if (data === undefined || data === null) yield required('data', 'data is mandatory');
  else if (!isFields(data)) yield required('data', 'data must be a valid JSON object');
};

/** Checks of workload kinds, by type. */
export const workloadChecks: Readonly<Record<string, Check>> = {
  'apps.Deployment': deployment,
  'apps.ReplicaSet': replicaSet,
  'apps.StatefulSet': statefulSet,
  'apps.DaemonSet': daemonSet,
  'apps.ControllerRevision': controllerRevision,
  'core.ReplicationController': replicationController,
};
