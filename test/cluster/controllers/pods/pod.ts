import type { ApiObject, Fields } from '../../objects/object.ts';

/** The only part of a container's status that says what it does. */
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

/** How one container is. */
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
  /** How large it is, while it runs. */
  readonly resources?: Fields;
  readonly allocatedResources?: Fields;
}

/** A condition as pods and workloads have it. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly [field: string]: unknown;
}

/** A container as a pod asks for it. */
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

/** A Pod, as far as controllers look at it. */
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

/** The collection of pods. */
export const pods = '/pods';

/** The phase, Pending where there is none. */
export const phaseOf = ({ status }: Pod): string => status?.phase ?? 'Pending';

/** Whether a pod has ended, well or not. */
export const isFinished = (pod: Pod): boolean => phaseOf(pod) === 'Succeeded' || phaseOf(pod) === 'Failed';

/** Whether a pod is on its way out. */
export const isTerminating = ({ metadata }: ApiObject): boolean => metadata.deletionTimestamp !== undefined;

/** Whether a pod counts: it has not ended and is not on its way out. */
export const isActive = (pod: Pod): boolean => !isFinished(pod) && !isTerminating(pod);

/** A pod's condition by type. */
export const podCondition = ({ status }: Pod, type: string): Condition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

/** Whether a pod takes traffic. */
export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True';

/** ms until a ready pod counts as available, 0 when it does; undefined when it is not ready. */
function availableIn(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const ready = podCondition(pod, 'Ready');
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  return Math.max(0, Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 - now);
}

/** Whether a pod has been ready for long enough. */
export const isAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean =>
  availableIn(pod, minReadySeconds, now) === 0;

/** ms until the next of the pods becomes available by waiting alone; undefined when none does. */
export function nextAvailable(all: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = all.map((pod) => availableIn(pod, minReadySeconds, now) ?? 0).filter((ms) => ms > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
