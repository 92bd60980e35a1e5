/** Revisions of Deployments, and the ReplicaSet of the current one. */

import { ownerReferenceTo } from '../../../../sdk/api/object.ts';
import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { type ConditionUpdate, conditionOf, withCondition } from '../conditions.ts';
import type { Decision, NewObject, View, Write } from '../engine/reconciler.ts';
import { statusWrites } from '../engine/status-write.ts';
import type { PodTemplate } from '../pods/from-template.ts';
import type { Condition } from '../pods/pod.ts';
import { templateHash } from '../template-hash.ts';
import {
  allOf,
  type Deployment,
  desiredAnnotation,
  fencepostsOf,
  hasDeadline,
  hashLabel,
  maxAnnotation,
  type Rollout,
  sizeAnnotations,
  wantedBy,
} from './deployment.ts';
import { type ReplicaSet, replicaSets } from './replica-set.ts';

const revision = 'deployment.kubernetes.io/revision';
const revisionHistory = 'deployment.kubernetes.io/revision-history';
const maxHistoryLength = 2000;

/** Annotations of a Deployment that are not copied to its ReplicaSets. */
const notCopied = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revision,
  revisionHistory,
  desiredAnnotation,
  maxAnnotation,
  'deprecated.deployment.rollback.to',
]);

/** Returns the revision number of a ReplicaSet; 0 without one. */
export function revisionOf({ metadata }: ReplicaSet): number {
  const text = metadata.annotations?.[revision] ?? '';
  return /^\d+$/.test(text) ? Number(text) : 0;
}

const withoutHash = ({ metadata, ...rest }: PodTemplate): object => {
  const { [hashLabel]: _hash, ...labels } = metadata?.labels ?? {};
  return { ...rest, metadata: { ...metadata, labels } };
};

/** Reports whether a ReplicaSet has the Deployment's pod template. */
export const hasTemplateOf = ({ spec }: ReplicaSet, deployment: Deployment): boolean =>
  equal(withoutHash(spec.template), withoutHash(deployment.spec.template));

/** Builds a Progressing condition with `lastUpdateTime`. */
export const progress = (
  verdict: Omit<ConditionUpdate, 'type'>,
  now: number,
): ConditionUpdate & { lastUpdateTime: string } => ({
  type: 'Progressing',
  ...verdict,
  lastUpdateTime: timestampOf(now),
});

const copiedAnnotations = ({ metadata }: Deployment): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !notCopied.has(name)));

/** Appends a revision to the history, dropping the oldest ones beyond the length limit. */
function historyWith(history: string | undefined, former: string): string {
  const all = [...(history ? history.split(',') : []), former];
  let start = 0;
  let length = all.join(',').length;
  for (; start < all.length - 1 && length > maxHistoryLength; start += 1) length -= all[start]!.length + 1;
  return all.slice(start).join(',');
}

/** Returns the annotations of the current ReplicaSet; after a rollback, its old revision becomes the newest. */
function annotationsFor({ deployment, current, old }: Rollout): Record<string, string> {
  const before = current?.metadata.annotations ?? {};
  const next = Math.max(0, ...old.map(revisionOf)) + 1;
  const annotations = { ...before, ...copiedAnnotations(deployment) };
  const known = before[revision];
  if (Number(known ?? 0) >= next) return annotations;
  if (known !== undefined) annotations[revisionHistory] = historyWith(before[revisionHistory], known);
  return { ...annotations, [revision]: String(next) };
}

/** Returns the replicas that the current ReplicaSet may have now. */
export function sizeOfCurrent({ deployment, current, old }: Rollout): number {
  const { replicas, strategy } = deployment.spec;
  const size = current?.spec.replicas ?? 0;
  if (strategy.type !== 'RollingUpdate') return replicas;
  const maxSurgePods = replicas + fencepostsOf(deployment).surge - wantedBy(allOf({ deployment, current, old }));
  return maxSurgePods <= 0 ? size : size + Math.min(maxSurgePods, replicas - size);
}

/** ReplicaSet to create. */
interface NewReplicaSet extends NewObject {
  readonly metadata: Fields & { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: Fields & { readonly replicas: number };
}

function newReplicaSet(rollout: Rollout): NewReplicaSet {
  const { deployment } = rollout;
  const { template, selector, minReadySeconds } = deployment.spec;
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name.slice(0, 252 - hash.length)}-${hash}`,
      namespace: deployment.metadata.namespace,
      labels,
      annotations: { ...annotationsFor({ ...rollout, current: undefined }), ...sizeAnnotations(deployment) },
      ownerReferences: [ownerReferenceTo(deployment)],
    },
    spec: {
      replicas: sizeOfCurrent({ ...rollout, current: undefined }),
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** Returns the status write for a changed revision or changed conditions. */
function revisionStatusWrite(deployment: Deployment, next: string, conditions: readonly Condition[]): readonly Write[] {
  const { metadata, status = {} } = deployment;
  const isRevised = metadata.annotations?.[revision] !== next;
  if (!isRevised && conditions === status.conditions) return [];
  const annotations = { ...metadata.annotations, [revision]: next };
  const object = { ...deployment, metadata: { ...metadata, annotations }, status: { ...status, conditions } };
  return [{ do: 'update', object, subresource: 'status' }];
}

/** Creates the ReplicaSet of the Deployment's template, or reports the failure or a hash collision in the status. */
export function createCurrent(rollout: Rollout, view: View): Decision {
  const { deployment } = rollout;
  const { conditions = [] } = deployment.status ?? {};
  const object = newReplicaSet(rollout);
  const { name } = object.metadata;
  if (view.refusal !== undefined) {
    const message = `Failed to create new replica set ${JSON.stringify(name)}: ${view.refusal}`;
    const failed = progress({ status: 'False', reason: 'ReplicaSetCreateError', message }, view.now);
    const next = hasDeadline(deployment) ? withCondition(conditions, failed, view.now) : conditions;
    return { writes: statusWrites(deployment, { ...deployment.status, conditions: next }) };
  }
  if (view.get(replicaSets, `${deployment.metadata.namespace}/${name}`) !== undefined) {
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    return { writes: statusWrites(deployment, { ...deployment.status, collisionCount }) };
  }
  const { replicas } = object.spec;
  const message = `Created new replica set ${JSON.stringify(name)}`;
  const created = progress({ status: 'True', reason: 'NewReplicaSetCreated', message }, view.now);
  const about = { about: deployment, type: 'Normal', reason: 'ScalingReplicaSet' } as const;
  const creation: Write = {
    do: 'create',
    object,
    ...(replicas > 0 && {
      report: () => ({ ...about, message: `Scaled up replica set ${name} from 0 to ${replicas}` }),
    }),
    reportRefusal: (why) => ({
      about: deployment,
      type: 'Warning',
      reason: 'ReplicaSetCreateError',
      message: `Failed to create new replica set ${JSON.stringify(name)}: ${why}`,
    }),
  };
  const next = hasDeadline(deployment) ? withCondition(conditions, created, view.now) : conditions;
  const { annotations } = object.metadata;
  return { writes: [creation, ...revisionStatusWrite(deployment, annotations[revision]!, next)] };
}

/** Updates annotations of the current ReplicaSet and the Deployment's revision, which precedes any scaling. */
export function revise(rollout: Rollout, current: ReplicaSet, now: number): readonly Write[] {
  const { deployment } = rollout;
  const annotations = annotationsFor(rollout);
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const isSame = (current.spec.minReadySeconds ?? 0) === minReadySeconds;
  if (!isSame || !equal(annotations, current.metadata.annotations ?? {})) {
    const spec = { ...current.spec, minReadySeconds };
    return [{ do: 'update', object: { ...current, metadata: { ...current.metadata, annotations }, spec } }];
  }
  const { conditions = [] } = deployment.status ?? {};
  const message = `Found new replica set ${JSON.stringify(current.metadata.name)}`;
  const isUnknown = hasDeadline(deployment) && conditionOf(conditions, 'Progressing') === undefined;
  const found = progress({ status: 'True', reason: 'FoundNewReplicaSet', message }, now);
  const next = isUnknown ? withCondition(conditions, found, now) : conditions;
  const known = annotations[revision];
  return known === undefined ? [] : revisionStatusWrite(deployment, known, next);
}
