/** State of a component's pod: ready, evicted, failed or hindered. */

import type { Pod } from '../../sdk/index.ts';

/** Reports whether a pod is ready, or has succeeded. */
export const isReady = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' ||
  (status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false);

/** Reports whether a pod was ended by its node or the scheduler: it is not restarted and must be recreated. */
export const isEvicted = ({ status }: Pod): boolean => status?.phase === 'Failed' && (status.reason ?? '') !== '';

/** Explains why a pod that failed by itself will not restart; undefined when it has not failed that way. */
export function failureOf(pod: Pod): string | undefined {
  const { metadata, status } = pod;
  if (status?.phase !== 'Failed' || isEvicted(pod)) return undefined;
  const ended = status.containerStatuses?.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const how = ended === undefined ? '' : `: container ${ended.name} exited with ${ended.state?.terminated?.exitCode}`;
  return `pod ${metadata.name} has failed${how}`;
}

/** Waiting reasons that are transient. */
const usual = new Set(['ContainerCreating', 'PodInitializing']);

/** Returns the reason for which a pod is not ready, as its node or the scheduler reports it; undefined while it is starting normally. */
export function blockerOf({ status }: Pod): string | undefined {
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  );
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const reasons = containers.map(({ state }) => state?.waiting?.reason).filter((reason) => reason !== undefined);
  return unscheduled?.reason ?? reasons.find((reason) => !usual.has(reason));
}
