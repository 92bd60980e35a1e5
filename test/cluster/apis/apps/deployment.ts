/** Defaults, validation and warnings of Deployments. */

import { notSupported } from '../../apimachinery/field-error.ts';
import { amountOrPercent, type Rule, requiredValue } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, immutable, invalid, negative } from '../../apimachinery/validation/errors.ts';
import { asGo } from '../../resources/go-form.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { workloadWarnings } from '../core/pods/warnings/template-warnings.ts';
import { amounts, statusOf, within } from '../status-validation.ts';
import { amountIn, atMostAll, replicated, rollingUpdate } from './workload-validation.ts';

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
  const { type, rollingUpdate: rolled } = fieldsOf(value);
  const at = `${path}.rollingUpdate`;
  if (type === 'Recreate') {
    if (rolled !== undefined) yield forbidden(at, "may not be specified when strategy `type` is 'Recreate'");
  } else if (type === 'RollingUpdate')
    yield* requiredValue('this should be defaulted and never be nil', rolledDeployment)(rolled, at);
  else yield notSupported(path, asGo('apps.DeploymentStrategy', value), ['Recreate', 'RollingUpdate']);
};

const check: Check = function* ({ spec: value }, old) {
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
  if (old !== undefined) yield* immutable('spec.selector', spec.selector, fieldsOf(old.spec).selector);
};

/** Deployments. */
export const deployment: BuiltinKind = {
  values: { 'apps.DeploymentSpec': { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 } },
  defaults: { 'apps.DeploymentSpec': rollingUpdate('strategy', { maxUnavailable: '25%', maxSurge: '25%' }) },
  check,
  checkStatus: statusOf(
    amounts('observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'),
    amounts('unavailableReplicas', 'terminatingReplicas', 'collisionCount'),
    within('replicas', 'status.replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'),
    within('readyReplicas', 'readyReplicas', 'availableReplicas'),
  ),
  warn: workloadWarnings,
};
