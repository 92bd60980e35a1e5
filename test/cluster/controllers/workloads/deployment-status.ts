/** Status of Deployments: counts, conditions and the progress deadline. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { conditionOf, transitionTime, withCondition, withoutCondition } from '../conditions.ts';
import { compactStatus } from '../engine/status-write.ts';
import type { Condition } from '../pods/pod.ts';
import {
  allOf,
  countedIn,
  type Deployment,
  type DeploymentStatus,
  fencepostsOf,
  hasDeadline,
  type Rollout,
  wantedBy,
} from './deployment.ts';
import { progress } from './deployment-revision.ts';

/** Reports whether all replicas are updated and available. */
export const isComplete = ({ spec, metadata }: Deployment, status: DeploymentStatus = {}): boolean =>
  (status.updatedReplicas ?? 0) === spec.replicas &&
  (status.replicas ?? 0) === spec.replicas &&
  (status.availableReplicas ?? 0) === spec.replicas &&
  (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);

/** Reports whether more replicas are updated or available, or fewer are old, than before. */
function isProgressing(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const count = (
    status: DeploymentStatus,
    name: 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas',
  ) => status[name] ?? 0;
  const oldOnes = (status: DeploymentStatus) => count(status, 'replicas') - count(status, 'updatedReplicas');
  return (
    count(after, 'updatedReplicas') > count(before, 'updatedReplicas') ||
    oldOnes(after) < oldOnes(before) ||
    count(after, 'readyReplicas') > count(before, 'readyReplicas') ||
    count(after, 'availableReplicas') > count(before, 'availableReplicas')
  );
}

const timedOut = 'ProgressDeadlineExceeded';
const finished = 'NewReplicaSetAvailable';

/** Returns the ms until the progress deadline; negative once it has passed. */
function timeLeft({ spec }: Deployment, condition: Condition | undefined, now: number): number {
  const since = Date.parse(String(condition?.lastUpdateTime ?? ''));
  return since + (spec.progressDeadlineSeconds ?? 0) * 1000 - now;
}

function withProgress(rollout: Rollout, status: DeploymentStatus, now: number): readonly Condition[] {
  const { deployment, current } = rollout;
  const { conditions = [] } = status;
  const before = conditionOf(conditions, 'Progressing');
  const subject =
    current === undefined
      ? `Deployment ${JSON.stringify(deployment.metadata.name)}`
      : `ReplicaSet ${JSON.stringify(current.metadata.name)}`;
  if (isComplete(deployment, status)) {
    const message = `${subject} has successfully progressed.`;
    return withCondition(conditions, progress({ status: 'True', reason: finished, message }, now), now);
  }
  if (isProgressing(deployment.status ?? {}, status)) {
    const message = `${subject} is progressing.`;
    const verdict = progress({ status: 'True', reason: 'ReplicaSetUpdated', message }, now);
    const lastTransitionTime = transitionTime(before, verdict.status, now);
    return [...withoutCondition(conditions, 'Progressing'), { ...verdict, lastTransitionTime }];
  }
  if (before === undefined || before.reason === finished || timeLeft(deployment, before, now) >= 0) return conditions;
  const message = `${subject} has timed out progressing.`;
  return withCondition(conditions, progress({ status: 'False', reason: timedOut, message }, now), now);
}

/** Returns the ReplicaFailure condition of a ReplicaSet, the current one first. */
function failureOf({ current, old }: Rollout): Condition | undefined {
  const sets = current === undefined ? old : [current, ...old];
  return sets
    .map(({ status }) => conditionOf(status?.conditions, 'ReplicaFailure'))
    .find((found) => found !== undefined);
}

function withFailure(rollout: Rollout, conditions: readonly Condition[]): readonly Condition[] {
  const failure = failureOf(rollout);
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  const before = conditionOf(conditions, 'ReplicaFailure');
  if (before?.status === failure.status && before.reason === failure.reason) return conditions;
  const copy = { ...failure, lastUpdateTime: failure.lastTransitionTime };
  return [...withoutCondition(conditions, 'ReplicaFailure'), copy];
}

/** Returns the counts, with the Available condition. */
export function countedStatus(rollout: Rollout, now: number): DeploymentStatus {
  const { deployment, current } = rollout;
  const sets = allOf(rollout);
  const availableReplicas = countedIn(sets, 'availableReplicas');
  const isEnough = availableReplicas >= deployment.spec.replicas - fencepostsOf(deployment).unavailable;
  const verdict = isEnough
    ? ({ status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' } as const)
    : ({
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      } as const);
  const available = { type: 'Available', ...verdict, lastUpdateTime: timestampOf(now) };
  return compactStatus({
    observedGeneration: deployment.metadata.generation,
    replicas: countedIn(sets, 'replicas'),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: countedIn(sets, 'readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, wantedBy(sets) - availableReplicas),
    collisionCount: deployment.status?.collisionCount,
    conditions: withCondition(deployment.status?.conditions ?? [], available, now),
  });
}

/** Returns the status of a rollout: counts and all conditions. */
export function rolloutStatus(rollout: Rollout, now: number): DeploymentStatus {
  const { deployment } = rollout;
  const counted = countedStatus(rollout, now);
  const conditions = hasDeadline(deployment)
    ? (counted.conditions ?? [])
    : withoutCondition(counted.conditions ?? [], 'Progressing');
  const wasFinished = conditionOf(deployment.status?.conditions, 'Progressing')?.reason === finished;
  const isFinished = wasFinished && (counted.replicas ?? 0) === (counted.updatedReplicas ?? 0);
  const estimated =
    hasDeadline(deployment) && !isFinished ? withProgress(rollout, { ...counted, conditions }, now) : conditions;
  return compactStatus({ ...counted, conditions: withFailure(rollout, estimated) });
}

/** Returns the ms until the progress deadline must be checked. */
export function progressCheckIn(deployment: Deployment, status: DeploymentStatus, now: number): number | undefined {
  const condition = conditionOf(status.conditions, 'Progressing');
  if (!hasDeadline(deployment) || condition === undefined) return undefined;
  if (isComplete(deployment, status) || condition.reason === timedOut) return undefined;
  // One more second, because timestamps have no fractions.
  return Math.max(0, timeLeft(deployment, condition, now)) + 1000;
}

/** Returns the conditions of a Deployment that was just paused or resumed; undefined otherwise. */
export function pauseConditions(deployment: Deployment, now: number): readonly Condition[] | undefined {
  const { conditions = [] } = deployment.status ?? {};
  const reason = conditionOf(conditions, 'Progressing')?.reason;
  const { paused = false } = deployment.spec;
  if (!hasDeadline(deployment) || reason === timedOut || paused === (reason === 'DeploymentPaused')) return undefined;
  const [next, message] = paused
    ? ['DeploymentPaused', 'Deployment is paused']
    : ['DeploymentResumed', 'Deployment is resumed'];
  return withCondition(conditions, progress({ status: 'Unknown', reason: next!, message: message! }, now), now);
}
