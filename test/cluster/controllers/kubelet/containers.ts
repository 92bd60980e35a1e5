/** State machine of a pod's containers: starting, ending, restarting with back-off, init containers. */

import { timestampOf } from '../../apimachinery/generated-metadata.ts';
import type { Container, ContainerState, ContainerStatus, Pod } from '../pods/pod.ts';
import { commandOf, type KnownCommand, knownCommandOf } from './known-commands.ts';
import type { Kubelet } from './kubelet.ts';
import type { Exit } from './pod-state.ts';
import { containerStatus } from './pod-status.ts';
import { probing } from './probes.ts';

const firstBackOff = 10_000;
const maxBackOff = 300_000;

/** Back-off before a restart, in ms, by the number of restarts: the first is immediate. */
const backOffOf = (restarts: number): number =>
  restarts === 0 ? 0 : Math.min(firstBackOff * 2 ** Math.min(restarts - 1, 10), maxBackOff);

/** Formats a duration as Go does: `1m20s`. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}

/** Reports whether a pod is controlled by a Job. */
const isTask = ({ metadata }: Pod): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller) ?? false;

/** Next status of a container, with the time until the next check. */
export interface Progress {
  readonly status: ContainerStatus;
  readonly after?: number | undefined;
  /** Result of the run that has just ended. */
  readonly ended?: Exit;
}

/** Container of a pod on a node, at a point in time. */
export interface Running {
  readonly kubelet: Kubelet;
  readonly pod: Pod;
  readonly container: Container;
  readonly now: number;
  readonly isInit?: boolean;
}

const restarts = ({ pod: { spec }, isInit }: Running, { exitCode }: { readonly exitCode: number }): boolean => {
  if (spec.restartPolicy === 'Never') return false;
  return isInit || spec.restartPolicy === 'OnFailure' ? exitCode !== 0 : true;
};

/** Returns the emulated behavior of a container: any for pods of Jobs; for others a known command, unless restartPolicy is Always. */
function scriptFor(pod: Pod, container: Container): KnownCommand | undefined {
  if (isTask(pod)) return commandOf(container);
  return pod.spec.restartPolicy === 'Always' ? undefined : knownCommandOf(container);
}

const completed: Exit = { exitCode: 0, reason: 'Completed' };

/** Longest interval between checks of a running container, in ms. */
const maxCheckInterval = 86_400_000;

/** Returns the result of a run that ends now, by request or by its script; a number is the time left in ms, undefined no end. */
function exitNow(
  { kubelet, pod, container, now, isInit = false }: Running,
  restartCount: number,
): Progress['ended'] | number | undefined {
  const asked = kubelet.exitOf({ pod, container: container.name, number: restartCount, isInit });
  if (isInit) return asked ?? completed;
  const script = asked === undefined ? scriptFor(pod, container) : undefined;
  if (script === undefined) return asked;
  const { runs, exitCode } = script;
  const taskDelay = isTask(pod) ? (kubelet.options.taskDelay ?? runs) : runs;
  if (taskDelay === false) return undefined;
  const left = kubelet.since(pod, `run ${container.name} ${restartCount}`, now) + taskDelay - now;
  if (left > 0) return Math.min(left, maxCheckInterval);
  return exitCode === 0 ? completed : { exitCode, reason: 'Error' };
}

/** Advances a running container. */
function afterRunning(running: Running, before: ContainerStatus, isReady: boolean): Progress {
  const { container, now } = running;
  const { restartCount, lastState, state } = before;
  const exit = exitNow(running, restartCount);
  if (exit === undefined || typeof exit === 'number') {
    return { status: containerStatus(container, state, { restartCount, lastState, isReady }), after: exit };
  }
  const startedAt = state.running?.startedAt ?? timestampOf(now);
  const terminated = { ...exit, startedAt, finishedAt: timestampOf(now) };
  return { ...afterEnd(running, { ...before, state: { terminated } }, isReady), ended: exit };
}

const crashBackOff = ({ pod, container }: Running, delay: number): ContainerState => {
  const { name, namespace, uid } = pod.metadata;
  const message = `back-off ${goDuration(delay)} restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`;
  return { waiting: { reason: 'CrashLoopBackOff', message } };
};

/** Advances a terminated container: it stays so, backs off, or restarts. */
function afterEnd(running: Running, before: ContainerStatus, isReady: boolean): Progress {
  const { kubelet, pod, container, now } = running;
  const { restartCount } = before;
  const terminated = before.state.terminated ?? before.lastState.terminated!;
  if (!restarts(running, terminated)) {
    return { status: containerStatus(container, { terminated }, { restartCount, lastState: before.lastState }) };
  }
  const delay = backOffOf(restartCount);
  const left = kubelet.since(pod, `end ${container.name} ${restartCount}`, now) + delay - now;
  const lastState = { terminated };
  if (left > 0) {
    return {
      status: containerStatus(container, crashBackOff(running, delay), { restartCount, lastState }),
      after: left,
    };
  }
  const state = { running: { startedAt: timestampOf(now) } };
  return { status: containerStatus(container, state, { restartCount: restartCount + 1, lastState, isReady }) };
}

/** Applies probes: a running container is started and ready only once they have succeeded. */
function withProbeResults({ kubelet, pod, container, now }: Running, progress: Progress): Progress {
  const { status, after } = progress;
  if (status.state.running === undefined) return progress;
  const since = kubelet.since(pod, `run ${container.name} ${status.restartCount}`, now);
  const { startedIn, readyIn } = probing(container, now - since);
  if (readyIn === 0) return progress;
  const next = startedIn > 0 ? startedIn : readyIn;
  const unready = { ...status, ready: false, started: startedIn === 0 };
  return { ...progress, status: unready, after: Math.min(next, after ?? next) };
}

/** Advances a container of a started pod, whose image may not be available yet. */
export const nextOf = (running: Running, isReady: boolean): Progress =>
  withProbeResults(running, goingOn(running, isReady));

function goingOn(running: Running, isReady: boolean): Progress {
  const { kubelet, pod, container, now } = running;
  const known = running.isInit ? pod.status?.initContainerStatuses : pod.status?.containerStatuses;
  const before = known?.find(({ name }) => name === container.name);
  const problem = kubelet.imageProblem(pod, container.name);
  if (before?.state.running !== undefined) return afterRunning(running, before, isReady);
  if (before?.state.terminated !== undefined || before?.lastState?.terminated !== undefined) {
    return afterEnd(running, before, isReady);
  }
  if (problem !== undefined) {
    const image = JSON.stringify(container.image ?? '');
    const { reason, message = `Back-off pulling image ${image}` } = problem;
    return { status: containerStatus(container, { waiting: { reason, message } }, {}) };
  }
  return { status: containerStatus(container, { running: { startedAt: timestampOf(now) } }, { isReady }) };
}

/** Returns the statuses of ephemeral containers, which run and are never ready. */
export function ephemeralStatuses({ spec, status }: Pod, now: number): readonly ContainerStatus[] {
  return (spec.ephemeralContainers ?? []).map(
    (container) =>
      status?.ephemeralContainerStatuses?.find(({ name }) => name === container.name) ??
      containerStatus(container, { running: { startedAt: timestampOf(now) } }, { isReady: false }),
  );
}

/** Progress of a pod's init containers. */
export interface Initialization {
  readonly progress: readonly Progress[];
  /** True when every init container has succeeded and every sidecar is running. */
  readonly isDone: boolean;
}

const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';

/** Reports whether an init container lets the next one start. */
const isThrough = (container: Container, { state, started }: ContainerStatus): boolean =>
  isSidecar(container) ? state.running !== undefined && started !== false : state.terminated?.exitCode === 0;

/** Advances an init container; one that ends at once needs a single step. */
function nextOfInit(running: Running): Progress {
  const { container, pod } = running;
  if (isSidecar(container)) return nextOf(running, true);
  const first = nextOf({ ...running, isInit: true }, false);
  if (first.status.state.running === undefined) return first;
  const initContainerStatuses = [first.status];
  const begun = { ...pod, status: { ...pod.status, initContainerStatuses } };
  return nextOf({ ...running, pod: begun, isInit: true }, false);
}

const notYet = (container: Container): ContainerStatus =>
  containerStatus(container, { waiting: { reason: 'PodInitializing' } }, {});

/** Advances the init containers in order, each once the previous one is done. */
export function initialization(kubelet: Kubelet, pod: Pod, now: number): Initialization {
  const { initContainers = [] } = pod.spec;
  const progress: Progress[] = [];
  let isDone = true;
  for (const container of initContainers) {
    const known = pod.status?.initContainerStatuses?.find(({ name }) => name === container.name);
    const isOver = known !== undefined && isThrough(container, known);
    const step: Progress = !isDone
      ? { status: notYet(container) }
      : isOver
        ? { status: known }
        : nextOfInit({ kubelet, pod, container, now });
    progress.push(
      step.status.state.terminated?.exitCode === 0 ? { ...step, status: { ...step.status, ready: true } } : step,
    );
    isDone &&= isThrough(container, step.status);
  }
  return { progress, isDone };
}

/** Returns the statuses of containers that wait for init containers. */
export const waitingStatuses = ({ spec }: Pod): readonly ContainerStatus[] => spec.containers.map(notYet);
