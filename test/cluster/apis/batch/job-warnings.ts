/** Warnings of Jobs and CronJobs. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import type { Warn } from '../builtin-kind.ts';
import { podWarnings } from '../core/pods/warnings/pod-warnings.ts';
import { isChanged, nameWarnings, ofPods } from '../core/pods/warnings/template-warnings.ts';

const manyIndexes =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';

function* jobWarnings(spec: Fields, path: string): Generator<string> {
  const { completionMode, completions, parallelism } = spec;
  if (completionMode === 'Indexed' && Number(completions) > 100_000 && Number(parallelism) > 10_000) {
    yield `${path}: ${manyIndexes}`;
  }
  yield* podWarnings(fieldsOf(spec.template), `${path}.template`);
}

/** Warns of a Job. */
export const jobWarn: Warn = function* (object, former) {
  if (former === undefined) yield* nameWarnings(object, ofPods);
  if (isChanged(object, former)) yield* jobWarnings(fieldsOf(object.spec), 'spec');
};

/** Warns of a CronJob. */
export const cronJobWarn: Warn = function* (object, former) {
  const spec = fieldsOf(object.spec);
  if (former === undefined) yield* nameWarnings(object, ofPods);
  if (isChanged(object, former)) {
    yield* jobWarnings(fieldsOf(fieldsOf(spec.jobTemplate).spec), 'spec.jobTemplate.spec');
  }
  if (former !== undefined && String(spec.schedule).includes('TZ')) {
    const instead = 'use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
    yield `cannot use TZ or CRON_TZ in spec.spec.schedule, ${instead} for more details`;
  }
};
