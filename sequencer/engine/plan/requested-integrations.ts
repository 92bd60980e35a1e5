/** Lists the integrations that a workspace requests, by progress: settled, claimed, or nothing begun yet. */

import { effectivePolicyOf, handlesOf, isMirrored, isOfOtherClaim, recordsNothing } from '../../../sdk/host/index.ts';
import {
  claimOf,
  DefiniteError,
  errorOf,
  findCondition,
  type Integration,
  type Workspace,
} from '../../../sdk/index.ts';
import { configBehind } from '../../tenants/configured-integration.ts';
import { formerRecordsOf } from './effective-journal.ts';
import { isClaimed, othersOfCondition } from './shared-condition.ts';

/** Reports whether the condition is settled for the current spec. */
export function isCompletedForSpec(workspace: Workspace, type: string): boolean {
  const condition = findCondition(workspace.status?.conditions, type);
  return (
    (condition?.status === 'Completed' || condition?.status === 'Healthy') &&
    condition.observedGeneration === workspace.metadata.generation
  );
}

/** Reports whether a workspace requests an integration; an error if its `handles` fails, or its config cannot be used. */
export function isRequestedOrError(workspace: Workspace, integration: Integration): boolean | Error {
  const problem = configBehind(integration)?.problem;
  if (problem !== undefined) return new DefiniteError(problem);
  try {
    return handlesOf(integration, workspace);
  } catch (error) {
    return errorOf(error);
  }
}

/** Returns the integrations that this workspace requests. */
export const requestedOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter((integration) => isRequestedOrError(workspace, integration) === true);

/** Returns the integrations that this workspace requests, or may request: those whose `handles` fails are included. */
export const candidatesOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter((integration) => isRequestedOrError(workspace, integration) !== false);

/** Returns the requested integrations that may change something, but whose condition no integration has claimed. */
const unclaimedOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  requestedOf(workspace, integrations).filter(
    (integration) =>
      effectivePolicyOf(workspace, integration).changes &&
      ![integration, ...othersOfCondition(integration, integrations)].some((one) => isClaimed(workspace, one)),
  );

/** Reports whether a condition has a journal entry or a mirror: without either, the mirror of a former condition may be the only proof that nothing was begun. */
export const hasRecords = (workspace: Workspace, type: string): boolean =>
  workspace.status?.guards?.[type] !== undefined || isMirrored(workspace, type);

/** Returns the claimed integrations with records under a former condition and none under the new one: that proves that nothing was begun there. */
export const renamedOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  integrations.filter(
    (integration) =>
      effectivePolicyOf(workspace, integration).changes &&
      isClaimed(workspace, integration) &&
      formerRecordsOf(workspace, integration).length > 0 &&
      workspace.status?.guards?.[integration.condition] === undefined &&
      !isMirrored(workspace, integration.condition),
  );

/** Reports whether a condition starts afresh: it is absent, or `Terminated`. */
const startsAnew = ({ status }: Workspace, type: string): boolean =>
  (findCondition(status?.conditions, type)?.status ?? 'Terminated') === 'Terminated';

/**
 * Returns the requested integrations that have begun nothing: no integration claims their condition, and it has no records, or only settled ones of an
 * earlier integration or claim. Also those of {@link renamedOf}. This is journalled before they are claimed.
 */
export const integrationsToInitialize = (
  workspace: Workspace,
  integrations: readonly Integration[],
): readonly Integration[] => [
  ...unclaimedOf(workspace, integrations).filter(({ name, condition }) => {
    const entry = workspace.status?.guards?.[condition];
    const isFree =
      entry === undefined ||
      (isOfOtherClaim(entry, claimOf(name)) && recordsNothing(entry)) ||
      (entry.phase === 'none' && startsAnew(workspace, condition));
    return isFree && !isMirrored(workspace, condition);
  }),
  ...renamedOf(workspace, integrations),
];

/** Returns the requested integrations whose condition still shows the end of a former integration or claim. */
export const endedOf = (workspace: Workspace, integrations: readonly Integration[]): readonly Integration[] =>
  unclaimedOf(workspace, integrations).filter(
    ({ condition }) => findCondition(workspace.status?.conditions, condition)?.status === 'Terminated',
  );

/** Reports whether each requested integration has its condition, and the journal records for which of them nothing was begun. */
export const isInitialized = (workspace: Workspace, integrations: readonly Integration[]): boolean =>
  workspace.status?.guards !== undefined &&
  workspace.status.phase !== undefined &&
  requestedOf(workspace, integrations).every(
    ({ condition }) => findCondition(workspace.status?.conditions, condition) !== undefined,
  ) &&
  integrationsToInitialize(workspace, integrations).length === 0 &&
  endedOf(workspace, integrations).length === 0;
