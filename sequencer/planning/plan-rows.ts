/** Planned changes of integrations to workspaces. */

import {
  createDryRunController,
  type DryRunResult,
  effectivePolicyOf,
  type PlannedChange,
  type ProviderHost,
  plannedChangeText,
} from '../../sdk/host/index.ts';
import {
  type Client,
  type Clock,
  createProviderHost,
  type Integration,
  isPaused,
  keyOf,
  type ManagementPolicy,
  messageOf,
  type Workspace,
} from '../../sdk/index.ts';
import { planIntegration } from '../engine/report-dry-run.ts';
import { scopeOf } from '../engine/workspace-patches.ts';
import { configBehind } from '../tenants/configured-integration.ts';
import { type IntegrationStep, laterText, planBlocker, stepsOf } from './plan-steps.ts';

/** Planned change of an integration, or the reason why there is none or why it is unknown. */
export interface PlanRow {
  readonly workspace: string;
  readonly integration: string;
  readonly condition: string;
  readonly policy: ManagementPolicy;
  readonly action: PlannedChange['op'] | 'orphan' | 'nothing' | 'unknown';
  readonly what: string;
  /** True when the policy forbids the change. */
  readonly heldBack: boolean;
}

type ConditionSummary = Pick<PlanRow, 'action' | 'what'>;

/** Statuses of conditions without remaining work. */
const settledStatuses: ReadonlySet<string> = new Set(['Completed', 'Healthy', 'Terminated']);

function summaryOf(
  { steps, condition }: DryRunResult,
  step: IntegrationStep,
  policy: ManagementPolicy,
): readonly ConditionSummary[] {
  const { integration } = step;
  const later = laterText(step);
  if (steps.length > 0)
    return steps.map((step) => ({
      action: step.op === 'delete' && policy === 'orphan' ? 'orphan' : step.op,
      what: `${step.guarded ? step.what : plannedChangeText(step).replace(/^\w+ /, '')}${later}`,
    }));
  if (condition === undefined && later !== '') return [{ action: 'unknown', what: `not known yet${later}` }];
  if (condition === undefined) return [{ action: 'nothing', what: `${integration.condition} is up to date` }];
  return [
    {
      action: settledStatuses.has(condition.status) ? 'nothing' : 'unknown',
      what: `${condition.status}: ${condition.reason}${later}`,
    },
  ];
}

/** Rehearses one integration; returns its rows and the workspace with the status that it would write. */
async function planStep(
  host: ProviderHost,
  workspace: Workspace,
  step: IntegrationStep,
): Promise<{ readonly summaries: readonly ConditionSummary[]; readonly workspace: Workspace }> {
  const { kind, integration } = step;
  const { policy, orphansOnDelete: orphans } = effectivePolicyOf(workspace, integration);
  const why = planBlocker(workspace, step);
  if (why !== undefined) return { summaries: [{ action: 'unknown', what: why }], workspace };
  if (kind === 'terminate' && orphans)
    return { summaries: [{ action: 'orphan', what: 'the external objects stay' }], workspace };
  const scope = { ...scopeOf(workspace, integration, kind === 'terminate'), limits: undefined };
  try {
    const planned = await planIntegration(createDryRunController(host, workspace, scope), { kind, integration, scope });
    return { summaries: summaryOf(planned, step, policy), workspace: planned.workspace };
  } catch (error) {
    host.stopping.throwIfAborted();
    return { summaries: [{ action: 'unknown', what: `${messageOf(error)}${laterText(step)}` }], workspace };
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
  const isOnPause = isPaused(workspace);
  const rows: PlanRow[] = [];
  let current = workspace;
  for (const step of stepsOf(workspace, integrations)) {
    signal.throwIfAborted();
    const { integration } = step;
    const { policy, changes } = effectivePolicyOf(workspace, integration);
    const paused: readonly ConditionSummary[] = [{ action: 'nothing', what: 'the workspace is paused' }];
    const outcome = isOnPause ? { summaries: paused, workspace: current } : await planStep(host, current, step);
    current = outcome.workspace;
    for (const summary of outcome.summaries) {
      const { name, condition } = integration;
      const isChange = summary.action !== 'nothing' && summary.action !== 'unknown' && summary.action !== 'orphan';
      rows.push({
        workspace: keyOf(workspace.metadata),
        integration: name,
        condition,
        policy,
        ...summary,
        what: configBehind(integration)?.secrets?.redact(summary.what) ?? summary.what,
        heldBack: isChange && !changes,
      });
    }
  }
  return rows;
}
