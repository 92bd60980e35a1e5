/** Validates Jobs and CronJobs. */

import { parseSchedule, ScheduleError } from '../../apimachinery/cron/schedule.ts';
import { timeZoneProblem } from '../../apimachinery/cron/time-zone.ts';
import type { FieldError } from '../../apimachinery/field-error.ts';
import { isLabel } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { selectsLabels } from '../../apimachinery/selectors/match-label-selector.ts';
import {
  fields,
  labelSelector,
  notNegative,
  oneOf,
  optional,
  type Rule,
  requiredValue,
} from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, immutable, invalid, required } from '../../apimachinery/validation/errors.ts';
import { isNone, templateLabels, unselectedLabelErrors } from '../../apimachinery/validation/selector-validation.ts';
import { asGo } from '../../resources/go-form.ts';
import { jobSpec } from './job-validation.ts';

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];

/** Validates that a Job with a generated selector keeps its generated labels. */
function* generatedErrors({ metadata, spec: value }: Fields): Generator<FieldError> {
  const spec = fieldsOf(value);
  if (spec.manualSelector === true || isNone(spec.selector)) return;
  const { uid, name } = fieldsOf(metadata);
  const expected: Record<string, string> = {};
  const labels = templateLabels(spec);
  for (const [index, label] of [uidLabels[0]!, nameLabels[0]!, uidLabels[1]!, nameLabels[1]!].entries()) {
    const wanted = index % 2 === 0 ? uid : name;
    expected[label] = String(wanted);
    const field = 'spec.template.metadata.labels';
    if (labels[label] === undefined) yield required(`${field}[${label}]`, `must be '${wanted}'`);
    else if (labels[label] !== wanted) yield invalid(`${field}[${label}]`, labels, `must be '${wanted}'`);
  }
  if (!selectsLabels(spec.selector, expected)) {
    yield invalid('spec.selector', spec.selector, '`selector` not auto-generated');
  }
}

/** Validates the spec of a Job with its selector. */
function* specErrors(spec: Fields): Generator<FieldError> {
  yield* jobSpec(spec, 'spec');
  if (isNone(spec.selector)) yield required('spec.selector');
  else yield* labelSelector(spec.selector, 'spec.selector');
  yield* unselectedLabelErrors(spec);
}

function* hostNameErrors({ metadata, spec: value }: Fields): Generator<FieldError> {
  const { completionMode, completions } = fieldsOf(value);
  if (completionMode !== 'Indexed' || !(Number(completions) > 0)) return;
  const { name } = fieldsOf(metadata);
  const last = `${name}-${Number(completions) - 1}`;
  if (isLabel(last).length > 0) {
    yield invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${last}`);
  }
}

/** Returns the template without scheduling fields, which may change until a suspended Job has started. */
function placeable(template: unknown): Fields {
  const { metadata, spec, ...rest } = fieldsOf(template);
  const { labels: _labels, annotations: _annotations, ...others } = fieldsOf(metadata);
  const {
    affinity,
    nodeSelector: _selector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...fixed
  } = fieldsOf(spec);
  const { nodeAffinity: _node, ...apart } = fieldsOf(affinity);
  return { ...rest, metadata: others, spec: { ...fixed, affinity: apart } };
}

function* completionErrors(now: Fields, before: Fields): Generator<FieldError> {
  const { completionMode, completions, parallelism } = now;
  if (completionMode !== 'Indexed') yield* immutable('spec.completions', completions, before.completions);
  else if (completions !== before.completions && completions !== undefined && completions !== parallelism) {
    yield invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism');
  }
}

function* fixedErrors(now: Fields, before: Fields, hasBegun: boolean): Generator<FieldError> {
  const fixed = (name: string, type: string): readonly FieldError[] => [
    invalid(`spec.${name}`, asGo(type, now[name]), 'field is immutable'),
  ];
  yield* completionErrors(now, before);
  yield* immutable('spec.selector', now.selector, before.selector);
  const isWaiting = before.suspend === true && !hasBegun;
  const [template, former] = isWaiting
    ? [now, before].map((spec) => placeable(spec.template))
    : [now.template, before.template];
  if (!equal(template, former)) yield* fixed('template', 'core.PodTemplateSpec');
  yield* immutable('spec.completionMode', now.completionMode, before.completionMode);
  if (!equal(now.podFailurePolicy, before.podFailurePolicy)) yield* fixed('podFailurePolicy', 'batch.PodFailurePolicy');
  yield* immutable('spec.backoffLimitPerIndex', now.backoffLimitPerIndex, before.backoffLimitPerIndex);
  yield* immutable('spec.managedBy', now.managedBy, before.managedBy);
  if (!equal(now.successPolicy, before.successPolicy)) yield* fixed('successPolicy', 'batch.SuccessPolicy');
}

/** Validates Jobs. */
export const checkJob: Check = function* (object, old) {
  const now = fieldsOf(object.spec);
  yield* generatedErrors(object);
  yield* specErrors(now);
  yield* hostNameErrors(object);
  if (old === undefined) return;
  // The server validates this twice and reports each error twice.
  yield* specErrors(now);
  yield* fixedErrors(now, fieldsOf(old.spec), fieldsOf(old.status).startTime !== undefined);
};

function* scheduleErrors(schedule: unknown, timeZone: unknown, former: unknown): Generator<FieldError> {
  const field = 'spec.schedule';
  if (!schedule) {
    yield required(field);
    return;
  }
  const text = String(schedule);
  try {
    parseSchedule(text);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    yield invalid(field, text, error.message);
  }
  if (!text.includes('TZ')) return;
  // An earlier version accepted it; it may stay.
  const isTaken = typeof former === 'string' && former.includes('TZ');
  if (!isTaken) yield invalid(field, text, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  else if (timeZone !== undefined) {
    yield invalid(field, text, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
}

const isPartOfZone = (part: string): boolean => /^[A-Za-z.\-_0-9+]{1,14}$/.test(part) && !/^(-|\.\.?$)/.test(part);

const timeZone: Rule = function* (value, path) {
  const name = String(value);
  if (name === '') yield invalid(path, name, 'timeZone must be nil or non-empty string');
  else if (!name.split('/').every(isPartOfZone)) yield invalid(path, name, `unknown time zone ${name}`);
  else {
    if (name.toLowerCase() === 'local') {
      const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
      yield invalid(path, name, detail);
    }
    const problem = timeZoneProblem(name);
    if (problem !== undefined) yield invalid(path, name, problem);
  }
};

const jobTemplate: Rule = function* (value, path) {
  const spec = fieldsOf(fieldsOf(value).spec);
  const at = `${path}.spec`;
  yield* jobSpec(spec, at);
  if (spec.selector !== undefined) yield invalid(`${at}.selector`, spec.selector, '`selector` will be auto-generated');
  if (spec.manualSelector === true) yield* oneOf('nil', 'false')(true, `${at}.manualSelector`);
};

const cronRules = fields({
  concurrencyPolicy: requiredValue('', oneOf('Allow', 'Forbid', 'Replace')),
  jobTemplate,
  successfulJobsHistoryLimit: notNegative,
  failedJobsHistoryLimit: notNegative,
});

const maxNameLength = 52;

/** Validates CronJobs. */
export const checkCronJob: Check = function* ({ metadata, spec }, old) {
  const now = fieldsOf(spec);
  const before = old && fieldsOf(old.spec);
  yield* scheduleErrors(now.schedule, now.timeZone, before?.schedule);
  yield* notNegative(now.startingDeadlineSeconds, 'spec.startingDeadlineSeconds');
  if (before?.timeZone !== now.timeZone) yield* optional(timeZone)(now.timeZone, 'spec.timeZone');
  yield* cronRules(now, 'spec');
  const { name } = fieldsOf(metadata);
  if (old === undefined && String(name ?? '').length > maxNameLength) {
    yield invalid('metadata.name', name, `must be no more than ${maxNameLength} characters`);
  }
};
