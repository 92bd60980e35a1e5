/** Computes the changes that the integrations would make to workspaces. */

import {
  createDryRunController,
  type DryRunResult,
  effectivePolicyOf,
  newerFormat,
  newerText,
  type PlannedChange,
  type ProviderHost,
  plannedChangeText,
} from '../../../sdk/host/index.ts';
import {
  type Client,
  type Clock,
  createProviderHost,
  type Integration,
  isDeleting,
  isPaused,
  keyOf,
  messageOf,
  type Policy,
  type Workspace,
} from '../../../sdk/index.ts';
import { planIntegration } from '../../engine/dry-run.ts';
import { scopeOf } from '../../engine/moves.ts';
import { type Order, orderOf, readinessOf } from '../../engine/references.ts';
import { askingOf, concernedOf, hasArrived } from '../../engine/requested.ts';
import { contestedText, isClaimed, rivalsOf } from '../../engine/shared-condition.ts';
import { configBehind } from '../../tenants/configured-integration.ts';

/** Change that an integration would make to a workspace, or the reason why there is none or why it is unknown. */
export interface PlanRow {
  readonly workspace: string;
  readonly integration: string;
  readonly condition: string;
  readonly policy: Policy;
  readonly action: PlannedChange['op'] | 'orphan' | 'nothing' | 'unknown';
  readonly what: string;
  /** True when the policy forbids the change. */
  readonly heldBack: boolean;
}

type Said = Pick<PlanRow, 'action' | 'what'>;

/** Integration to rehearse. */
interface IntegrationStep {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
  /** Conditions that it would wait for. */
  readonly waits: readonly string[];
  /** Reason for which nothing of it can be planned: another integration of its condition, or outputs of others. */
  readonly blocked: string | undefined;
}

/** Statuses with which nothing is left to do. */
const arrived: ReadonlySet<string> = new Set(['Completed', 'Healthy', 'Terminated']);

/** Explains why nothing can be planned before another problem is resolved; undefined when it can. */
function obstacle(workspace: Workspace, { kind, integration, blocked }: IntegrationStep): string | undefined {
  const { condition } = integration;
  const asking = askingOf(workspace, integration);
  if (kind === 'reconcile' && asking instanceof Error) return asking.message;
  if (blocked !== undefined) return blocked;
  const entry = workspace.status?.guards?.[condition];
  const newer = newerFormat(entry);
  if (newer !== undefined) return newerText(newer);
  if (entry?.phase === 'unknown')
    return `waits for a person: sequencer resolve ${workspace.metadata.name} ${condition}`;
  if (entry?.phase === 'intent') return `"${entry.op}" is under way, or has to be found again: held by ${entry.holder}`;
  return effectivePolicyOf(workspace, integration).mistake;
}

const laterText = ({ waits }: IntegrationStep): string => (waits.length > 0 ? ` (after ${waits.join(', ')})` : '');

function saidOf({ steps, said }: DryRunResult, step: IntegrationStep, policy: Policy): readonly Said[] {
  const { integration } = step;
  const later = laterText(step);
  if (steps.length > 0)
    return steps.map((step) => ({
      action: step.op === 'delete' && policy === 'orphan' ? 'orphan' : step.op,
      what: `${step.guarded ? step.what : plannedChangeText(step).replace(/^\w+ /, '')}${later}`,
    }));
  if (said === undefined && later !== '') return [{ action: 'unknown', what: `it says nothing yet${later}` }];
  if (said === undefined) return [{ action: 'nothing', what: `${integration.condition} is as wanted` }];
  return [{ action: arrived.has(said.status) ? 'nothing' : 'unknown', what: `${said.status}: ${said.reason}${later}` }];
}

/** Sorts integrations topologically by what comes before each. */
function inOrder(integrations: readonly Integration[], { before }: Order): readonly Integration[] {
  const open = [...integrations];
  const ordered: Integration[] = [];
  while (open.length > 0) {
    const next = open.findIndex((one) => !open.some(({ condition }) => before(one).includes(condition)));
    ordered.push(...open.splice(Math.max(0, next), 1));
  }
  return ordered;
}

function stepsOf(workspace: Workspace, integrations: readonly Integration[]): readonly IntegrationStep[] {
  const handled = isDeleting(workspace) ? [] : concernedOf(workspace, integrations);
  const leaving = integrations.filter((one) => isClaimed(workspace, one) && !handled.includes(one));
  const order = orderOf(workspace, handled);
  const waitsOf = (integration: Integration) =>
    order
      .before(integration)
      .filter((type) => handled.some(({ condition }) => condition === type) && !hasArrived(workspace, type));
  const obstacleOf = (integration: Integration): string | undefined => {
    const rivals = rivalsOf(integration, handled);
    if (rivals.length > 0) return contestedText(integration, [integration, ...rivals]);
    const readiness = readinessOf(workspace, integration, { integrations, concerned: handled, order });
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

/** Rehearses one integration; returns its rows and the workspace with the status that it would write. */
async function planned(
  host: ProviderHost,
  workspace: Workspace,
  step: IntegrationStep,
): Promise<{ readonly said: readonly Said[]; readonly workspace: Workspace }> {
  const { kind, integration } = step;
  const { policy, orphansOnDelete: letsGo } = effectivePolicyOf(workspace, integration);
  const why = obstacle(workspace, step);
  if (why !== undefined) return { said: [{ action: 'unknown', what: why }], workspace };
  if (kind === 'terminate' && letsGo)
    return { said: [{ action: 'orphan', what: 'what is outside stays there' }], workspace };
  const scope = { ...scopeOf(workspace, integration, kind === 'terminate'), limits: undefined };
  try {
    const planned = await planIntegration(createDryRunController(host, workspace, scope), { kind, integration, scope });
    return { said: saidOf(planned, step, policy), workspace: planned.workspace };
  } catch (error) {
    host.stopping.throwIfAborted();
    return { said: [{ action: 'unknown', what: `${messageOf(error)}${laterText(step)}` }], workspace };
  }
}

/** Options of {@link planRows}. */
export interface PlanningOptions {
  /** Used for reads only. */
  readonly client: Client;
  readonly clock: Clock;
  readonly integrations: readonly Integration[];
  readonly signal: AbortSignal;
}

/**
 * Returns the planned changes of each integration to this workspace, in order. Writes nothing: only reads from the cluster and from third parties.
 */
export async function planRows(
  workspace: Workspace,
  { client, clock, integrations, signal }: PlanningOptions,
): Promise<readonly PlanRow[]> {
  const host = createProviderHost({
    client,
    clock,
    holder: 'plan',
    events: { event: () => {} },
    stopping: signal,
    killed: signal,
  });
  const rests = isPaused(workspace);
  const rows: PlanRow[] = [];
  let current = workspace;
  for (const step of stepsOf(workspace, integrations)) {
    signal.throwIfAborted();
    const { integration } = step;
    const { policy, changes } = effectivePolicyOf(workspace, integration);
    const paused: readonly Said[] = [{ action: 'nothing', what: 'the workspace is paused' }];
    const outcome = rests ? { said: paused, workspace: current } : await planned(host, current, step);
    current = outcome.workspace;
    for (const said of outcome.said) {
      const { name, condition } = integration;
      const isChange = said.action !== 'nothing' && said.action !== 'unknown' && said.action !== 'orphan';
      rows.push({
        workspace: keyOf(workspace.metadata),
        integration: name,
        condition,
        policy,
        ...said,
        what: configBehind(integration)?.secrets?.redact(said.what) ?? said.what,
        heldBack: isChange && !changes,
      });
    }
  }
  return rows;
}
