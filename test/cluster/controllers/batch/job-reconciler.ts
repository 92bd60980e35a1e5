import { timestampOf } from '../../apimachinery/metadata-values.ts';
import { conditionOf } from '../conditions.ts';
import {
  type Decision,
  type Reconciler,
  rest,
  shortest,
  type Told,
  type View,
  type Write,
} from '../engine/reconciler.ts';
import { compactStatus, statusWrites } from '../engine/status-write.ts';
import { claim, controllerOf, ownersConcerned } from '../ownership.ts';
import { inDeletionOrder } from '../pods/deletion-order.ts';
import { type Condition, isFinished, type Pod, pods } from '../pods/pod.ts';
import { type Crew, crewOf, endOf, isTracked, type Job, type JobStatus, jobs } from './job.ts';
import { creations, deletions, wantedActive } from './job-pods.ts';
import { countable, type Tally, talliedStatus, tallyOf, untracked } from './job-tally.ts';
import { concluded, isFailing, untilDeadline, type Verdict, verdictOf } from './job-verdict.ts';

const controllerName = 'kubernetes.io/job-controller';
/** Maximum of pods created per sync. */
const burst = 500;

/** Job with the state that its sync is based on. */
interface Shift {
  readonly job: Job;
  readonly crew: Crew;
  readonly tally: Tally;
  readonly view: View;
}

/** Status changes besides the counts. */
interface Changes {
  readonly conditions?: readonly Condition[];
  readonly startTime?: string | undefined;
  readonly completionTime?: string;
}

function statusWith({ job, crew, tally }: Shift, changes: Changes): JobStatus {
  const { ready: _ready, ...before } = job.status ?? {};
  const now = {
    ...before,
    ...changes,
    ...talliedStatus(tally),
    active: crew.active.length,
    ready: crew.ready,
    terminating: crew.terminating.length,
  };
  return compactStatus(now, ['ready', 'terminating', 'failedIndexes']) as JobStatus;
}

function written(shift: Shift, changes: Changes, tell?: Omit<Told, 'about'>): readonly Write[] {
  const { job } = shift;
  const writes = statusWrites(job, { ...statusWith(shift, changes) });
  if (tell === undefined) return writes;
  return writes.map((write) => ({ ...write, tell: () => ({ about: job, ...tell }) }));
}

const endings: Readonly<Record<string, (verdict: Verdict) => Omit<Told, 'about'>>> = {
  Complete: () => ({ type: 'Normal', reason: 'Completed', message: 'Job completed' }),
  Failed: ({ reason, message }) => ({ type: 'Warning', reason, message }),
};

/** Deletes active pods; for a Job that has succeeded, their finalizers are removed uncounted. */
function stops({ job, crew }: Shift, verdict: Verdict): readonly Write[] {
  const uncounted = isFailing(verdict) ? [] : crew.active.filter(isTracked).map(untracked);
  return [...uncounted, ...deletions(job, crew.active)];
}

/** Ends a Job: deletes its pods, then sets the final condition once all are gone and counted. */
function conclude(shift: Shift, verdict: Verdict): Decision {
  const { job, crew, tally, view } = shift;
  const [early, late] = verdict.types;
  const conditions = concluded(job.status?.conditions ?? [], verdict, { type: early, now: view.now });
  const isCounted = tally.uncounted.succeeded.length + tally.uncounted.failed.length === 0;
  if (crew.active.length + crew.terminating.length > 0 || !isCounted) {
    return { writes: [...written(shift, { conditions }), ...stops(shift, verdict)] };
  }
  const ended = concluded(conditions, verdict, { type: late, now: view.now });
  const completionTime = late === 'Complete' ? { completionTime: timestampOf(view.now) } : {};
  return { writes: written(shift, { conditions: ended, ...completionTime }, endings[late]!(verdict)) };
}

function suspend(shift: Shift): Decision {
  const { job, crew, view } = shift;
  if (crew.active.length > 0) return { writes: deletions(job, crew.active) };
  const { conditions = [] } = job.status ?? {};
  const said = { reason: 'JobSuspended', message: 'Job suspended' };
  const next = concluded(conditions, said, { type: 'Suspended', now: view.now });
  const isNew = next !== conditions;
  const tell = { type: 'Normal', reason: 'Suspended', message: 'Job suspended' } as const;
  return { writes: written(shift, { conditions: next, startTime: undefined }, isNew ? tell : undefined) };
}

/** Returns the status of a Job that runs, with an event when it has been resumed. */
function runs(shift: Shift): readonly Write[] {
  const { job, view } = shift;
  const { conditions = [], startTime = timestampOf(view.now) } = job.status ?? {};
  if (conditionOf(conditions, 'Suspended')?.status !== 'True') return written(shift, { startTime });
  const said = { reason: 'JobResumed', message: 'Job resumed' };
  const resumed = concluded(conditions, said, { type: 'Suspended', status: 'False', now: view.now });
  const tell = { type: 'Normal', reason: 'Resumed', message: 'Job resumed' } as const;
  return written(shift, { startTime: timestampOf(view.now), conditions: resumed }, tell);
}

function work(shift: Shift): Decision {
  const { job, crew, tally, view } = shift;
  const missing = wantedActive(job, crew, tally) - crew.active.length;
  const terminating = job.spec.podReplacementPolicy === 'Failed' ? crew.terminating.length : 0;
  const count = Math.min(missing - terminating, burst);
  if (missing < 0) {
    const spare = inDeletionOrder(crew.active, crew.active, view.now).slice(0, -missing);
    return { writes: deletions(job, spare) };
  }
  const { writes: made, wait } = creations(job, crew, { tally, count, now: view.now });
  if (made.length > 0 && view.refusal === undefined) return { writes: made };
  return { writes: runs(shift), after: shortest([wait > 0 ? wait : undefined, untilDeadline(job, view.now)]) };
}

function decide(job: Job, view: View): Decision {
  if (job.spec.managedBy !== undefined && job.spec.managedBy !== controllerName) return rest;
  const { owned, writes } = claim(job, view.list<Pod>(pods, job.metadata.namespace));
  if (endOf(job) !== undefined)
    return { writes: owned.filter((pod) => isTracked(pod) && isFinished(pod)).map(untracked) };
  if (writes.length > 0) return { writes };
  const tally = tallyOf(job, owned);
  const released = countable(job, owned, tally);
  if (released.length > 0) return { writes: released.map(untracked) };
  const crew = crewOf(owned);
  const shift: Shift = { job, crew, tally, view };
  const verdict = verdictOf(job, crew, { tally, now: view.now });
  if (verdict !== undefined) {
    const last = tallyOf(job, owned, isFailing(verdict) ? 'badly' : 'well');
    return conclude({ ...shift, tally: last }, verdict);
  }
  if (job.metadata.deletionTimestamp !== undefined) return { writes: written(shift, {}) };
  return job.spec.suspend ? suspend(shift) : work(shift);
}

/** Removes the tracking finalizer from pods of a deleted Job. */
function orphans(key: string, view: View): Decision {
  const [namespace = '', name = ''] = key.split('/');
  const abandoned = view.list<Pod>(pods, namespace).filter((pod) => {
    const owner = controllerOf(pod);
    return isTracked(pod) && owner?.kind === 'Job' && owner.name === name;
  });
  return { writes: abandoned.map(untracked) };
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
