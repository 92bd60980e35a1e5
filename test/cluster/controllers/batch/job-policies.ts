/** Pod failure policy and success policy of Jobs. */

import type { ContainerStatus, Pod } from '../pods/pod.ts';
import { IndexRanges } from './index-ranges.ts';
import { type FailureAction, type FailureRule, hasFailed, type Job, type SuccessRule } from './job.ts';

/** Matched failure rule, with the reason. */
interface Match {
  readonly action: FailureAction;
  readonly message: string;
}

function exitOf({ status }: Pod, { containerName, operator, values }: NonNullable<FailureRule['onExitCodes']>) {
  const isMeant = ({ name, state }: ContainerStatus): boolean => {
    const { exitCode = 0 } = state.terminated ?? {};
    const isOther = containerName !== undefined && containerName !== name;
    return exitCode !== 0 && !isOther && values.includes(exitCode) === (operator === 'In');
  };
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(isMeant);
}

function why(pod: Pod, rule: FailureRule): string | undefined {
  const { namespace, name } = pod.metadata;
  if (rule.onExitCodes !== undefined) {
    const exit = exitOf(pod, rule.onExitCodes);
    const code = exit?.state.terminated?.exitCode;
    return exit && `Container ${exit.name} for pod ${namespace}/${name} failed with exit code ${code}`;
  }
  const met = pod.status?.conditions?.find(({ type, status }) =>
    rule.onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === status),
  );
  return met && `Pod ${namespace}/${name} has condition ${met.type}`;
}

/** Returns the first rule of `podFailurePolicy` that matches a pod; undefined for default handling. */
export function failureMatch({ spec }: Job, pod: Pod): Match | undefined {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const reason = why(pod, rule);
    if (reason !== undefined) {
      return { action: rule.action, message: `${reason} matching ${rule.action} rule at index ${index}` };
    }
  }
  return undefined;
}

/** Reports whether a failed pod counts towards the backoff limits. */
export const isCounted = (job: Job, pod: Pod): boolean => failureMatch(job, pod)?.action !== 'Ignore';

/** Returns the message of a FailJob match, if any. */
export function fatalFailure(job: Job, pods: readonly Pod[]): string | undefined {
  if (job.spec.podFailurePolicy === undefined) return undefined;
  const matches = pods.filter((pod) => hasFailed(pod, job)).map((pod) => failureMatch(job, pod));
  return matches.find((match) => match?.action === 'FailJob')?.message;
}

/** Returns the message of the first rule of `successPolicy` met by the completed indexes, if any. */
export function successMatch({ spec }: Job, completed: IndexRanges): string | undefined {
  if (completed.size === 0) return undefined;
  const isMet = ({ succeededIndexes, succeededCount }: SuccessRule): boolean => {
    if (succeededIndexes === undefined) return completed.size >= (succeededCount ?? Number.POSITIVE_INFINITY);
    const wanted = IndexRanges.parse(succeededIndexes);
    return wanted.size > 0 && wanted.countIn(completed) >= (succeededCount ?? wanted.size);
  };
  const index = (spec.successPolicy?.rules ?? []).findIndex(isMet);
  return index === -1 ? undefined : `Matched rules at index ${index}`;
}
