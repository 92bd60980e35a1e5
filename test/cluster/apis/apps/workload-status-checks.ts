import type { FieldError } from '../../apimachinery/field-error.ts';
import { isQualifiedName } from '../../apimachinery/names.ts';
import { type Check, fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/checks.ts';
import { fields, named, notNegative, oneOf, type Rule } from '../../apimachinery/validation/rules.ts';

/** Returns the rule of non-negative numbers, in this order. */
const amounts = (...names: readonly string[]): Rule =>
  fields(Object.fromEntries(names.map((name) => [name, notNegative])));

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Returns the rule of counts that must not exceed a total; `shown` is its name in the message. */
const within = (whole: string, shown: string, ...parts: readonly string[]): Rule =>
  function* (value, path) {
    const status = fieldsOf(value);
    for (const part of parts) {
      if (number(status[part]) <= number(status[whole])) continue;
      yield invalid(`${path}.${part}`, status[part], `cannot be greater than ${shown}`);
    }
  };

/** Returns the check of a status by rules; the collision count must not decrease. */
const status = (...rules: readonly Rule[]): Check =>
  function* (object, old) {
    for (const rule of rules) yield* rule(object.status, 'status');
    const [now, before] = [fieldsOf(object.status).collisionCount, fieldsOf(old?.status).collisionCount];
    if (typeof before === 'number' && number(now) < before) {
      yield invalid('status.collisionCount', number(now), 'cannot be decremented');
    }
  };

const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonDetail = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${reasonPattern}')`;
const longest = { reason: 1024, message: 32_768 };

function* tooLong(value: unknown, path: string, limit: number): Generator<FieldError> {
  if (String(value ?? '').length > limit) {
    yield { type: 'TooLong', field: path, detail: `may not be more than ${limit} bytes` };
  }
}

const reason: Rule = function* (value, path) {
  if (!value) yield required(path);
  else if (!new RegExp(`^${reasonPattern}$`).test(String(value))) yield invalid(path, value, reasonDetail);
  yield* tooLong(value, path, longest.reason);
};

const condition = fields({
  type: named(isQualifiedName),
  status: (value, path) => oneOf('False', 'True', 'Unknown')(value ?? '', path),
  observedGeneration: function* (value, path) {
    if (number(value) < 0) yield invalid(path, value, 'must be greater than or equal to zero');
  },
  lastTransitionTime: (value, path) => (value ? [] : [required(path)]),
  reason,
  message: (value, path) => tooLong(value, path, longest.message),
});

/** Rule of metav1 conditions. */
const conditions: Rule = function* (value, path) {
  const seen = new Set<unknown>();
  for (const [index, one] of listOf(fieldsOf(value).conditions).entries()) {
    const at = `${path}.conditions[${index}]`;
    if (seen.has(one.type)) yield { type: 'Duplicate', field: `${at}.type`, value: one.type };
    seen.add(one.type);
    yield* condition(one, at);
  }
};

const replicas = 'status.replicas';

const ofController: readonly Rule[] = [
  within('replicas', replicas, 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'),
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

/** Checks of workload statuses, by type. */
export const workloadStatusChecks: Readonly<Record<string, Check>> = {
  'apps.Deployment': status(
    amounts('observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'),
    amounts('unavailableReplicas', 'terminatingReplicas', 'collisionCount'),
    within('replicas', replicas, 'updatedReplicas', 'readyReplicas', 'availableReplicas'),
    within('readyReplicas', 'readyReplicas', 'availableReplicas'),
  ),
  'apps.ReplicaSet': status(controllerAmounts, ...ofController),
  'core.ReplicationController': status(controllerAmounts, ...ofController),
  'apps.StatefulSet': status(
    amounts('replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
    amounts('observedGeneration', 'collisionCount'),
    within('replicas', replicas, 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'),
    within('readyReplicas', 'status.readyReplicas', 'availableReplicas'),
  ),
  'apps.DaemonSet': status(
    amounts('currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'),
    amounts('observedGeneration', 'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', 'collisionCount'),
  ),
  'policy.PodDisruptionBudget': status(
    conditions,
    amounts('disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'),
  ),
  'autoscaling.HorizontalPodAutoscaler': status(amounts('currentReplicas', 'desiredReplicas')),
  'autoscaling2.HorizontalPodAutoscaler': status(amounts('currentReplicas', 'desiredReplicas')),
};
