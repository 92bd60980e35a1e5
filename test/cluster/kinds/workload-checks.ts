import { type FieldError, notSupported } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import {
  type Check,
  changed,
  fieldsOf,
  forbidden,
  invalid,
  listOf,
  negative,
  required,
  unsupported,
} from './checks.ts';
import { podSpecErrors } from './pod-checks.ts';

const labelsOf = (template: Fields): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(fieldsOf(template.metadata).labels)).sort(([a], [b]) => (a < b ? -1 : 1)));

const valuesOf = ({ values }: Fields): readonly unknown[] => (Array.isArray(values) ? values : []);

const operators: Readonly<Record<string, (value: unknown, values: readonly unknown[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

/** Whether a label selector matches labels. */
function selects(selector: Fields, labels: Fields): boolean {
  const named = Object.entries(fieldsOf(selector.matchLabels)).every(([key, value]) => labels[key] === value);
  return (
    named &&
    listOf(selector.matchExpressions).every(
      (expression) =>
        operators[String(expression.operator)]?.(labels[String(expression.key)], valuesOf(expression)) ?? false,
    )
  );
}

const isEmptySelector = (selector: Fields): boolean =>
  Object.keys(fieldsOf(selector.matchLabels)).length === 0 && listOf(selector.matchExpressions).length === 0;

function* selectorErrors(spec: Fields, kind: string): Generator<FieldError> {
  const { selector } = spec;
  const labels = labelsOf(fieldsOf(spec.template));
  if (selector === undefined || selector === null) yield required('spec.selector');
  else if (isEmptySelector(fieldsOf(selector))) {
    yield invalid('spec.selector', selector, `empty selector is invalid for ${kind}`);
  }
  if (!selects(fieldsOf(selector), labels) || isEmptySelector(fieldsOf(selector))) {
    const value = Object.keys(labels).length === 0 ? null : labels;
    yield invalid('spec.template.metadata.labels', value, '`selector` does not match template `labels`');
  }
}

function* alwaysRestarts(spec: Fields): Generator<FieldError> {
  const { restartPolicy } = fieldsOf(fieldsOf(spec.template).spec);
  if (restartPolicy !== undefined && restartPolicy !== 'Always') {
    yield notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always']);
  }
}

function* templateErrors(spec: Fields): Generator<FieldError> {
  yield* podSpecErrors(fieldsOf(fieldsOf(spec.template).spec), 'spec.template.spec');
}

/** Rules of the kinds that keep pods of a template running. */
const workload = (kind: string, more: Check): Check =>
  function* (object, old) {
    const spec = fieldsOf(object.spec);
    yield* negative('spec.replicas', spec.replicas);
    yield* negative('spec.minReadySeconds', spec.minReadySeconds);
    yield* negative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
    yield* selectorErrors(spec, kind);
    yield* templateErrors(spec);
    yield* alwaysRestarts(spec);
    if (old !== undefined) yield* changed('spec.selector', spec.selector, fieldsOf(old.spec).selector);
    yield* more(object, old);
  };

const deployment: Check = function* ({ spec }) {
  const { strategy, progressDeadlineSeconds, minReadySeconds = 0 } = fieldsOf(spec);
  const { type, rollingUpdate } = fieldsOf(strategy);
  if (type === 'Recreate' && rollingUpdate !== undefined) {
    yield forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'");
  }
  yield* unsupported('spec.strategy.type', type, ['Recreate', 'RollingUpdate']);
  const { maxUnavailable, maxSurge } = fieldsOf(rollingUpdate);
  const isNone = (value: unknown): boolean => value === 0 || value === '0%';
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    yield invalid('spec.strategy.rollingUpdate.maxUnavailable', maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  if (typeof progressDeadlineSeconds === 'number' && progressDeadlineSeconds <= Number(minReadySeconds)) {
    yield invalid('spec.progressDeadlineSeconds', progressDeadlineSeconds, 'must be greater than minReadySeconds');
  }
};

const statefulSetMutable: ReadonlySet<string> = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);

const statefulSet: Check = function* ({ spec }, old) {
  const now = fieldsOf(spec);
  yield* unsupported('spec.podManagementPolicy', now.podManagementPolicy, ['OrderedReady', 'Parallel']);
  if (old === undefined) return;
  const before = fieldsOf(old.spec);
  const fixed = (value: Fields): Fields =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !statefulSetMutable.has(name)));
  if ([...changed('spec', fixed(now), fixed(before))].length > 0) {
    yield forbidden(
      'spec',
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    );
  }
};

const nothing: Check = () => [];

const endingPolicies = ['OnFailure', 'Never'];

function* jobSpecErrors(spec: Fields, path: string): Generator<FieldError> {
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ]) {
    yield* negative(`${path}.${name}`, spec[name]);
  }
  const template = fieldsOf(fieldsOf(spec.template).spec);
  const field = `${path}.template.spec.restartPolicy`;
  if (template.restartPolicy === 'Always' || !template.restartPolicy) {
    yield { type: 'Required', field, detail: 'valid values: "OnFailure", "Never"' };
  } else yield* unsupported(field, template.restartPolicy, endingPolicies);
  if (spec.completionMode === 'Indexed' && spec.completions === undefined) {
    yield required(`${path}.completions`, 'when completion mode is Indexed');
  }
  yield* podSpecErrors(template, `${path}.template.spec`);
}

const job: Check = function* ({ spec }, old) {
  const now = fieldsOf(spec);
  yield* jobSpecErrors(now, 'spec');
  if (old === undefined) return;
  const before = fieldsOf(old.spec);
  const isElastic = now.completionMode === 'Indexed' && now.completions === now.parallelism;
  if (!isElastic) yield* changed('spec.completions', now.completions, before.completions);
  yield* changed('spec.selector', now.selector, before.selector);
  if (before.suspend !== true) yield* changed('spec.template', now.template, before.template);
  yield* changed('spec.completionMode', now.completionMode, before.completionMode);
};

const fieldOfSchedule = /^(\*|\?|[\dA-Za-z]+(-[\dA-Za-z]+)?)(\/\d+)?(,(\*|[\dA-Za-z]+(-[\dA-Za-z]+)?)(\/\d+)?)*$/;

function* scheduleErrors(schedule: unknown): Generator<FieldError> {
  if (!schedule) {
    yield required('spec.schedule');
    return;
  }
  const text = String(schedule);
  if (/^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(text)) return;
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5) {
    yield invalid('spec.schedule', text, `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  } else if (!parts.every((part) => fieldOfSchedule.test(part))) {
    yield invalid(
      'spec.schedule',
      text,
      `failed to parse int from ${parts.find((part) => !fieldOfSchedule.test(part))}`,
    );
  }
}

const cronJob: Check = function* ({ spec }) {
  const now = fieldsOf(spec);
  yield* scheduleErrors(now.schedule);
  yield* unsupported('spec.concurrencyPolicy', now.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']);
  yield* jobSpecErrors(fieldsOf(fieldsOf(now.jobTemplate).spec), 'spec.jobTemplate.spec');
};

/** Rules of the kinds that run pods, by type. */
export const workloadChecks: Readonly<Record<string, Check>> = {
  'apps.Deployment': workload('deployment', deployment),
  'apps.ReplicaSet': workload('replicaset', nothing),
  'apps.StatefulSet': workload('statefulset', statefulSet),
  'apps.DaemonSet': workload('daemonset', nothing),
  'batch.Job': job,
  'batch.CronJob': cronJob,
};
