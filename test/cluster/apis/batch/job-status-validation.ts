/** Validation of the status of Jobs. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { fields, notNegative } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { asGo } from '../../resources/go-form.ts';
import { indexesOf, overlapOf } from './job-indexes.ts';

/** Job with the derived state that the rules read. */
interface JobWithState {
  readonly spec: Fields;
  readonly status: Fields;
  /** Reports whether a condition is true. */
  readonly is: (type: string) => boolean;
  readonly isFinished: boolean;
}

function toldBy({ spec, status }: Fields): JobWithState {
  const statusFields = fieldsOf(status);
  const is = (type: string): boolean =>
    listOf(statusFields.conditions).some((condition) => condition.type === type && condition.status === 'True');
  return { spec: fieldsOf(spec), status: statusFields, is, isFinished: is('Complete') || is('Failed') };
}

/** Change of a status. */
interface Change {
  readonly now: JobWithState;
  readonly before: JobWithState;
  /** Reports whether one of the fields changed. */
  readonly differs: (...names: readonly string[]) => boolean;
  /** Reports whether one of the conditions became true or stopped being true. */
  readonly changes: (...types: readonly string[]) => boolean;
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const conditions = (detail: string): FieldError => ({ type: 'Invalid', field: 'status.conditions', detail });

const amounts = fields({
  active: notNegative,
  succeeded: notNegative,
  failed: notNegative,
  ready: notNegative,
  terminating: notNegative,
});

function* uncounted({ now: { status } }: Change): Generator<FieldError> {
  const pods = fieldsOf(status.uncountedTerminatedPods);
  const seen = new Set<unknown>();
  for (const list of ['succeeded', 'failed']) {
    for (const [index, uid] of ((pods[list] as readonly unknown[] | undefined) ?? []).entries()) {
      const field = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') yield invalid(field, uid, 'must not be empty');
      else if (seen.has(uid)) yield { type: 'Duplicate', field, value: uid };
      else seen.add(uid);
    }
  }
}

function* completion({ now, differs, changes }: Change): Generator<FieldError> {
  if (!changes('Complete') && !differs('completionTime')) return;
  const { completionTime } = now.status;
  const field = 'status.completionTime';
  const isComplete = now.is('Complete');
  if (completionTime !== undefined && !isComplete) {
    yield invalid(field, completionTime, 'cannot set completionTime when there is no Complete=True condition');
  }
  if (completionTime === undefined && isComplete) yield required(field, 'completionTime is required for Complete jobs');
}

function* startThenCompletion({ now: { status }, differs }: Change): Generator<FieldError> {
  const { completionTime, startTime } = status;
  if (differs('startTime', 'completionTime') && String(completionTime ?? '~') < String(startTime ?? '')) {
    yield invalid('status.completionTime', completionTime, 'must be equal to or after `startTime`');
  }
}

function* endings({ now, differs, changes }: Change): Generator<FieldError> {
  if (changes('Failed') || differs('failedIndexes')) {
    if (now.is('Failed') && !now.is('FailureTarget')) {
      yield conditions('cannot set Failed=True condition without the FailureTarget=true condition');
    }
  }
  if (changes('Complete', 'SuccessCriteriaMet') && now.is('Complete') && !now.is('SuccessCriteriaMet')) {
    yield conditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
}

function* finished({ now: { status, spec, isFinished }, before, differs }: Change): Generator<FieldError> {
  if (!isFinished) return;
  const isConcerned = (field: string): boolean => !before.isFinished || differs(field);
  if (isConcerned('active') && number(status.active) > 0) {
    yield invalid('status.active', status.active, 'active>0 is invalid for finished job');
  }
  const isIdle = spec.suspend === true && spec.completions === 0;
  if (isConcerned('startTime') && !isIdle && status.startTime === undefined) {
    yield required('status.startTime', 'startTime is required for finished job');
  }
  const pods = fieldsOf(status.uncountedTerminatedPods);
  const count = [pods.succeeded, pods.failed].flatMap((list) => list ?? []).length;
  if (isConcerned('uncountedTerminatedPods') && count > 0) {
    yield invalid(
      'status.uncountedTerminatedPods',
      asGo('batch.UncountedTerminatedPods', pods),
      'must be empty for finished job',
    );
  }
}

const completedIn = ({ completedIndexes }: Fields): string => String(completedIndexes ?? '');

/** Validates that the indexes can be read. */
function* readable({ now: { spec, status }, differs }: Change): Generator<FieldError> {
  const { completions, backoffLimitPerIndex } = spec;
  if (completions === undefined) return;
  const failed = status.failedIndexes as string | undefined;
  const read = function* (name: string, text: string): Generator<FieldError> {
    const { problem } = indexesOf(text, number(completions));
    if (problem !== undefined) yield invalid(`status.${name}`, text, `error parsing ${name}: ${problem}`);
  };
  if (differs('completedIndexes')) yield* read('completedIndexes', completedIn(status));
  const isRead = backoffLimitPerIndex !== undefined && failed !== undefined;
  if (differs('failedIndexes') && isRead) yield* read('failedIndexes', failed);
}

/** Validates that the indexes fit the mode of the job, and each other. */
function* indexes({ now: { spec, status }, differs }: Change): Generator<FieldError> {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const [completed, failed] = [completedIn(status), status.failedIndexes as string | undefined];
  if (differs('completedIndexes') && completed !== '' && completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    yield invalid('status.completedIndexes', completed, detail);
  }
  if (failed === undefined) return;
  if (differs('failedIndexes') && backoffLimitPerIndex === undefined) {
    yield invalid(
      'status.failedIndexes',
      failed,
      'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    );
  }
  if (!differs('failedIndexes', 'completedIndexes') || completions === undefined) return;
  const overlap = overlapOf(completed, failed, number(completions));
  if (overlap !== undefined) {
    yield invalid('status.failedIndexes', failed, `failedIndexes and completedIndexes overlap at index: ${overlap}`);
  }
}

function* pods({ now: { status, isFinished }, before, differs }: Change): Generator<FieldError> {
  const { terminating, ready, active } = status;
  const isConcerned = isFinished !== before.isFinished || differs('terminating');
  if (isConcerned && isFinished && number(terminating) > 0) {
    yield invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job');
  }
  if (differs('ready', 'active') && number(ready) > number(active)) {
    yield invalid('status.ready', ready, 'cannot set more ready pods than active');
  }
}

function* contradictions({ now, changes }: Change): Generator<FieldError> {
  if (changes('Complete', 'Failed') && now.is('Complete') && now.is('Failed')) {
    yield conditions('cannot set Complete=True and Failed=true conditions');
  }
  if (changes('Complete', 'FailureTarget') && now.is('Complete') && now.is('FailureTarget')) {
    yield conditions('cannot set Complete=True and FailureTarget=true conditions');
  }
}

function* criteria({ now }: Change): Generator<FieldError> {
  const isMet = now.is('SuccessCriteriaMet');
  for (const [type, shown] of [
    ['Failed', 'Failed'],
    ['FailureTarget', 'FailureTarget'],
  ] as const) {
    if (isMet && now.is(type)) yield conditions(`cannot set SuccessCriteriaMet=True and ${shown}=true conditions`);
  }
  if (now.spec.successPolicy !== undefined && !isMet && now.is('Complete')) {
    yield conditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
}

/** Validates that terminal conditions are not reverted. */
function* terminal({ now, before }: Change): Generator<FieldError> {
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (before.is(type) && !now.is(type)) yield conditions(`cannot disable the terminal ${type}=True condition`);
  }
}

/** Validates that counters do not go back. */
function* counters({ now: { spec, status }, before }: Change): Generator<FieldError> {
  const isElastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  for (const name of isElastic ? ['failed'] : ['failed', 'succeeded']) {
    if (number(status[name]) < number(before.status[name])) {
      yield invalid(`status.${name}`, number(status[name]), `cannot decrease the ${name} counter`);
    }
  }
}

/** Validates that times stay. */
function* times({ now: { spec, status }, before, differs }: Change): Generator<FieldError> {
  const [completionTime, formerTime] = [status.completionTime, before.status.completionTime];
  if (completionTime !== undefined && formerTime !== undefined && completionTime !== formerTime) {
    yield invalid('status.completionTime', completionTime, 'field is immutable');
  }
  if (differs('startTime') && before.status.startTime !== undefined && spec.suspend !== true) {
    yield required('status.startTime', 'startTime cannot be removed for unsuspended job');
  }
}

/** Validates that met success criteria are not reverted, and not added after the end. */
function* successful({ now, before }: Change): Generator<FieldError> {
  if (before.is('SuccessCriteriaMet') && !now.is('SuccessCriteriaMet')) {
    yield conditions('cannot disable the SuccessCriteriaMet=True condition');
  }
  if (before.is('Complete') && !before.is('SuccessCriteriaMet') && now.is('SuccessCriteriaMet')) {
    yield conditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
}

const rules = [
  uncounted,
  contradictions,
  completion,
  startThenCompletion,
  endings,
  finished,
  readable,
  indexes,
  pods,
  criteria,
  terminal,
  counters,
  times,
  successful,
];

/** Validates a Job's status; only changed parts are validated. */
export const jobStatus: Check = function* (job, old = {}) {
  const [now, before] = [toldBy(job), toldBy(old)];
  const differs = (...names: readonly string[]): boolean =>
    names.some((name) => !equal(now.status[name], before.status[name]));
  const changes = (...types: readonly string[]): boolean => types.some((type) => now.is(type) !== before.is(type));
  yield* amounts(now.status, 'status');
  for (const rule of rules) yield* rule({ now, before, differs, changes });
};
