import { type FieldError, notSupported } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { type Check, changed, fieldsOf, forbidden, invalid, listOf, negative, required } from './checks.ts';
import { claimErrors } from './claim-checks.ts';
import { isLabel } from './names.ts';
import { podSpecErrors } from './pod-checks.ts';
import {
  all,
  amountOrPercent,
  each,
  fields,
  filled,
  given,
  labelSelector,
  labels,
  named,
  notNegative,
  oneOf,
  type Rule,
} from './rules.ts';

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

const emptySelector = (selector: unknown, kind: string): FieldError =>
  invalid('spec.selector', selector, `empty selector is invalid for ${kind}`);

/** A selector that selects what the template makes. */
function* selectorErrors(spec: Fields, kind: string): Generator<FieldError> {
  const { selector } = spec;
  if (selector === undefined || selector === null) {
    yield required('spec.selector');
    return;
  }
  const problems = [...labelSelector(selector, 'spec.selector')];
  yield* problems;
  if (isEmptySelector(fieldsOf(selector))) {
    yield emptySelector(selector, kind);
  }
  if (problems.length > 0) yield invalid('spec.selector', selector, 'invalid label selector');
}

/** Labels that are selected, and are labels. */
function* labelErrors(spec: Fields): Generator<FieldError> {
  const { metadata } = fieldsOf(spec.template);
  const own = labelsOf(fieldsOf(spec.template));
  const selector = fieldsOf(spec.selector);
  const isSelector = [...labelSelector(selector, '')].length === 0;
  if (isSelector && (!spec.selector || !selects(selector, own))) {
    const value = fieldsOf(metadata).labels === undefined ? null : own;
    yield invalid('spec.template.metadata.labels', value, '`selector` does not match template `labels`');
  }
  yield* labels(own, 'spec.template.labels');
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
    yield* labelErrors(spec);
    yield* templateErrors(spec);
    yield* alwaysRestarts(spec);
    if (old !== undefined) yield* changed('spec.selector', spec.selector, fieldsOf(old.spec).selector);
    yield* more(object, old);
  };

const daemonSetStrategy: Rule = function* (value, path) {
  const { type, rollingUpdate } = fieldsOf(value);
  const { maxUnavailable, maxSurge } = fieldsOf(rollingUpdate);
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    const shown = rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable ?? 0, MaxSurge: maxSurge ?? 0 };
    yield notSupported(path, { Type: type, RollingUpdate: shown }, ['RollingUpdate', 'OnDelete']);
    return;
  }
  const at = `${path}.rollingUpdate`;
  const isNone = (amount: unknown): boolean =>
    Number.parseInt(String(amount ?? 0), 10) === 0 || !/^\d+%?$|^-/.test(String(amount));
  yield* amountOrPercent(maxUnavailable, `${at}.maxUnavailable`);
  yield* amountOrPercent(maxSurge, `${at}.maxSurge`);
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    yield required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0');
  } else if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    yield invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero');
  }
};

const daemonSet: Check = function* ({ spec: value }, old) {
  const spec = fieldsOf(value);
  const { selector } = spec;
  if (old !== undefined) yield* changed('spec.selector', selector, fieldsOf(old.spec).selector);
  yield* labelSelector(selector, 'spec.selector');
  yield* labelErrors(spec);
  if (selector && isEmptySelector(fieldsOf(selector))) yield emptySelector(selector, 'daemonset');
  yield* templateErrors(spec);
  yield* alwaysRestarts(spec);
  yield* negative('spec.minReadySeconds', spec.minReadySeconds);
  yield* daemonSetStrategy(spec.updateStrategy, 'spec.updateStrategy');
  yield* negative('spec.revisionHistoryLimit', spec.revisionHistoryLimit);
};

const deployment: Check = function* ({ spec }) {
  const { strategy, progressDeadlineSeconds, minReadySeconds = 0 } = fieldsOf(spec);
  const { type, rollingUpdate } = fieldsOf(strategy);
  if (type === 'Recreate' && rollingUpdate !== undefined) {
    yield forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'");
  }
  const { maxUnavailable, maxSurge } = fieldsOf(rollingUpdate);
  if (type !== 'Recreate' && type !== 'RollingUpdate') {
    const shown = rollingUpdate === undefined ? null : { MaxUnavailable: maxUnavailable ?? 0, MaxSurge: maxSurge ?? 0 };
    yield notSupported('spec.strategy', { Type: type, RollingUpdate: shown }, ['Recreate', 'RollingUpdate']);
  }
  yield* amountOrPercent(maxUnavailable, 'spec.strategy.rollingUpdate.maxUnavailable');
  yield* amountOrPercent(maxSurge, 'spec.strategy.rollingUpdate.maxSurge');
  const isNone = (value: unknown): boolean => value === 0 || value === '0%';
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    yield invalid('spec.strategy.rollingUpdate.maxUnavailable', maxUnavailable, 'may not be 0 when `maxSurge` is 0');
  }
  yield* negative('spec.progressDeadlineSeconds', progressDeadlineSeconds);
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

/** A choice that is shown as Go has it. */
const choice = (shown: (value: unknown) => unknown, ...known: readonly [string, string]): Rule =>
  function* (value, path) {
    const given = typeof value === 'string' ? value : fieldsOf(value).type;
    if (!known.includes(String(given))) yield invalid(path, shown(value), `must be '${known[0]}' or '${known[1]}'`);
  };

const updateStrategy = all(
  choice(
    (value) => {
      const { type, rollingUpdate } = fieldsOf(value);
      const { partition = null, maxUnavailable = null } = fieldsOf(rollingUpdate);
      return { Type: type, RollingUpdate: rollingUpdate && { Partition: partition, MaxUnavailable: maxUnavailable } };
    },
    'RollingUpdate',
    'OnDelete',
  ),
  fields({ rollingUpdate: fields({ partition: notNegative }) }),
);

const retained = given(oneOf('Retain', 'Delete'));

const ownRules = fields({
  podManagementPolicy: choice((value) => value, 'OrderedReady', 'Parallel'),
  updateStrategy,
  persistentVolumeClaimRetentionPolicy: fields({ whenDeleted: retained, whenScaled: retained }),
  replicas: notNegative,
  minReadySeconds: notNegative,
  ordinals: fields({ start: notNegative }),
  serviceName: filled(named(isLabel)),
  volumeClaimTemplates: each(fields({ spec: claimErrors })),
});

/** What a StatefulSet says about its pods and itself. */
function* statefulSetErrors(spec: Fields): Generator<FieldError> {
  yield* ownRules(spec, 'spec');
  yield* selectorErrors(spec, 'statefulset');
  yield* labelErrors(spec);
  yield* templateErrors(spec);
  yield* alwaysRestarts(spec);
}

const statefulSet: Check = function* ({ spec }, old) {
  const now = fieldsOf(spec);
  yield* statefulSetErrors(now);
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

/** Rules of the kinds that run pods, by type. */
export const workloadChecks: Readonly<Record<string, Check>> = {
  'apps.Deployment': workload('deployment', deployment),
  'apps.ReplicaSet': workload('deployment', nothing),
  'apps.StatefulSet': statefulSet,
  'apps.DaemonSet': daemonSet,
};
