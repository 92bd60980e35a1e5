/** Rules of the kinds of `batch`. */

import type { BuiltinKind } from '../builtin-kind.ts';
import { checkCronJob, checkJob } from './batch-validation.ts';
import { jobDefaults } from './job-defaults.ts';
import { jobStatus } from './job-status-validation.ts';
import { cronJobWarn, jobWarn } from './job-warnings.ts';

const cronJob: BuiltinKind = {
  values: {
    'batch.CronJobSpec': {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
  },
  check: checkCronJob,
  checkStatus: () => [],
  warn: cronJobWarn,
};

const job: BuiltinKind = {
  values: { 'batch.PodFailurePolicyOnPodConditionsPattern': { status: 'True' } },
  defaults: { 'batch.Job': jobDefaults },
  check: checkJob,
  checkStatus: jobStatus,
  warn: jobWarn,
};

/** Rules of the kinds of the group, by type. */
export const batchKinds: Readonly<Record<string, BuiltinKind>> = { 'batch.CronJob': cronJob, 'batch.Job': job };
