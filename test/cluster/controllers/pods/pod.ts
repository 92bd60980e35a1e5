/** Pods: types and predicates on their status. */

import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import { shortest } from '../engine/reconciler.ts';

/** State of a container. */
export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  };
}

/** Status of a container. */
export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  /** Resources of a running container. */
  readonly resources?: Fields;
  readonly allocatedResources?: Fields;
}

/** Condition of a pod or workload. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly [field: string]: unknown;
}

/** Container of a pod's spec. */
export interface Container extends Fields {
  readonly name: string;
  readonly image?: string;
  readonly restartPolicy?: string;
  readonly ports?: readonly {
    readonly name?: string;
    readonly containerPort: number;
    readonly protocol?: string;
    readonly hostPort?: number;
    readonly hostIP?: string;
  }[];
  readonly resources?: { readonly requests?: Fields; readonly limits?: Fields };
}

/** Pod object, with the fields that controllers use. */
export interface Pod extends ApiObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly restartPolicy?: string;
    readonly schedulerName?: string;
    readonly schedulingGates?: readonly unknown[];
    readonly terminationGracePeriodSeconds?: number;
    readonly activeDeadlineSeconds?: number;
    readonly hostNetwork?: boolean;
    readonly hostname?: string;
    readonly subdomain?: string;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
    readonly volumes?: readonly Fields[];
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Fields[];
    readonly affinity?: Fields;
    readonly topologySpreadConstraints?: readonly Fields[];
    readonly priority?: number;
    readonly preemptionPolicy?: string;
    readonly readinessGates?: readonly { readonly conditionType: string }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
    readonly podIP?: string;
    readonly nominatedNodeName?: string;
    readonly startTime?: string;
    readonly [field: string]: unknown;
  };
}

/** Collection of pods. */
export const pods = '/pods';

/** Returns the phase of a pod, Pending by default. */
export const phaseOf = ({ status }: Pod): string => status?.phase ?? 'Pending';

/** Reports whether a pod has succeeded or failed. */
export const isFinished = (pod: Pod): boolean => phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';

/** Reports whether an object is being deleted. */
export const isTerminating = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;

/** Reports whether a pod is neither finished nor being deleted. */
export const isActive = (pod: Pod): boolean => !isFinished(pod) && !isTerminating(pod);

/** Returns a pod's condition of a type. */
export const podCondition = ({ status }: Pod, type: string): Condition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

/** Reports whether a pod is ready. */
export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True';

/** Returns the ms until a ready pod is available, 0 when it is; undefined for an unready pod. */
function availableIn(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const ready = podCondition(pod, 'Ready');
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  return Math.max(0, Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 - now);
}

/** Reports whether a pod has been ready for `minReadySeconds`. */
export const isAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  availableIn(pod, minReadySeconds, now) === 0;

/** Returns the ms until the next pod becomes available; undefined if none will by waiting. */
export function nextAvailable(all: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = all.map((pod) => availableIn(pod, minReadySeconds, now) ?? 0).filter((ms) => ms > 0);
  return shortest(waits);
}
