/** ReplicaSets, and the status that ReplicationControllers share with them. */

import type { Rule } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, immutable, negative } from '../../apimachinery/validation/errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { workloadWarnings } from '../core/pods/warnings/template-warnings.ts';
import { amounts, statusOf, within } from '../status-validation.ts';
import { replicated } from './workload-validation.ts';

const check: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  yield* negative('spec.replicas', spec.replicas);
  yield* negative('spec.minReadySeconds', spec.minReadySeconds);
  yield* replicated(spec);
  if (old !== undefined) yield* immutable('spec.selector', spec.selector, fieldsOf(old.spec).selector);
};

const ofController: readonly Rule[] = [
  within('replicas', 'status.replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'),
  within('readyReplicas', 'readyReplicas', 'availableReplicas'),
];

const controllerAmounts = amounts(
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
);

/** Validates the status of a ReplicaSet or ReplicationController. */
export const replicaStatus = statusOf(controllerAmounts, ...ofController);

/** ReplicaSets. */
export const replicaSet: BuiltinKind = {
  values: { 'apps.ReplicaSetSpec': { replicas: 1 } },
  check,
  checkStatus: replicaStatus,
  warn: workloadWarnings,
};
