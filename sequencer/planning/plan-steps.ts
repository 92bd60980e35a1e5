/** Planned steps of a workspace in their order, with the blockers of each; shared by the dry run and the recorded plan. */

import { effectivePolicyOf, newerFormat, newerText } from '../../sdk/host/index.ts';
import { type Integration, isDeleting, type Workspace } from '../../sdk/index.ts';
import { lostSealReason } from '../engine/mirrors/lost-seal.ts';
import { readinessOf } from '../engine/plan/input-readiness.ts';
import { type Order, orderOf } from '../engine/plan/order.ts';
import { candidatesOf, isCompletedForSpec, isRequestedOrError } from '../engine/plan/requested-integrations.ts';
import { contestedText, isClaimed, othersOfCondition } from '../engine/plan/shared-condition.ts';

/** Planned step of an integration. */
export interface IntegrationStep {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
  /** Conditions that it would wait for. */
  readonly waits: readonly string[];
  /** Reason why the step cannot be planned: another integration of its condition, or missing outputs. */
  readonly blocked: string | undefined;
}

/** Explains why nothing can be planned yet; undefined when it can. */
export function planBlocker(workspace: Workspace, { kind, integration, blocked }: IntegrationStep): string | undefined {
  const { condition } = integration;
  const requested = isRequestedOrError(workspace, integration);
  if (kind === 'reconcile' && requested instanceof Error) return requested.message;
  if (blocked !== undefined) return blocked;
  const entry = workspace.status?.guards?.[condition];
  const newer = newerFormat(entry);
  if (newer !== undefined) return newerText(newer);
  if (entry?.phase === 'unknown')
    return `waits for a person: sequencer resolve ${workspace.metadata.name} ${condition}`;
  const lost = lostSealReason(workspace, condition);
  if (lost !== undefined) return `waits for a person: ${lost}`;
  if (entry?.phase === 'intent') return `"${entry.op}" is running, or has to be recovered: held by ${entry.holder}`;
  return effectivePolicyOf(workspace, integration).mistake;
}

/** Returns the conditions that a step waits for, as the end of a sentence. */
export const laterText = ({ waits }: IntegrationStep): string =>
  waits.length > 0 ? ` (after ${waits.join(', ')})` : '';

/** Sorts integrations topologically by their predecessors. */
function inOrder(integrations: readonly Integration[], { before }: Order): readonly Integration[] {
  const open = [...integrations];
  const ordered: Integration[] = [];
  while (open.length > 0) {
    const next = open.findIndex((one) => !open.some(({ condition }) => before(one).includes(condition)));
    ordered.push(...open.splice(Math.max(0, next), 1));
  }
  return ordered;
}

/** Returns the steps of a workspace in the order in which they are taken. */
export function stepsOf(workspace: Workspace, integrations: readonly Integration[]): readonly IntegrationStep[] {
  const handled = isDeleting(workspace) ? [] : candidatesOf(workspace, integrations);
  const leaving = integrations.filter((one) => isClaimed(workspace, one) && !handled.includes(one));
  const order = orderOf(workspace, handled);
  const waitsOf = (integration: Integration) =>
    order
      .before(integration)
      .filter((type) => handled.some(({ condition }) => condition === type) && !isCompletedForSpec(workspace, type));
  const obstacleOf = (integration: Integration): string | undefined => {
    const rivals = othersOfCondition(integration, handled);
    if (rivals.length > 0) return contestedText(integration, [integration, ...rivals]);
    const readiness = readinessOf(workspace, integration, { integrations, candidates: handled, order });
    return readiness.kind === 'blocked' ? readiness.reason : undefined;
  };
  return [
    ...inOrder(leaving, orderOf(workspace, leaving))
      .toReversed()
      .map((integration): IntegrationStep => ({ kind: 'terminate', integration, waits: [], blocked: undefined })),
    ...inOrder(handled, order).map(
      (integration): IntegrationStep => ({
        kind: 'reconcile',
        integration,
        waits: waitsOf(integration),
        blocked: obstacleOf(integration),
      }),
    ),
  ];
}
