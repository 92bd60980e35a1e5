/** Decides when and how a Job ends. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { untilActiveDeadline } from '../active-deadline.ts';
import { conditionOf, withCondition } from '../conditions.ts';
import type { Condition } from '../pods/pod.ts';
import { isIndexed, type Job, type JobPods } from './job.ts';
import { fatalFailure, successMatch } from './job-policies.ts';
import { failuresIn, successesIn, type Tally } from './job-tally.ts';

/** Result of a Job. */
export interface Verdict {
  /** Condition set as soon as the result is known, and the final one set when all pods are gone. */
  readonly types: readonly [string, string];
  readonly reason: string;
  readonly message: string;
}

const failure = (reason: string, message: string): Verdict => ({ types: ['FailureTarget', 'Failed'], reason, message });

const tooManyFailures = failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
const tooLate = failure('DeadlineExceeded', 'Job was active longer than specified deadline');
const tooManyIndexes = failure(
  'MaxFailedIndexesExceeded',
  'Job has exceeded the specified maximal number of failed indexes',
);
const someIndexes = failure('FailedIndexes', 'Job has failed indexes');
const done: Verdict = {
  types: ['SuccessCriteriaMet', 'Complete'],
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** Reports whether restarts of pods in place, with restartPolicy OnFailure, exceed the backoff limit. */
function hasRestartedTooOften({ spec }: Job, { active }: JobPods): boolean {
  const { backoffLimit = 6 } = spec;
  if (spec.template.spec.restartPolicy !== 'OnFailure') return false;
  const restarts = active
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

/** Returns the ms until the deadline of a Job; undefined without one, or while the Job is suspended. */
export const untilDeadline = (job: Job, now: number): number | undefined =>
  job.spec.suspend ? undefined : untilActiveDeadline(job, now);

/** Returns the result that the status already announces. */
function knownVerdict({ status }: Job): Verdict | undefined {
  for (const types of [done.types, tooLate.types]) {
    const announced = conditionOf(status?.conditions, types[0]);
    if (announced?.status === 'True')
      return { types, reason: announced.reason ?? '', message: announced.message ?? '' };
  }
  return undefined;
}

/** Returns the result that follows from failed indexes. */
function verdictOfIndexes({ spec }: Job, { completed, failedIndexes }: Tally): Verdict | undefined {
  const { maxFailedIndexes = Number.POSITIVE_INFINITY, completions = 0 } = spec;
  const failures = failedIndexes?.size ?? 0;
  if (failures > maxFailedIndexes) return tooManyIndexes;
  return failures > 0 && failures + completed.size >= completions ? someIndexes : undefined;
}

/** Reports whether enough pods have succeeded; without `completions`, one, once none is active. */
function isComplete(job: Job, jobPods: JobPods, tally: Tally): boolean {
  const { completions } = job.spec;
  const successes = successesIn(tally);
  return completions === undefined && !isIndexed(job)
    ? successes > 0 && jobPods.active.length === 0
    : successes >= (completions ?? 0);
}

/** Returns the failure by the pod failure policy, the backoff limit or the deadline. */
function failureOf(job: Job, jobPods: JobPods, { tally, now }: { tally: Tally; now: number }): Verdict | undefined {
  const fatal = fatalFailure(job, jobPods.all);
  if (fatal !== undefined) return failure('PodFailurePolicy', fatal);
  const { backoffLimit = 6 } = job.spec;
  if (failuresIn(tally) > backoffLimit || hasRestartedTooOften(job, jobPods)) return tooManyFailures;
  return (untilDeadline(job, now) ?? 1) <= 0 ? tooLate : undefined;
}

/** Returns the success by the success policy or the number of completions. */
function successOf(job: Job, jobPods: JobPods, tally: Tally): Verdict | undefined {
  const matched = isIndexed(job) ? successMatch(job, tally.completed) : undefined;
  if (matched !== undefined) return { types: done.types, reason: 'SuccessPolicy', message: matched };
  return isComplete(job, jobPods, tally) ? done : undefined;
}

/** Returns the result of a Job; undefined while it is undecided. */
export const verdictOf = (job: Job, jobPods: JobPods, at: { tally: Tally; now: number }): Verdict | undefined =>
  knownVerdict(job) ??
  failureOf(job, jobPods, at) ??
  verdictOfIndexes(job, at.tally) ??
  successOf(job, jobPods, at.tally);

/** Reports whether the result is a failure. */
export const isFailing = ({ types: [, last] }: Verdict): boolean => last === 'Failed';

/** Sets a condition with a result's reason and message. */
export function withJobCondition(
  conditions: readonly Condition[],
  { reason, message }: Pick<Verdict, 'reason' | 'message'>,
  { type, status = 'True', now }: { type: string; status?: 'True' | 'False'; now: number },
): readonly Condition[] {
  const verdict = { type, status, reason, message, lastProbeTime: timestampOf(now) };
  return withCondition(conditions, verdict, now);
}
