/** Handler of the subresource `log` of pods. */

import type { ApiObject, Fields } from '../../apimachinery/object.ts';
import { badRequest } from '../../apimachinery/status.ts';
import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { textResponse } from '../../encoding/representation.ts';
import { type Call, currentOf, type Verb } from '../resource-call.ts';
import { checkLogOptions } from './log-options.ts';

const namesIn = (pod: ApiObject, list: string): string[] =>
  listOf(fieldsOf(pod.spec)[list]).map(({ name }) => String(name));

function containerOf({ query, path }: Call, pod: ApiObject): string {
  const containers = namesIn(pod, 'containers');
  const all = [...containers, ...namesIn(pod, 'initContainers')];
  const requested = query.get('container');
  if (requested) {
    if (all.includes(requested)) return requested;
    throw badRequest(`container ${requested} is not valid for pod ${path.name}`);
  }
  if (containers.length === 1) return containers[0]!;
  throw badRequest(`a container name must be specified for pod ${path.name}, choose one of: [${containers.join(' ')}]`);
}

const statusOf = (pod: ApiObject, container: string): Fields => {
  const { containerStatuses, initContainerStatuses } = fieldsOf(pod.status);
  return [...listOf(containerStatuses), ...listOf(initContainerStatuses)].find(({ name }) => name === container) ?? {};
};

/** Refuses the log of a container that has not yet run. Throws the server's 400. */
function checkContainerStarted(pod: ApiObject, container: string): void {
  const { state, lastState } = statusOf(pod, container);
  const { running, terminated, waiting } = fieldsOf(state);
  if (running !== undefined || terminated !== undefined || fieldsOf(lastState).terminated !== undefined) return;
  const reason = String(fieldsOf(waiting).reason ?? 'ContainerCreating');
  const why = ['ErrImagePull', 'ImagePullBackOff'].includes(reason) ? 'trying and failing to pull image' : reason;
  throw badRequest(
    `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} is waiting to start: ${why}`,
  );
}

const lastLines = (text: string, count: string | null): string => {
  const lines = text.split('\n');
  const end = lines.at(-1) === '' ? -1 : lines.length;
  const kept =
    count === null || !/^\d+$/.test(count) ? lines : [...lines.slice(0, end).slice(-Number(count) || lines.length), ''];
  return Number(count ?? 1) === 0 ? '' : kept.join('\n');
};

/** GET of a pod's `log`: the lines that tests have set for the container. `follow` does not keep the answer open. */
export const log: Verb = (call) => {
  checkLogOptions(call.query, call.path.name ?? '');
  const pod = currentOf(call);
  const container = containerOf(call, pod);
  // A pod that is not bound has no log.
  if (!fieldsOf(pod.spec).nodeName) return { status: 204, headers: {}, body: '' };
  checkContainerStarted(pod, container);
  return textResponse(200, lastLines(call.server.logOf(pod, container), call.query.get('tailLines')), 'text/plain');
};
