/** TTL-after-finished controller. */

import type { Reconciler } from '../engine/reconciler.ts';
import { rest } from '../engine/reconciler.ts';
import { endOf, type Job, jobs } from './job.ts';

/** Deletes finished Jobs after `ttlSecondsAfterFinished`. */
export const ttlAfterFinishedReconciler: Reconciler = {
  collection: jobs,
  component: 'ttl-after-finished-controller',
  decide(object, { now }) {
    const job = object as Job;
    const { ttlSecondsAfterFinished: seconds } = job.spec;
    const end = endOf(job)?.lastTransitionTime;
    if (seconds === undefined || end === undefined || job.metadata.deletionTimestamp !== undefined) return rest;
    const left = Date.parse(end) + seconds * 1000 - now;
    if (left > 0) return { writes: [], after: left };
    return { writes: [{ do: 'delete', object: job, options: { propagationPolicy: 'Foreground' } }] };
  },
};
