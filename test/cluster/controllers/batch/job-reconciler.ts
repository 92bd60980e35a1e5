/** Controller of Jobs. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { conditionOf } from '../conditions.ts';
import {
  type Decision,
  type EventReport,
  type Reconciler,
  rest,
  shortest,
  type View,
  type Write,
} from '../engine/reconciler.ts';
import { compactStatus, statusWrites } from '../engine/status-write.ts';
import { claim, controllerOf, ownersConcerned } from '../ownership.ts';
import { inDeletionOrder } from '../pods/deletion-order.ts';
import { type Condition, isFinished, type Pod, pods } from '../pods/pod.ts';
import { endOf, isTracked, type Job, type JobPods, type JobStatus, jobPodsOf, jobs } from './job.ts';
import { creations, deletions, wantedActive } from './job-pods.ts';
import { countable, removeTrackingFinalizer, type Tally, talliedStatus, tallyOf } from './job-tally.ts';
import { isFailing, untilDeadline, type Verdict, verdictOf, withJobCondition } from './job-verdict.ts';

const controllerName = 'kubernetes.io/job-controller';
/** Maximum of pods created per sync. */
const burst = 500;

/** Job with the state that its sync is based on. */
interface JobState {
  readonly job: Job;
  readonly jobPods: JobPods;
  readonly tally: Tally;
  readonly view: View;
}

/** Status changes besides the counts. */
interface Changes {
  readonly conditions?: readonly Condition[];
  readonly startTime?: string | undefined;
  readonly completionTime?: string;
}

function statusWith({ job, jobPods, tally }: JobState, changes: Changes): JobStatus {
  const { ready: _ready, ...before } = job.status ?? {};
  const now = {
    ...before,
    ...changes,
    ...talliedStatus(tally),
    active: jobPods.active.length,
    ready: jobPods.ready,
    terminating: jobPods.terminating.length,
  };
  return compactStatus(now, ['ready', 'terminating', 'failedIndexes']) as JobStatus;
}

function statusDecision(state: JobState, changes: Changes, report?: Omit<EventReport, 'about'>): readonly Write[] {
  const { job } = state;
  const writes = statusWrites(job, { ...statusWith(state, changes) });
  if (report === undefined) return writes;
  return writes.map((write) => ({ ...write, report: () => ({ about: job, ...report }) }));
}

const endings: Readonly<Record<string, (verdict: Verdict) => Omit<EventReport, 'about'>>> = {
  Complete: () => ({ type: 'Normal', reason: 'Completed', message: 'Job completed' }),
  Failed: ({ reason, message }) => ({ type: 'Warning', reason, message }),
};

/** Deletes active pods; for a Job that has succeeded, their finalizers are removed uncounted. */
function stops({ job, jobPods }: JobState, verdict: Verdict): readonly Write[] {
  const uncounted = isFailing(verdict) ? [] : jobPods.active.filter(isTracked).map(removeTrackingFinalizer);
  return [...uncounted, ...deletions(job, jobPods.active)];
}

/** Ends a Job: deletes its pods, then sets the final condition once all are gone and counted. */
function conclude(state: JobState, verdict: Verdict): Decision {
  const { job, jobPods, tally, view } = state;
  const [early, late] = verdict.types;
  const conditions = withJobCondition(job.status?.conditions ?? [], verdict, { type: early, now: view.now });
  const isCounted = tally.uncounted.succeeded.length + tally.uncounted.failed.length === 0;
  if (jobPods.active.length + jobPods.terminating.length > 0 || !isCounted) {
    return { writes: [...statusDecision(state, { conditions }), ...stops(state, verdict)] };
  }
  const ended = withJobCondition(conditions, verdict, { type: late, now: view.now });
  const completionTime = late === 'Complete' ? { completionTime: timestampOf(view.now) } : {};
  return { writes: statusDecision(state, { conditions: ended, ...completionTime }, endings[late]!(verdict)) };
}

function suspend(state: JobState): Decision {
  const { job, jobPods, view } = state;
  if (jobPods.active.length > 0) return { writes: deletions(job, jobPods.active) };
  const { conditions = [] } = job.status ?? {};
  const said = { reason: 'JobSuspended', message: 'Job suspended' };
  const next = withJobCondition(conditions, said, { type: 'Suspended', now: view.now });
  const isNew = next !== conditions;
  const report = { type: 'Normal', reason: 'Suspended', message: 'Job suspended' } as const;
  return { writes: statusDecision(state, { conditions: next, startTime: undefined }, isNew ? report : undefined) };
}

/** Returns the status of a Job that runs, with an event when it has been resumed. */
function runs(state: JobState): readonly Write[] {
  const { job, view } = state;
  const { conditions = [], startTime = timestampOf(view.now) } = job.status ?? {};
  if (conditionOf(conditions, 'Suspended')?.status !== 'True') return statusDecision(state, { startTime });
  const said = { reason: 'JobResumed', message: 'Job resumed' };
  const resumed = withJobCondition(conditions, said, { type: 'Suspended', status: 'False', now: view.now });
  const report = { type: 'Normal', reason: 'Resumed', message: 'Job resumed' } as const;
  return statusDecision(state, { startTime: timestampOf(view.now), conditions: resumed }, report);
}

function work(state: JobState): Decision {
  const { job, jobPods, tally, view } = state;
  const missing = wantedActive(job, jobPods, tally) - jobPods.active.length;
  const terminating = job.spec.podReplacementPolicy === 'Failed' ? jobPods.terminating.length : 0;
  const count = Math.min(missing - terminating, burst);
  if (missing < 0) {
    const spare = inDeletionOrder(jobPods.active, jobPods.active, view.now).slice(0, -missing);
    return { writes: deletions(job, spare) };
  }
  const { writes: made, wait } = creations(job, jobPods, { tally, count, now: view.now });
  if (made.length > 0 && view.refusal === undefined) return { writes: made };
  return { writes: runs(state), after: shortest([wait > 0 ? wait : undefined, untilDeadline(job, view.now)]) };
}

function decide(job: Job, view: View): Decision {
  if (job.spec.managedBy !== undefined && job.spec.managedBy !== controllerName) return rest;
  const { owned, writes } = claim(job, view.list<Pod>(pods, job.metadata.namespace));
  if (endOf(job) !== undefined)
    return { writes: owned.filter((pod) => isTracked(pod) && isFinished(pod)).map(removeTrackingFinalizer) };
  if (writes.length > 0) return { writes };
  const tally = tallyOf(job, owned);
  const released = countable(job, owned, tally);
  if (released.length > 0) return { writes: released.map(removeTrackingFinalizer) };
  const jobPods = jobPodsOf(owned);
  const state: JobState = { job, jobPods, tally, view };
  const verdict = verdictOf(job, jobPods, { tally, now: view.now });
  if (verdict !== undefined) {
    const last = tallyOf(job, owned, isFailing(verdict) ? 'badly' : 'well');
    return conclude({ ...state, tally: last }, verdict);
  }
  if (job.metadata.deletionTimestamp !== undefined) return { writes: statusDecision(state, {}) };
  return job.spec.suspend ? suspend(state) : work(state);
}

/** Removes the tracking finalizer from pods of a deleted Job. */
function orphans(key: string, view: View): Decision {
  const [namespace = '', name = ''] = key.split('/');
  const abandoned = view.list<Pod>(pods, namespace).filter((pod) => {
    const owner = controllerOf(pod);
    return isTracked(pod) && owner?.kind === 'Job' && owner.name === name;
  });
  return { writes: abandoned.map(removeTrackingFinalizer) };
}

/** Runs Jobs to completion. */
export const jobReconciler: Reconciler = {
  collection: jobs,
  component: 'job-controller',
  concerns: (change, view) =>
    change.collection === pods ? ownersConcerned({ kind: 'Job', collection: jobs }, change, view) : [],
  decide: (object, view) => decide(object as Job, view),
  gone: orphans,
};
