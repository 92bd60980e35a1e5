import type { FieldError } from '../field-error.ts';
import type { Fields } from '../objects/object.ts';
import { type Check, changed, fieldsOf, invalid, negative, required, unsupported } from './checks.ts';
import { podSpecErrors } from './pod-checks.ts';

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

/** Rules of what runs to its end, by type. */
export const batchChecks: Readonly<Record<string, Check>> = { 'batch.Job': job, 'batch.CronJob': cronJob };
