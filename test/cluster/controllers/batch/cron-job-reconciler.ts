/** Controller of CronJobs. */

import { parseSchedule, type Schedule, ScheduleError } from '../../apimachinery/cron/schedule.ts';
import { isTimeZone } from '../../apimachinery/cron/time-zone.ts';
import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import type { Decision, EventReport, Reconciler, View, Write } from '../engine/reconciler.ts';
import { compactStatus, statusWrites } from '../engine/status-write.ts';
import { isControlledBy, ownersConcerned } from '../ownership.ts';
import {
  type CronJob,
  cronJobs,
  dueOf,
  type JobReference,
  jobFor,
  jobNameOf,
  referenceTo,
  scheduledTimeOf,
  surplusOf,
} from './cron-job.ts';
import { endOf, type Job, jobs } from './job.ts';

const event = (about: CronJob, events: Omit<EventReport, 'about'>): Write => ({
  do: 'event',
  event: { about, ...events },
});

const warning = (about: CronJob, reason: string, message: string): Write =>
  event(about, { type: 'Warning', reason, message });

const note = (about: CronJob, reason: string, message: string): Write =>
  event(about, { type: 'Normal', reason, message });

/** Computes active Jobs and the last schedule and success times from the CronJob's Jobs. */
function observedStatus(
  cronJob: CronJob,
  children: readonly Job[],
): { status: NonNullable<CronJob['status']>; events: Write[] } {
  const before = cronJob.status?.active ?? [];
  const events: Write[] = [];
  const byUid = new Map(children.map((job) => [job.metadata.uid, job]));
  const listed = new Set(before.map(({ uid }) => uid));
  const stillActive = before.filter((reference) => {
    const job = byUid.get(reference.uid);
    const end = job && endOf(job);
    if (job === undefined) events.push(note(cronJob, 'MissingJob', `Active job went missing: ${reference.name}`));
    if (end !== undefined) {
      events.push(note(cronJob, 'SawCompletedJob', `Saw completed job: ${reference.name}, condition: ${end.type}`));
    }
    return job !== undefined && end === undefined;
  });
  const fresh = children.filter((job) => endOf(job) === undefined && !listed.has(job.metadata.uid));
  const active: readonly JobReference[] = [...stillActive, ...fresh.map(referenceTo)];
  const successes = children.map(({ status }) => status?.completionTime).filter((time) => time !== undefined);
  const lastSuccessfulTime = [cronJob.status?.lastSuccessfulTime, ...successes].filter(Boolean).sort().at(-1);
  const times = children.map(scheduledTimeOf).filter((time) => !Number.isNaN(time));
  const known = cronJob.status?.lastScheduleTime;
  const last = times.reduce((latest, time) => Math.max(latest, time), known === undefined ? 0 : Date.parse(known));
  const status = compactStatus({
    active,
    lastScheduleTime: last > 0 ? timestampOf(last) : undefined,
    lastSuccessfulTime,
  });
  return { status, events };
}

/** Parses the schedule, or returns the event of one that is invalid or never fires. */
function scheduleOf(cronJob: CronJob, now: number): Schedule | Write {
  const { schedule, timeZone } = cronJob.spec;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const zone = JSON.stringify(timeZone);
    return warning(cronJob, 'UnknownTimeZone', `invalid timeZone: ${zone}: unknown time zone ${timeZone}`);
  }
  try {
    const parsed = parseSchedule(schedule, timeZone);
    if (parsed.next(now) !== undefined) return parsed;
    const why = 'time difference between two schedules is less than 1 second';
    return warning(cronJob, 'InvalidSchedule', `invalid schedule: ${schedule} : ${why}`);
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    return warning(
      cronJob,
      'UnparseableSchedule',
      `unparseable schedule: ${JSON.stringify(schedule)} : ${error.message}`,
    );
  }
}

const deletion = (cronJob: CronJob, job: Job): Write => ({
  do: 'delete',
  object: job,
  report: () => ({
    about: cronJob,
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `Deleted job ${job.metadata.name}`,
  }),
});

const creation = (cronJob: CronJob, time: number): Write => ({
  do: 'create',
  object: jobFor(cronJob, time),
  report: ({ metadata: { name } }) => ({
    about: cronJob,
    type: 'Normal',
    reason: 'SuccessfulCreate',
    message: `Created job ${name}`,
  }),
  reportRefusal: (why) => ({
    about: cronJob,
    type: 'Warning',
    reason: 'FailedCreate',
    message: `Error creating job: ${why}`,
  }),
});

const rfc1123 = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000');

/** Returns the writes for a due time, by deadline and concurrency policy. */
function start(
  cronJob: CronJob,
  time: number,
  { active, view }: { active: readonly Job[]; view: View },
): readonly Write[] {
  const { startingDeadlineSeconds: deadline, concurrencyPolicy } = cronJob.spec;
  const { namespace } = cronJob.metadata;
  if (deadline !== undefined && time + deadline * 1000 < view.now) {
    return [warning(cronJob, 'MissSchedule', `Missed scheduled time to start a job: ${rfc1123(time)}`)];
  }
  const isServed = cronJob.status?.lastScheduleTime === timestampOf(time);
  if (isServed || view.get(jobs, `${namespace}/${jobNameOf(cronJob, time)}`) !== undefined) return [];
  if (concurrencyPolicy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    return [note(cronJob, 'JobAlreadyActive', message)];
  }
  const replaced = concurrencyPolicy === 'Replace' ? active.map((job) => deletion(cronJob, job)) : [];
  return [...replaced, creation(cronJob, time)];
}

function decide(cronJob: CronJob, view: View): Decision {
  const children = view.list<Job>(jobs, cronJob.metadata.namespace).filter((job) => isControlledBy(job, cronJob));
  const { status, events } = observedStatus(cronJob, children);
  const noted = statusWrites(cronJob, status);
  if (noted.length > 0) return { writes: [...noted, ...events] };
  const surplus = surplusOf(cronJob, children).map((job) => deletion(cronJob, job));
  if (cronJob.metadata.deletionTimestamp !== undefined || cronJob.spec.suspend) return { writes: surplus };
  const schedule = scheduleOf(cronJob, view.now);
  if ('do' in schedule) return { writes: [...surplus, schedule] };
  const { time, missedMany, after } = dueOf(cronJob, schedule, view.now);
  if (time === undefined || view.refusal !== undefined) return { writes: surplus, after };
  const many = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
  const active = children.filter((job) => endOf(job) === undefined);
  const started = start(cronJob, time, { active, view });
  const missed = missedMany && started.length > 0 ? [warning(cronJob, 'TooManyMissedTimes', many)] : [];
  return { writes: [...surplus, ...missed, ...started], after };
}

/** Creates the Jobs of CronJobs on schedule. */
export const cronJobReconciler: Reconciler = {
  collection: cronJobs,
  component: 'cronjob-controller',
  concerns: (change, view) =>
    change.collection === jobs ? ownersConcerned({ kind: 'CronJob', collection: cronJobs }, change, view) : [],
  decide: (object, view) => decide(object as CronJob, view),
};
