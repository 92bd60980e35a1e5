import type { ApiObject } from '../../objects/object.ts';
import { amountOf, type IntOrPercent } from '../int-or-percent.ts';
import type { PodTemplate } from '../pods/from-template.ts';
import type { Condition } from '../pods/pod.ts';
import type { Write } from '../reconciler.ts';
import type { ReplicaSet } from './replica-set.ts';

/** A Deployment. */
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

/** How far a Deployment has come. */
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

/** A Deployment with the ReplicaSets that are its own. */
export interface Rollout {
  readonly deployment: Deployment;
  /** The one with the Deployment's template; undefined when it has yet to be made. */
  readonly current: ReplicaSet | undefined;
  /** All others, oldest first. */
  readonly old: readonly ReplicaSet[];
}

/** The collection of Deployments. */
export const deployments = 'apps/deployments';

/** The annotation with how many replicas the Deployment asked for when it last sized a ReplicaSet. */
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
/** The annotation with how many there could be at most then. */
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
/** The label that tells the ReplicaSets of a Deployment apart. */
export const hashLabel = 'pod-template-hash';

const unlimited = 2 ** 31 - 1;

/** Whether lack of progress is to be told. */
export const hasDeadline = ({ spec }: Deployment): boolean =>
  spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== unlimited;

/** How many former ReplicaSets are kept. */
export const historyLimitOf = ({ spec }: Deployment): number => spec.revisionHistoryLimit ?? unlimited;

/** All ReplicaSets of a rollout. */
export const allOf = ({ current, old }: Rollout): readonly ReplicaSet[] =>
  current === undefined ? old : [...old, current];

/** The replicas that ReplicaSets ask for, together. */
export const wantedBy = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, { spec }) => sum + spec.replicas, 0);

/** A count of the statuses of ReplicaSets, together. */
export const countedIn = (
  sets: readonly ReplicaSet[],
  name: 'replicas' | 'readyReplicas' | 'availableReplicas',
): number => sets.reduce((sum, { status }) => sum + (status?.[name] ?? 0), 0);

/** How many pods there may be above and below what is asked for. */
export function fencepostsOf({ spec }: Deployment): { readonly surge: number; readonly unavailable: number } {
  if (spec.strategy.type !== 'RollingUpdate') return { surge: 0, unavailable: 0 };
  const { maxSurge, maxUnavailable } = spec.strategy.rollingUpdate ?? {};
  const surge = amountOf(maxSurge, spec.replicas, 'up');
  const unavailable = amountOf(maxUnavailable, spec.replicas, 'down');
  const allowed = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { surge, unavailable: Math.min(allowed, spec.replicas) };
}

/** What a ReplicaSet remembers about the size of its Deployment. */
export function sizeAnnotations(deployment: Deployment): Readonly<Record<string, string>> {
  const { replicas } = deployment.spec;
  return {
    [desiredAnnotation]: String(replicas),
    [maxAnnotation]: String(replicas + fencepostsOf(deployment).surge),
  };
}

/** A number in an annotation; undefined when it is none. */
export function numberIn({ metadata }: ApiObject, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The write that gives a ReplicaSet another size; none when it has it and remembers it. */
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
        tell: () => ({
          about: deployment,
          type: 'Normal',
          reason: 'ScalingReplicaSet',
          message: `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`,
        }),
      }),
    },
  ];
}

/** As {@link resize}, but a ReplicaSet of the right size is left alone. */
export const scaleTo = (deployment: Deployment, set: ReplicaSet, replicas: number): readonly Write[] =>
  set.spec.replicas === replicas ? [] : resize(deployment, set, replicas);
