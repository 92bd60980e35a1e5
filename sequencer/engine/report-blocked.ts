/** Reports in a condition what keeps its integration from being called. */

import {
  cutText,
  type InternalController,
  maxReasonLength,
  type ProviderHost,
  reportConditionUnwritten,
} from '../../sdk/host/index.ts';
import { type ConditionStatus, claimOf, createController, type Integration, type Workspace } from '../../sdk/index.ts';
import { configBehind } from '../tenants/configured-integration.ts';
import type { Move } from './plan/plan.ts';
import { isRequestedOrError } from './plan/requested-integrations.ts';
import { isClaimed, othersOfCondition } from './plan/shared-condition.ts';
import { scopeOf } from './workspace-patches.ts';

/** Statuses that report an unresolved attempt. */
export const unresolvedStatuses: ReadonlySet<ConditionStatus> = new Set(['Locked', 'Unknown']);

/** Sets a condition, best effort. */
export const showCondition = (
  host: ProviderHost,
  controller: InternalController,
  { status, reason }: { readonly status: ConditionStatus; readonly reason: string },
): Promise<void> =>
  controller
    .writeCondition(status, reason)
    .catch((refusal: unknown) =>
      reportConditionUnwritten(host, { workspace: controller.workspace, type: controller.condition.type }, refusal),
    );

/** Reports in the condition, once, that the integration's `handles` fails; no other condition is affected. */
export async function reportInvalid(
  host: ProviderHost,
  workspace: Workspace,
  integration: Integration,
): Promise<Workspace> {
  const asking = isRequestedOrError(workspace, integration);
  if (!(asking instanceof Error)) return workspace;
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  const { status, reason } = controller.condition;
  const said = cutText(asking.message, maxReasonLength);
  if (status === 'Error' && reason === said) return workspace;
  await controller.writeCondition('Error', said);
  controller.event('Warning', `${integration.condition}Failed`, asking.message);
  if (configBehind(integration)?.problem === undefined)
    host.logger?.error({ err: asking, integration: integration.name }, 'an integration breaks its contract');
  return controller.workspace;
}

/**
 * Reports in the condition, once, what blocks an integration. A condition that reports an unresolved attempt
 * is kept: `Unknown` always, `Locked` if the move only waits.
 * @throws StaleError, RefusedError
 */
export async function reportBlocked(
  host: ProviderHost,
  workspace: Workspace,
  move: Extract<Move, { kind: 'blocked' }>,
): Promise<Workspace> {
  const { integration } = move;
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  const { status, reason } = controller.condition;
  if (status === 'Unknown' || (status === 'Locked' && move.status === 'Waiting')) return workspace;
  if (status === move.status && reason === cutText(move.reason, maxReasonLength)) return workspace;
  await controller.writeCondition(move.status, move.reason);
  if (move.status === 'Error') controller.event('Warning', `${integration.condition}Blocked`, move.reason);
  return controller.workspace;
}

/**
 * Reports in the condition, once and best effort, that the server refuses the integration's finalizer. The report of an unresolved attempt stays.
 * Also for an integration that is being removed, which is only called with its finalizer.
 */
export async function reportUnclaimed(
  host: ProviderHost,
  { workspace, integrations }: { readonly workspace: Workspace; readonly integrations: readonly Integration[] },
  { integration, error }: { readonly integration: Integration; readonly error: Error },
): Promise<Workspace> {
  if (othersOfCondition(integration, integrations).some((one) => isClaimed(workspace, one))) return workspace; // the claimed one owns the condition
  const controller = createController(host, workspace, scopeOf(workspace, integration, false));
  if (unresolvedStatuses.has(controller.condition.status)) return workspace;
  const why = `the finalizer ${claimOf(integration.name)} cannot be added, and nothing is made outside before it is there`;
  await showCondition(host, controller, { status: 'Error', reason: `${why}: ${error.message}` });
  return controller.workspace;
}
