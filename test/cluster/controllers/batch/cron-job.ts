import { keyOf, ownerReferenceTo } from '../../../../sdk/api/object.ts';
import type { Schedule } from '../../cron/schedule.ts';
import { timestampOf } from '../../machinery.ts';
import type { ApiObject, Fields } from '../../objects/object.ts';
import type { NewObject } from '../reconciler.ts';
import { endOf, type Job } from './job.ts';

/** A reference to a Job that is at work. */
export interface JobReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** A CronJob. */
export interface CronJob extends ApiObject {
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly concurrencyPolicy?: string;
    readonly startingDeadlineSeconds?: number;
    readonly suspend?: boolean;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: {
      readonly metadata?: { readonly labels?: Fields; readonly annotations?: Fields };
      readonly spec: Fields;
    };
  };
  readonly status?: {
    readonly active?: readonly JobReference[];
    readonly lastScheduleTime?: string;
    readonly lastSuccessfulTime?: string;
  };
}

/** The collection of CronJobs. */
export const cronJobs = 'batch/cronjobs';

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
const tooMany = 100;

/** What a schedule means now. */
export interface Due {
  /** The last time that is not in the future and was not served; undefined when there is none. */
  readonly time: number | undefined;
  /** Whether more than a hundred times were missed. */
  readonly missedMany: boolean;
  /** ms until the next time. */
  readonly after: number | undefined;
}

const nextDelta = 100;

/** The time that is due, counted from the last one that was served, but not from longer ago than the deadline allows. */
export function dueOf({ metadata, spec, status }: CronJob, schedule: Schedule, now: number): Due {
  const last = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  const deadline = spec.startingDeadlineSeconds;
  const earliest = deadline === undefined ? last : Math.max(last, now - deadline * 1000);
  let time: number | undefined;
  let missed = 0;
  for (let next = schedule.next(earliest); next !== undefined && next <= now; next = schedule.next(next)) {
    missed += 1;
    time = next;
    if (missed <= tooMany) continue;
    time = lastBefore(schedule, next, now);
    break;
  }
  const following = schedule.next(now);
  return {
    time,
    missedMany: missed > tooMany,
    after: following === undefined ? undefined : following - now + nextDelta,
  };
}

/** The last time up to now, found from nearby where there are many. */
function lastBefore(schedule: Schedule, known: number, now: number): number {
  const step = (schedule.next(known) ?? now) - known;
  let last = Math.max(known, known + (Math.floor((now - known) / step) - 1) * step - 1);
  for (let next = schedule.next(last); next !== undefined && next <= now; next = schedule.next(next)) last = next;
  return last;
}

/** RFC 3339 in the time of a zone, as Go writes it. */
function zoned(time: number, timeZone: string | undefined): string {
  if (timeZone === undefined || timeZone === '' || timeZone === 'UTC') return timestampOf(time);
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(time);
  const local = parts.replace(' ', 'T');
  const minutes = Math.round((Date.parse(`${local}Z`) - time) / 60_000);
  if (minutes === 0) return `${local}Z`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}

/** The name of the Job of a time. */
export const jobNameOf = ({ metadata }: CronJob, time: number): string =>
  `${metadata.name}-${Math.floor(time / 60_000)}`;

/** The Job of a time. */
export function jobFor(cronJob: CronJob, time: number): NewObject {
  const { jobTemplate, timeZone } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata ?? {};
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobNameOf(cronJob, time),
      namespace: cronJob.metadata.namespace,
      ...(labels !== undefined && { labels }),
      annotations: { ...annotations, [scheduledAnnotation]: zoned(time, timeZone) },
      ownerReferences: [ownerReferenceTo(cronJob)],
    },
    spec: jobTemplate.spec,
  };
}

/** When a Job was meant to be made. */
export const scheduledTimeOf = ({ metadata }: Job): number =>
  Date.parse(metadata.annotations?.[scheduledAnnotation] ?? metadata.creationTimestamp ?? '');

/** How a status names a Job. */
export const referenceTo = ({ apiVersion, kind, metadata }: Job): JobReference => ({
  kind,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  name: metadata.name,
  uid: metadata.uid!,
  apiVersion,
  resourceVersion: metadata.resourceVersion!,
});

const byStart = (a: Job, b: Job): number => {
  const [first, second] = [a.status?.startTime ?? '~', b.status?.startTime ?? '~'];
  return first === second ? (keyOf(a.metadata) < keyOf(b.metadata) ? -1 : 1) : first < second ? -1 : 1;
};

/** Ended Jobs that are more than the CronJob keeps, oldest first. */
export function surplusOf({ spec }: CronJob, children: readonly Job[]): readonly Job[] {
  const ended = (type: string, limit: number | undefined): readonly Job[] => {
    const those = children.filter((job) => endOf(job)?.type === type && job.metadata.deletionTimestamp === undefined);
    return limit === undefined ? [] : those.toSorted(byStart).slice(0, Math.max(0, those.length - limit));
  };
  return [...ended('Complete', spec.successfulJobsHistoryLimit), ...ended('Failed', spec.failedJobsHistoryLimit)];
}
