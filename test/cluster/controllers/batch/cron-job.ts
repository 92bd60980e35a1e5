/** CronJobs: types, due times and their Jobs. */

import { keyOf, ownerReferenceTo } from '../../../../sdk/api/object.ts';
import type { Schedule } from '../../apimachinery/cron/schedule.ts';
import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import type { NewObject } from '../engine/reconciler.ts';
import { endOf, type Job } from './job.ts';

/** Reference to an active Job. */
export interface JobReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** CronJob object. */
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

/** Collection of CronJobs. */
export const cronJobs = 'batch/cronjobs';

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
const tooMany = 100;

/** Due time of a schedule. */
export interface Due {
  /** Latest unserved time that is not in the future; undefined without one. */
  readonly time: number | undefined;
  /** True when more than 100 times were missed. */
  readonly missedMany: boolean;
  /** Time until the next start, in ms. */
  readonly after: number | undefined;
}

const nextDelta = 100;

/** Finds the due time since the last one served, at most the starting deadline ago. */
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

/**
 * Returns the last scheduled time up to now, by an estimate from the interval after a known one; undefined when the
 * schedule has no time since the estimate, as in kube-controller-manager.
 */
function lastBefore(schedule: Schedule, known: number, now: number): number | undefined {
  const step = (schedule.next(known) ?? now) - known;
  const estimate = Math.max(known, known + (Math.floor((now - known) / step) - 1) * step - 1);
  let last = estimate === known ? known : undefined;
  for (let next = schedule.next(estimate); next !== undefined && next <= now; next = schedule.next(next)) last = next;
  return last;
}

/** Formats a time as RFC 3339 with the offset of its zone, as Go does. */
function timestampInZone(time: number, timeZone: string | undefined): string {
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

/** Returns the name of the Job of a scheduled time. */
export const jobNameOf = ({ metadata }: CronJob, time: number): string =>
  `${metadata.name}-${Math.floor(time / 60_000)}`;

/** Returns the Job of a scheduled time. */
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
      annotations: { ...annotations, [scheduledAnnotation]: timestampInZone(time, timeZone) },
      ownerReferences: [ownerReferenceTo(cronJob)],
    },
    spec: jobTemplate.spec,
  };
}

/** Returns the scheduled time of a Job, in ms since the epoch. */
export const scheduledTimeOf = ({ metadata }: Job): number =>
  Date.parse(metadata.annotations?.[scheduledAnnotation] ?? metadata.creationTimestamp ?? '');

/** Returns the reference to a Job in a CronJob's status. */
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

/** Returns the finished Jobs beyond the history limits, oldest first. */
export function surplusOf({ spec }: CronJob, children: readonly Job[]): readonly Job[] {
  const ended = (type: string, limit: number | undefined): readonly Job[] => {
    const those = children.filter((job) => endOf(job)?.type === type && job.metadata.deletionTimestamp === undefined);
    return limit === undefined ? [] : those.toSorted(byStart).slice(0, Math.max(0, those.length - limit));
  };
  return [...ended('Complete', spec.successfulJobsHistoryLimit), ...ended('Failed', spec.failedJobsHistoryLimit)];
}
