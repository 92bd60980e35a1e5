/** Dry runs of integrations whose policy forbids changes. */

import {
  createDryRunController,
  cutText,
  type DryRunController,
  type DryRunResult,
  driftText,
  type EffectivePolicy,
  effectivePolicyOf,
  forbiddenChangesText,
  type InternalController,
  maxReasonLength,
  type PlannedChange,
  type ProviderHost,
  type Scope,
} from '../../sdk/host/index.ts';
import { type ConditionStatus, DryRunStop, type Integration, type Result, type Workspace } from '../../sdk/index.ts';
import { callProvider } from './call-provider.ts';

/** Workspace as of the last write, and the time of the next dry run. */
export interface DryRunOutcome {
  readonly workspace: Workspace;
  readonly result?: Result;
}

/** Integration to run dry, and the call. */
export interface DryRunStep {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
  readonly scope: Scope;
}

/**
 * Calls an integration with a controller that changes nothing. @returns the planned steps and the requeue that it asks for @throws the integration's
 * errors
 */
export async function planIntegration(dryRunController: DryRunController, step: DryRunStep): Promise<DryRunResult> {
  let result: Result | undefined;
  try {
    result = await callProvider(dryRunController, dryRunController.controller, step);
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw error;
  }
  const planned = dryRunController.result();
  return { ...planned, requeueAfter: planned.requeueAfter ?? result?.requeueAfter };
}

/** Filters the steps that count as differences: under `observeOnly`, an owned object without a journal entry is as desired. */
const openSteps = (rule: EffectivePolicy, steps: readonly PlannedChange[]): readonly PlannedChange[] =>
  rule.policy === 'observeOnly' ? steps.filter(({ op }) => op !== 'adopt') : steps;

interface ConditionText {
  readonly status: ConditionStatus;
  readonly reason: string;
}

/** Returns the condition's status and reason for a plan; undefined to keep them. */
function conditionTextOf(rule: EffectivePolicy, { steps, condition }: DryRunResult): ConditionText | undefined {
  const open = openSteps(rule, steps);
  if (open.length > 0)
    return {
      status: rule.policy === 'plan' ? 'Waiting' : 'Not Healthy',
      reason: forbiddenChangesText(rule.policy, open),
    };
  if (steps.length > 0)
    return {
      status: 'Completed',
      reason: cutText(`${rule.policy}: ${steps.map(driftText).join(', ')}`, maxReasonLength),
    };
  return condition;
}

/** Calls the integration in a dry run, and reports the planned changes in its condition and, once, as an event. Changes nothing else. */
export async function dryRun(
  host: ProviderHost,
  controller: InternalController,
  step: DryRunStep,
): Promise<DryRunOutcome> {
  const { workspace } = controller;
  const rule = effectivePolicyOf(workspace, step.integration);
  const { type, reason: before } = controller.condition;
  if (rule.mistake !== undefined) {
    await controller.writeCondition('Error', rule.mistake);
    if (before !== rule.mistake) controller.event('Warning', `${type}Failed`, rule.mistake);
    return { workspace: controller.workspace };
  }
  const planned = await planIntegration(createDryRunController(host, workspace, step.scope), step);
  const word = conditionTextOf(rule, planned);
  if (word !== undefined) await controller.writeCondition(word.status, word.reason);
  const isOpen = openSteps(rule, planned.steps).length > 0;
  if (isOpen && word?.reason !== before) controller.event('Normal', `${type}HeldBack`, word?.reason ?? '');
  return {
    workspace: controller.workspace,
    ...(planned.requeueAfter !== undefined && { result: { requeueAfter: planned.requeueAfter } }),
  };
}
