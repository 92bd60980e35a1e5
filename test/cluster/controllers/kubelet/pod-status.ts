/** Builds the status of pods and containers. */

import { timestampOf } from '../../apimachinery/metadata-values.ts';
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

/** Returns a container's status in a given state. */
export function containerStatus(
  { name, image = '', resources }: Container,
  state: ContainerState,
  {
    restartCount = 0,
    lastState = {},
    isReady = true,
  }: { restartCount?: number; lastState?: ContainerState; isReady?: boolean },
): ContainerStatus {
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
    ...(runs && { resources: resources ?? {} }),
    ...(runs && resources?.requests !== undefined && { allocatedResources: resources.requests }),
  };
}

interface Said {
  readonly status: boolean;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

function conditionsOf(pod: Pod, { phase, containers, initContainers, isReady }: PodFacts, now: number): Condition[] {
  const known = pod.status?.conditions ?? [];
  const unready = containers.filter(({ ready }) => !ready).map(({ name }) => name);
  const unfinished = initContainers.filter(({ state, ready }) => state.terminated?.exitCode !== 0 && !ready);
  const isDone = phase === 'Succeeded';
  const gates = (pod.spec.readinessGates ?? []).filter(
    ({ conditionType }) => known.find(({ type }) => type === conditionType)?.status !== 'True',
  );
  const ended: Said = { status: false, reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' };
  const waiting: Said = {
    status: false,
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
  const incomplete: Said = {
    status: false,
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${unfinished.map(({ name }) => name).join(' ')}]`,
  };
  const areReady: Said =
    phase === 'Succeeded' || phase === 'Failed' ? ended : unready.length > 0 || !isReady ? waiting : { status: true };
  const gate = gates[0]?.conditionType;
  const gated: Said = {
    status: false,
    reason: 'ReadinessGatesNotReady',
    message: `corresponding condition of pod readiness gate "${gate}" does not exist.`,
  };
  const said: readonly (readonly [string, Said])[] = [
    ['PodReadyToStartContainers', { status: !(isDone || phase === 'Failed') }],
    [
      'Initialized',
      isDone ? { status: true, reason: 'PodCompleted' } : unfinished.length > 0 ? incomplete : { status: true },
    ],
    ['Ready', areReady.status && gate !== undefined ? gated : areReady],
    ['ContainersReady', areReady],
    ['PodScheduled', { status: true }],
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
