import type { Pod } from '../../sdk/index.ts';

/** Ready to serve, or run to its end without a failure. */
export const isReady = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' ||
  (status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false);

/** Ended by its node or the scheduler, not by itself: nobody starts it again, so it has to be made anew. */
export const isEvicted = ({ status }: Pod): boolean => status?.phase === 'Failed' && (status.reason ?? '') !== '';

/** Why a pod that ended by itself will not start again; undefined when it has not ended that way. */
export function failureOf(pod: Pod): string | undefined {
  const { metadata, status } = pod;
  if (status?.phase !== 'Failed' || isEvicted(pod)) return undefined;
  const ended = status.containerStatuses?.find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  const how = ended === undefined ? '' : `: container ${ended.name} exited with ${ended.state?.terminated?.exitCode}`;
  return `pod ${metadata.name} has failed${how}`;
}

/** Reasons that only say "soon". */
const usual = new Set(['ContainerCreating', 'PodInitializing']);

/** What keeps a pod from getting ready, as its node or the scheduler calls it; undefined while it only takes its time. */
export function hindranceOf({ status }: Pod): string | undefined {
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  );
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const reasons = containers.map(({ state }) => state?.waiting?.reason).filter((reason) => reason !== undefined);
  return unscheduled?.reason ?? reasons.find((reason) => !usual.has(reason));
}
