/** Deployments: types, ReplicaSets and their sizes. */

import type { ApiObject } from '../../apimachinery/object.ts';
import type { Write } from '../engine/reconciler.ts';
import { amountOf, type IntOrPercent } from '../int-or-percent.ts';
import type { PodTemplate } from '../pods/from-template.ts';
import type { Condition } from '../pods/pod.ts';
import type { ReplicaSet } from './replica-set.ts';

/** Deployment object. */
export interface Deployment extends ApiObject {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template: PodTemplate;
    readonly strategy: {
      readonly type: string;
      readonly rollingUpdate?: { readonly maxSurge?: IntOrPercent; readonly maxUnavailable?: IntOrPercent };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly progressDeadlineSeconds?: number;
    readonly paused?: boolean;
  };
  readonly status?: DeploymentStatus;
}

/** Status of a Deployment. */
export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly Condition[];
}

/** Deployment with its ReplicaSets. */
export interface Rollout {
  readonly deployment: Deployment;
  /** ReplicaSet with the Deployment's template; undefined before it is created. */
  readonly current: ReplicaSet | undefined;
  /** All other ReplicaSets, oldest first. */
  readonly old: readonly ReplicaSet[];
}

/** Collection of Deployments. */
export const deployments = 'apps/deployments';

/** Annotation with the Deployment's replicas at the time a ReplicaSet was last sized. */
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
/** Annotation with replicas plus maxSurge at that time. */
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
/** Label that distinguishes the ReplicaSets of a Deployment. */
export const hashLabel = 'pod-template-hash';

const unlimited = 2 ** 31 - 1;

/** Reports whether the Deployment has a progress deadline. */
export const hasDeadline = ({ spec }: Deployment): boolean =>
  spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== unlimited;

/** Returns the number of old ReplicaSets to keep. */
export const historyLimitOf = ({ spec }: Deployment): number => spec.revisionHistoryLimit ?? unlimited;

/** Returns all ReplicaSets of a rollout. */
export const allOf = ({ current, old }: Rollout): readonly ReplicaSet[] =>
  current === undefined ? old : [...old, current];

/** Sums `spec.replicas` of ReplicaSets. */
export const wantedBy = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, { spec }) => sum + spec.replicas, 0);

/** Sums a count in the status of ReplicaSets. */
export const countedIn = (
  sets: readonly ReplicaSet[],
  name: 'replicas' | 'readyReplicas' | 'availableReplicas',
): number => sets.reduce((sum, { status }) => sum + (status?.[name] ?? 0), 0);

/** Resolves maxSurge and maxUnavailable to numbers of pods. */
export function fencepostsOf({ spec }: Deployment): { readonly surge: number; readonly unavailable: number } {
  if (spec.strategy.type !== 'RollingUpdate') return { surge: 0, unavailable: 0 };
  const { maxSurge, maxUnavailable } = spec.strategy.rollingUpdate ?? {};
  const surge = amountOf(maxSurge, spec.replicas, 'up');
  const unavailable = amountOf(maxUnavailable, spec.replicas, 'down');
  const allowed = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { surge, unavailable: Math.min(allowed, spec.replicas) };
}

/** Returns the size annotations of a ReplicaSet. */
export function sizeAnnotations(deployment: Deployment): Readonly<Record<string, string>> {
  const { replicas } = deployment.spec;
  return {
    [desiredAnnotation]: String(replicas),
    [maxAnnotation]: String(replicas + fencepostsOf(deployment).surge),
  };
}

/** Returns the number in an annotation; undefined for anything else. */
export function numberIn({ metadata }: ApiObject, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Returns the write that resizes a ReplicaSet; none when size and annotations are right. */
export function resize(deployment: Deployment, set: ReplicaSet, replicas: number): readonly Write[] {
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
  const before = set.spec.replicas;
  const isRemembered = Object.entries(annotations).every(([name, text]) => set.metadata.annotations?.[name] === text);
  if (before === replicas && isRemembered) return [];
  const direction = before < replicas ? 'up' : 'down';
  return [
    {
      do: 'update',
      object: { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } },
      ...(before !== replicas && {
        report: () => ({
          about: deployment,
          type: 'Normal',
          reason: 'ScalingReplicaSet',
          message: `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`,
        }),
      }),
    },
  ];
}

/** Like {@link resize}, but skips a ReplicaSet that already has the size. */
export const scaleTo = (deployment: Deployment, set: ReplicaSet, replicas: number): readonly Write[] =>
  set.spec.replicas === replicas ? [] : resize(deployment, set, replicas);
