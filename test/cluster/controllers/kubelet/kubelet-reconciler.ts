/** Kubelet without containers: sets the status of pods as if they ran. */

import { keyOf } from '../../../../sdk/api/object.ts';
import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import { untilActiveDeadline } from '../active-deadline.ts';
import {
  type Decision,
  type EventReport,
  type Reconciler,
  rest,
  shortest,
  type View,
  type Write,
} from '../engine/reconciler.ts';
import { statusWrites } from '../engine/status-write.ts';
import { hostOf, isLost, nodes, readinessOf } from '../node-lifecycle/nodes.ts';
import { type ContainerStatus, isFinished, isTerminating, type Pod, phaseOf, pods } from '../pods/pod.ts';
import {
  ephemeralStatuses,
  type Initialization,
  initialization,
  nextOf,
  type Progress,
  waitingStatuses,
} from './containers.ts';
import type { Kubelet } from './kubelet.ts';
import { containerStatus, podStatus } from './pod-status.ts';

const report = (about: Pod, reason: string, message: string): Write => ({
  do: 'event',
  event: {
    about,
    type: reason === 'BackOff' || reason === 'Failed' ? 'Warning' : 'Normal',
    reason,
    message,
  } as EventReport,
});

/** Stops a terminating pod after its delay: sets the final status and deletes it with grace period 0. */
function stop(kubelet: Kubelet, pod: Pod, now: number): Decision {
  const grace = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  const { stopDelay = 0 } = kubelet.options;
  const left = kubelet.since(pod, 'deleted', now) + Math.min(stopDelay, grace) - now;
  if (left > 0) return { writes: [], after: left };
  const isHeld = (pod.metadata.finalizers ?? []).length > 0;
  if (isHeld && grace === 0 && isFinished(pod)) return rest;
  const ended = isFinished(pod) ? [] : statusWrites(pod, endedStatus(pod, now));
  const killing = pod.spec.containers.map(({ name }) => report(pod, 'Killing', `Stopping container ${name}`));
  const deletion: Write = { do: 'delete', object: pod, options: { gracePeriodSeconds: 0 } };
  return { writes: [...ended, ...killing, deletion] };
}

/** Returns the status of a pod whose containers have been stopped. */
function endedStatus(pod: Pod, now: number): Record<string, unknown> {
  const time = timestampOf(now);
  const containers = pod.spec.containers.map((container): ContainerStatus => {
    const before = pod.status?.containerStatuses?.find(({ name }) => name === container.name);
    if (before?.state.terminated !== undefined) return before;
    const startedAt = before?.state.running?.startedAt ?? time;
    const terminated = { exitCode: 143, reason: 'Error', startedAt, finishedAt: time };
    return containerStatus(container, { terminated }, { restartCount: before?.restartCount ?? 0 });
  });
  const facts = {
    phase: 'Failed',
    containers,
    initContainers: pod.status?.initContainerStatuses ?? [],
    isReady: false,
  };
  const { podIP = '' } = pod.status ?? {};
  return podStatus(pod, { ...facts, podIP, hostIP: String(pod.status?.hostIP ?? '') }, now);
}

function phaseBy(pod: Pod, containers: readonly ContainerStatus[]): string {
  if (containers.every(({ state }) => state.terminated !== undefined)) {
    return containers.some(({ state }) => state.terminated!.exitCode !== 0) ? 'Failed' : 'Succeeded';
  }
  const hasRun = ({ state, lastState }: ContainerStatus): boolean =>
    state.running !== undefined || state.terminated !== undefined || lastState.terminated !== undefined;
  return containers.some(hasRun) ? 'Running' : phaseOf(pod);
}

function eventsOf(pod: Pod, progress: readonly Progress[]): readonly Write[] {
  const known = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  return progress.flatMap(({ status: { name, image, state, restartCount } }) => {
    const before = known.find((one) => one.name === name);
    const isNew =
      state.running !== undefined && (before?.state.running === undefined || before.restartCount < restartCount);
    const isCrashed = state.waiting?.reason === 'CrashLoopBackOff' && before?.state.waiting === undefined;
    const { name: podName, namespace, uid } = pod.metadata;
    if (isCrashed) {
      return [
        report(pod, 'BackOff', `Back-off restarting failed container ${name} in pod ${podName}_${namespace}(${uid})`),
      ];
    }
    if (!isNew) return [];
    return [
      report(pod, 'Pulled', `Container image ${JSON.stringify(image)} already present on machine`),
      report(pod, 'Created', `Created container: ${name}`),
      report(pod, 'Started', `Started container ${name}`),
    ];
  });
}

/** Returns the phase of a pod whose init containers are not done: Pending, or Failed if one failed for good. */
const initPhase = ({ spec }: Pod, { progress }: Initialization): string => {
  const hasFailed = progress.some(({ status: { state } }) => (state.terminated?.exitCode ?? 0) !== 0);
  return hasFailed && spec.restartPolicy === 'Never' ? 'Failed' : 'Pending';
};

/** Advances all containers of a pod; those behind unfinished init containers wait. */
function advanceContainers(kubelet: Kubelet, pod: Pod, view: View): Decision {
  const { now } = view;
  const isReady = !kubelet.isUnready(pod);
  const init = initialization(kubelet, pod, now);
  const initContainers = init.progress.map(({ status }) => status);
  const progress = init.isDone
    ? pod.spec.containers.map((container) => nextOf({ kubelet, pod, container, now }, isReady))
    : [];
  const containers = init.isDone ? progress.map(({ status }) => status) : waitingStatuses(pod);
  const phase = init.isDone ? phaseBy(pod, containers) : initPhase(pod, init);
  const hostIP = hostOf(pod.spec.nodeName, view);
  const podIP = pod.spec.hostNetwork === true ? hostIP : kubelet.addressOf(pod);
  const ephemeralContainers = ephemeralStatuses(pod, now);
  const facts = { phase, containers, initContainers, ephemeralContainers, podIP, hostIP, isReady };
  const status = podStatus(pod, facts, now);
  const all = [...init.progress, ...progress];
  return {
    writes: [...statusWrites(pod, status), ...eventsOf(pod, all)],
    after: shortest(all.map(({ after }) => after)),
  };
}

/** Returns why a node fails a pod: an eviction, or its deadline, in `deadline` ms, has passed. */
function failureOf(kubelet: Kubelet, pod: Pod, deadline: number | undefined) {
  const eviction = kubelet.evictionOf(pod);
  if (eviction !== undefined) return { reason: 'Evicted', message: eviction };
  if (deadline === undefined || deadline > 0) return undefined;
  const message = 'Pod was active on the node longer than the specified deadline';
  return { reason: 'DeadlineExceeded', message };
}

function decide(kubelet: Kubelet, pod: Pod, view: View): Decision {
  const { now } = view;
  if (!pod.spec.nodeName || isLost(pod.spec.nodeName, view)) return rest;
  if (isTerminating(pod)) return stop(kubelet, pod, now);
  if (isFinished(pod)) return rest;
  const { readyDelay = 0 } = kubelet.options;
  const left = kubelet.since(pod, 'bound', now) + readyDelay - now;
  if (phaseOf(pod) === 'Pending' && left > 0) return { writes: [], after: left };
  const deadline = untilActiveDeadline(pod, now);
  const failure = failureOf(kubelet, pod, deadline);
  if (failure !== undefined) return { writes: statusWrites(pod, { ...pod.status, phase: 'Failed', ...failure }) };
  const decision = advanceContainers(kubelet, pod, view);
  return { ...decision, after: shortest([deadline, decision.after]) };
}

const podsOn = (node: string, view: View): readonly string[] =>
  view
    .list<Pod>(pods)
    .filter(({ spec }) => spec.nodeName === node)
    .map(({ metadata }) => keyOf(metadata));

/** Creates the reconciler that runs, restarts and stops pods: a kubelet without containers. */
export const kubeletReconciler = (kubelet: Kubelet): Reconciler => ({
  collection: pods,
  component: 'kubelet',
  manager: 'kubelet',
  subscribe: (requeueAll) => kubelet.listen(requeueAll),
  concerns: ({ collection, object, previous }, view) =>
    collection === nodes && previous !== undefined && readinessOf(previous) !== readinessOf(object)
      ? podsOn(object.metadata.name, view)
      : [],
  decide: (object, view) => decide(kubelet, object as Pod, view),
  gone(key) {
    kubelet.forget(key);
    return rest;
  },
});
