import test from 'ava';
import { parseSchedule } from '../../../../cluster/apimachinery/cron/schedule.ts';
import { type CronJob, dueOf } from '../../../../cluster/controllers/batch/cron-job.ts';
import { cronJobReconciler } from '../../../../cluster/controllers/batch/cron-job-reconciler.ts';
import type { Job } from '../../../../cluster/controllers/batch/job.ts';
import type { View } from '../../../../cluster/controllers/engine/reconciler.ts';
import { excessiveGrowth, workOn } from '../../../growth.ts';
import { aTemplate, aWorkloadCluster } from '../../fixtures/a-workload-cluster.ts';

const minutes = 60_000;
const cronJob = (spec = {}) => ({
  metadata: { name: 'cron' },
  spec: {
    schedule: '*/5 * * * *',
    jobTemplate: { spec: { template: aTemplate({}, { restartPolicy: 'Never' }) } },
    ...spec,
  },
});

test("Jobs are made when the cluster's clock says so, and the oldest are forgotten", async (t) => {
  const { make, list, get, pass, told } = await aWorkloadCluster();
  await make('cronjobs', cronJob({ successfulJobsHistoryLimit: 2 }));
  await pass(4 * minutes);
  t.is(list('Job').length, 0);
  await pass(2 * minutes);
  const [first] = list<Job>('Job');
  t.is(first!.metadata.name, `cron-${Date.UTC(2026, 0, 1, 0, 5) / minutes}`);
  t.is(first!.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'], '2026-01-01T00:05:00Z');
  await pass(15 * minutes);
  t.is(list('Job').length, 2);
  t.like(get<CronJob>('CronJob', 'cron').status, {
    lastScheduleTime: '2026-01-01T00:20:00Z',
    lastSuccessfulTime: '2026-01-01T00:20:00Z',
  });
  t.true(told().some((text) => text.startsWith('SawCompletedJob: ')));
});

const running = { kubelet: { taskDelay: false } } as const;

test('concurrencyPolicy Forbid: the next Job waits for the last', async (t) => {
  const { cluster, make, list, get, pass } = await aWorkloadCluster(running);
  await make('cronjobs', cronJob({ concurrencyPolicy: 'Forbid' }));
  await pass(11 * minutes);
  t.is(list('Job').length, 1);
  t.is(get<CronJob>('CronJob', 'cron').status?.active?.length, 1);
  await cluster.kubelet.complete('default/cron-*');
  t.is(list('Job').length, 2);
});

test('concurrencyPolicy Replace: only the last Job stays', async (t) => {
  const { make, list, pods, pass } = await aWorkloadCluster(running);
  await make('cronjobs', cronJob({ concurrencyPolicy: 'Replace' }));
  await pass(11 * minutes);
  t.is(list('Job').length, 1);
  t.is(pods().length, 1);
});

test('concurrencyPolicy Allow: several Jobs run at once', async (t) => {
  const { make, get, pass } = await aWorkloadCluster(running);
  await make('cronjobs', cronJob());
  await pass(16 * minutes);
  t.is(get<CronJob>('CronJob', 'cron').status?.active?.length, 3);
});

test('what was missed while suspended is made up for once, if it is not too late', async (t) => {
  const { make, change, list, pass, told } = await aWorkloadCluster();
  await make('cronjobs', cronJob({ suspend: true }));
  await pass(21 * minutes);
  t.is(list('Job').length, 0);
  await change('cronjobs', 'cron', { spec: { startingDeadlineSeconds: 30, suspend: false } });
  t.is(list('Job').length, 0);
  await change('cronjobs', 'cron', { spec: { startingDeadlineSeconds: 120 } });
  t.deepEqual(
    list<Job>('Job').map(({ metadata }) => metadata.name),
    [`cron-${Date.UTC(2026, 0, 1, 0, 20) / minutes}`],
  );
  t.false(told().some((text) => text.startsWith('TooManyMissedTimes')));
});

test('schedules are read in their time zone', async (t) => {
  const { make, list, pass } = await aWorkloadCluster();
  await make('cronjobs', cronJob({ schedule: '0 9 * * *', timeZone: 'Asia/Kolkata' }));
  await pass(4 * 60 * minutes);
  const [job] = list<Job>('Job');
  t.is(job!.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'], '2026-01-01T09:00:00+05:30');
});

test('a schedule that never comes is reported', async (t) => {
  const { make, pass, told } = await aWorkloadCluster();
  await make('cronjobs', cronJob({ schedule: '59 23 31 2 *' }));
  await pass(minutes);
  t.deepEqual(told(), [
    'InvalidSchedule: invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second',
  ]);
});

test('an irregular schedule that missed many starts has none at a time that it does not name', (t) => {
  const firstHour = parseSchedule('* 0 1 1 *', undefined);
  const cronJob = { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' }, spec: {} } as CronJob;
  const due = dueOf(cronJob, firstHour, Date.parse('2027-06-01T12:00:30Z'));
  t.like(due, { time: undefined, missedMany: true });
  t.is(dueOf(cronJob, firstHour, Date.parse('2027-01-01T00:50:30Z')).time, Date.parse('2027-01-01T00:50:00Z'));
});

test('the work of a sync grows with the Jobs of a CronJob, not with their square', async (t) => {
  const jobs = (size: number) =>
    Array.from({ length: size }, (_, index) => {
      const name = `job-${index}`;
      const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'it', uid: 'it', controller: true };
      const metadata = { name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z', ownerReferences: [owner] };
      return { apiVersion: 'batch/v1', kind: 'Job', metadata };
    });
  const growth = await excessiveGrowth(
    workOn(jobs, (children) => {
      const active = children.map(({ metadata: { name, uid } }) => ({ name, uid }));
      const cronJob = {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'it', uid: 'it' },
        status: { active },
      };
      const view = { now: 0, random: () => 0, refusal: undefined, get: () => undefined, list: () => children };
      return cronJobReconciler.decide(cronJob, view as unknown as View);
    }),
    { size: 12_800 },
  );
  t.is(growth, undefined);
});
