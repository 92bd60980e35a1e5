/** Table printer of Pods. */

import type { Fields } from '../../../apimachinery/object.ts';
import { fieldsOf, listOf } from '../../../apimachinery/validation/errors.ts';
import type { Ago } from '../../printing/age.ts';
import { ageOf, count, metaOf, nameOf, orNone, type Printer } from '../../printing/printer.ts';

/** State of a pod's row after some of its containers. */
interface PodRow {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string;
}

const isCondition = (status: Fields, type: string): boolean =>
  listOf(status.conditions).some((condition) => condition.type === type && condition.status === 'True');

const restartOf = (container: Fields): string =>
  String(fieldsOf(fieldsOf(container.lastState).terminated).finishedAt ?? '');

const later = (a: string, b: string): string => (a > b ? a : b);

function exitReason({ reason, signal, exitCode }: Fields): string {
  return String(reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`));
}

/** Returns the pod's status from an init container; undefined when it has completed. */
function initReason(container: Fields, index: number, total: number): string | undefined {
  const { terminated, waiting } = fieldsOf(container.state);
  const ended = fieldsOf(terminated);
  if (terminated !== undefined && count(ended.exitCode) === 0) return undefined;
  if (terminated !== undefined) return `Init:${exitReason(ended)}`;
  const { reason } = fieldsOf(waiting);
  return reason && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${index}/${total}`;
}

const isSidecar = (spec: Fields, name: unknown): boolean =>
  listOf(spec.initContainers).some((container) => container.name === name && container.restartPolicy === 'Always');

/** Visits the init containers up to the first that has not completed. */
function initialized(spec: Fields, status: Fields, start: PodRow): { readonly shown: PodRow; readonly done: boolean } {
  let shown = start;
  for (const [index, container] of listOf(status.initContainerStatuses).entries()) {
    const restarts = shown.restarts + count(container.restartCount);
    shown = { ...shown, restarts, lastRestart: later(shown.lastRestart, restartOf(container)) };
    if (isSidecar(spec, container.name) && container.started === true) {
      shown = { ...shown, ready: shown.ready + (container.ready === true ? 1 : 0) };
      continue;
    }
    const reason = initReason(container, index, listOf(spec.initContainers).length);
    if (reason !== undefined) return { shown: { ...shown, reason }, done: false };
  }
  return { shown, done: true };
}

/** Visits the containers from last to first; the first one determines the status. */
function running(status: Fields, start: PodRow): PodRow {
  let { reason, ready, restarts, lastRestart } = start;
  let isRunning = false;
  for (const container of listOf(status.containerStatuses).toReversed()) {
    restarts += count(container.restartCount);
    lastRestart = later(lastRestart, restartOf(container));
    const state = fieldsOf(container.state);
    const waiting = fieldsOf(state.waiting).reason;
    if (waiting) reason = String(waiting);
    else if (state.terminated !== undefined) reason = exitReason(fieldsOf(state.terminated));
    else if (container.ready === true && state.running !== undefined) {
      isRunning = true;
      ready += 1;
    }
  }
  if (reason === 'Completed' && isRunning) reason = isCondition(status, 'Ready') ? 'Running' : 'NotReady';
  return { reason, ready, restarts, lastRestart };
}

function phaseOf(pod: Fields, status: Fields): string {
  const isGated = listOf(status.conditions).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : String(status.reason || status.phase || '') || nameOf(pod);
}

function shownOf(pod: Fields): PodRow {
  const spec = fieldsOf(pod.spec);
  const status = fieldsOf(pod.status);
  const start: PodRow = { reason: phaseOf(pod, status), ready: 0, restarts: 0, lastRestart: '' };
  const { shown, done } = initialized(spec, status, start);
  if (!done && !isCondition(status, 'Initialized')) return withDeletion(pod, shown);
  return withDeletion(pod, running(status, { ...shown, restarts: 0, lastRestart: '' }));
}

function withDeletion(pod: Fields, shown: PodRow): PodRow {
  const { phase, reason } = fieldsOf(pod.status);
  if (metaOf(pod).deletionTimestamp === undefined) return shown;
  if (reason === 'NodeLost') return { ...shown, reason: 'Unknown' };
  return phase === 'Succeeded' || phase === 'Failed' ? shown : { ...shown, reason: 'Terminating' };
}

function restartsText({ restarts, lastRestart }: PodRow, ago: Ago): string {
  return restarts === 0 || lastRestart === '' ? String(restarts) : `${restarts} (${ago(lastRestart)} ago)`;
}

function gatesText(spec: Fields, status: Fields): string {
  const gates = listOf(spec.readinessGates);
  const open = gates.filter(({ conditionType }) => isCondition(status, String(conditionType)));
  return gates.length === 0 ? '<none>' : `${open.length}/${gates.length}`;
}

/** Pods: readiness, status, restarts. */
export const podPrinter: Printer = {
  columns: 'Name|Ready|Status|Restarts|Age|IP+|Node+|Nominated Node+|Readiness Gates+',
  cells(pod, ago) {
    const spec = fieldsOf(pod.spec);
    const status = fieldsOf(pod.status);
    const shown = shownOf(pod);
    const sidecars = listOf(spec.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always');
    return [
      nameOf(pod),
      `${shown.ready}/${listOf(spec.containers).length + sidecars.length}`,
      shown.reason,
      restartsText(shown, ago),
      ageOf(pod, ago),
      orNone(listOf(status.podIPs)[0]?.ip),
      orNone(spec.nodeName),
      orNone(status.nominatedNodeName),
      gatesText(spec, status),
    ];
  },
};
