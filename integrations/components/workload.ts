/** Workloads of components, bare pods or Deployments, and their states. */

import type { Deployment, NewObject, Pod } from '../../sdk/index.ts';
import type { Dependency } from './dependencies.ts';
import { isRolledOut, refusedPodsOf, rolloutFailureOf } from './deployment-status.ts';
import { blockerOf, failureOf, isEvicted, isReady } from './readiness.ts';

/** Kinds of objects that run a component. */
export const workloadKinds = ['Pod', 'Deployment'] as const;

/** Kind of the object that runs a component. */
export type WorkloadKind = (typeof workloadKinds)[number];

/** Workload in the cluster. */
export type Workload =
  | { readonly kind: 'Pod'; readonly object: Pod }
  | { readonly kind: 'Deployment'; readonly object: Deployment };

/** Desired workload. */
export type WantedWorkload =
  | { readonly kind: 'Pod'; readonly object: NewObject<Pod> }
  | { readonly kind: 'Deployment'; readonly object: NewObject<Deployment> };

/** State of a workload that matches its template. */
export type WorkloadState =
  | { readonly kind: 'ready' }
  /** True when its node or the scheduler has ended it, so that it must be recreated. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly why: string }
  /** `why` is empty when it is starting normally. */
  | { readonly kind: 'pending'; readonly why: string };

/** Judges a workload by its status. */
export function workloadStateOf(workload: Workload): WorkloadState {
  const isPod = workload.kind === 'Pod';
  if (isPod && isEvicted(workload.object)) return { kind: 'ended' };
  const failure = isPod ? failureOf(workload.object) : rolloutFailureOf(workload.object);
  if (failure !== undefined) return { kind: 'failed', why: failure };
  if (isPod ? isReady(workload.object) : isRolledOut(workload.object)) return { kind: 'ready' };
  return { kind: 'pending', why: (isPod ? blockerOf(workload.object) : refusedPodsOf(workload.object)) ?? '' };
}

/** Reports whether a workload has the condition that is waited for. A Deployment is `Ready` when it is rolled out. */
export function isMet({ type, status }: Dependency, workload: Workload | undefined): boolean {
  if (workload === undefined) return false;
  if (workload.kind === 'Deployment' && type === 'Ready')
    return status === (isRolledOut(workload.object) ? 'True' : 'False');
  const conditions: readonly { readonly type: string; readonly status: string }[] =
    workload.object.status?.conditions ?? [];
  return conditions.some((condition) => condition.type === type && condition.status === status);
}
