/** Progress of an environment, derived from the conditions and claims of its workspace. */

import { type Condition, type ConditionStatus, claimOf, isDeleting, type Workspace } from '../../sdk/index.ts';

/** Conditions that announce an environment and are not part of it: those of this folder, and the report of previews. */
const tells = /^(Announced|Silenced)/;

/** Claims of the integrations of this folder, by {@link nameOfCondition}. */
const announcementClaim = /^(announced|silenced)/;

const working: ReadonlySet<ConditionStatus> = new Set(['Initialized', 'Created', 'In Progress', 'Waiting', 'Locked']);

const arrived: ReadonlySet<ConditionStatus> = new Set(['Completed', 'Healthy']);

const partsOf = ({ status }: Workspace): readonly Condition[] =>
  (status?.conditions ?? []).filter(({ type }) => type !== 'Ready' && !tells.test(type));

const isCurrent = ({ observedGeneration }: Condition, { metadata }: Workspace): boolean =>
  observedGeneration === metadata.generation;

/** Reports whether all parts of an environment are there for its current spec. */
export const hasCome = (workspace: Workspace): boolean =>
  partsOf(workspace).every((part) => arrived.has(part.status) && isCurrent(part, workspace));

/** Reports whether only integrations that announce the environment still have a claim on it. */
export const hasGone = ({ metadata }: Workspace): boolean => {
  const prefix = claimOf('');
  const claims = (metadata.finalizers ?? []).filter((finalizer) => finalizer.startsWith(prefix));
  return claims.every((claim) => announcementClaim.test(claim.slice(prefix.length)));
};

/** Reports whether an environment is being changed: made, altered or deleted. A part that has failed at the current spec is not. */
export const isChanging = (workspace: Workspace): boolean =>
  isDeleting(workspace)
    ? !hasGone(workspace)
    : partsOf(workspace).some((part) => working.has(part.status) || !isCurrent(part, workspace));

/** Progress of an environment, which the integrations of this folder wait for: their `reads`. */
export const progressOf = (workspace: Workspace): object => ({
  come: hasCome(workspace),
  gone: hasGone(workspace),
  changing: isChanging(workspace),
});

/** Returns the name of the integration of a condition, and the member of `spec.integrations` that asks for it: `announced-by-mail` of `AnnouncedByMail`. */
export const nameOfCondition = (condition: string): string =>
  condition.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
