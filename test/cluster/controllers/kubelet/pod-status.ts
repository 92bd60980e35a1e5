/** Builds the status of pods and containers. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { conditionOf, transitionTime } from '../conditions.ts';
import { compactStatus } from '../engine/status-write.ts';
import type { Condition, Container, ContainerState, ContainerStatus, Pod } from '../pods/pod.ts';

/** Facts that a pod's status is built from. */
export interface PodFacts {
  readonly phase: string;
  readonly containers: readonly ContainerStatus[];
  readonly initContainers: readonly ContainerStatus[];
  /** Statuses of ephemeral containers. @default [] */
  readonly ephemeralContainers?: readonly ContainerStatus[];
  readonly podIP: string;
  readonly hostIP: string;
  /** Result of the readiness probes; a pod whose containers do not run is unready regardless. */
  readonly isReady: boolean;
}

/** Returns the resources of a running container. */
const actualResources = ({ resources = {} }: Container): Pick<ContainerStatus, 'resources' | 'allocatedResources'> => ({
  resources,
  ...(resources.requests !== undefined && { allocatedResources: resources.requests }),
});

/** Returns a container's status in a given state. */
export function containerStatus(
  container: Container,
  state: ContainerState,
  {
    restartCount = 0,
    lastState = {},
    isReady = true,
  }: { restartCount?: number; lastState?: ContainerState; isReady?: boolean },
): ContainerStatus {
  const { name, image = '' } = container;
  const runs = state.running !== undefined;
  const hasRun = runs || state.terminated !== undefined || restartCount > 0 || lastState.terminated !== undefined;
  return {
    name,
    image,
    imageID: hasRun ? `in-memory://${image}` : '',
    ...(hasRun && { containerID: `in-memory://${name}/${restartCount}` }),
    ready: runs && isReady,
    started: runs,
    restartCount,
    state,
    lastState,
    ...(runs && actualResources(container)),
  };
}

const isTerminal = (phase: string): boolean => phase === 'Succeeded' || phase === 'Failed';

interface Said {
  readonly status: boolean;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

const yes: Said = { status: true };

/** Returns what the condition Initialized says. */
function initializedOf({ phase, initContainers }: PodFacts): Said {
  if (phase === 'Succeeded') return { status: true, reason: 'PodCompleted' };
  const unfinished = initContainers.filter(({ state, ready }) => state.terminated?.exitCode !== 0 && !ready);
  if (unfinished.length === 0) return yes;
  return {
    status: false,
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${unfinished.map(({ name }) => name).join(' ')}]`,
  };
}

/** Returns what the condition ContainersReady says. */
function containersReadyOf({ phase, containers, isReady }: PodFacts): Said {
  if (isTerminal(phase)) return { status: false, reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' };
  const unready = containers.filter(({ ready }) => !ready).map(({ name }) => name);
  if (unready.length === 0 && isReady) return yes;
  return {
    status: false,
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
}

/** Returns what the condition Ready says: containers first, then the readiness gates. */
function readyOf({ spec, status }: Pod, containersReady: Said): Said {
  const gate = spec.readinessGates?.find(
    ({ conditionType }) => status?.conditions?.find(({ type }) => type === conditionType)?.status !== 'True',
  );
  if (!containersReady.status || gate === undefined) return containersReady;
  return {
    status: false,
    reason: 'ReadinessGatesNotReady',
    message: `corresponding condition of pod readiness gate "${gate.conditionType}" does not exist.`,
  };
}

function conditionsOf(pod: Pod, facts: PodFacts, now: number): Condition[] {
  const known = pod.status?.conditions ?? [];
  const containersReady = containersReadyOf(facts);
  const said: readonly (readonly [string, Said])[] = [
    ['PodReadyToStartContainers', { status: !isTerminal(facts.phase) }],
    ['Initialized', initializedOf(facts)],
    ['Ready', readyOf(pod, containersReady)],
    ['ContainersReady', containersReady],
    ['PodScheduled', yes],
  ];
  const own = said.map(([type, { status, reason, message }]): Condition => {
    const text = status ? 'True' : 'False';
    return {
      type,
      status: text,
      lastProbeTime: null,
      lastTransitionTime: transitionTime(conditionOf(known, type), text, now),
      ...(reason !== undefined && { reason }),
      ...(message !== undefined && { message }),
    };
  });
  return [...own, ...known.filter(({ type }) => !said.some(([name]) => name === type))];
}

/** Wraps an IP in a list, empty for an empty IP. */
const ipsOf = (ip: string) => (ip === '' ? [] : [{ ip }]);

/** Returns a pod's complete status. */
export function podStatus(pod: Pod, facts: PodFacts, now: number): Record<string, unknown> {
  const { phase, containers, initContainers, ephemeralContainers = [], podIP, hostIP } = facts;
  const { reason: _reason, message: _message, ...before } = pod.status ?? {};
  return compactStatus({
    ...before,
    phase,
    conditions: conditionsOf(pod, facts, now),
    hostIP,
    hostIPs: ipsOf(hostIP),
    podIP,
    podIPs: ipsOf(podIP),
    startTime: pod.status?.startTime ?? timestampOf(now),
    containerStatuses: containers,
    initContainerStatuses: initContainers,
    ephemeralContainerStatuses: ephemeralContainers.length > 0 ? ephemeralContainers : undefined,
  });
}
