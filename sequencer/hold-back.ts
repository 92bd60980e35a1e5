/** Rehearses integrations whose policy forbids changes. */

import {
  type ConditionStatus,
  createPlanner,
  differenceText,
  HeldBackError,
  type HostedController,
  heldBackText,
  type Integration,
  type Planned,
  type Planner,
  type ProviderHost,
  type Result,
  type Rule,
  ruleOf,
  type Scope,
  type Step,
  type Workspace,
} from '../sdk/index.ts';
import { askProvider } from './ask-provider.ts';

/** Workspace as of the last write, and the time of the next rehearsal. */
export interface HeldBack {
  readonly workspace: Workspace;
  readonly result?: Result;
}

/** Integration to rehearse, and the call. */
export interface Turn {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
  readonly scope: Scope;
}

/**
 * Calls an integration with a controller that changes nothing. @returns the planned steps and the requeue that it asks for @throws the integration's
 * errors
 */
export async function rehearse(planner: Planner, turn: Turn): Promise<Planned> {
  let wish: Result | undefined;
  try {
    wish = await askProvider(planner, planner.controller, turn);
  } catch (error) {
    if (!(error instanceof HeldBackError)) throw error;
  }
  const planned = planner.planned();
  return { ...planned, again: planned.again ?? wish?.requeueAfter };
}

/** Filters the steps that count as differences: under `observeOnly`, an owned object without a journal entry is as desired. */
const openSteps = (rule: Rule, steps: readonly Step[]): readonly Step[] =>
  rule.policy === 'observeOnly' ? steps.filter(({ op }) => op !== 'adopt') : steps;

interface Word {
  readonly status: ConditionStatus;
  readonly reason: string;
}

/** Returns the condition's status and reason for a plan; undefined to keep them. */
function wordOf(rule: Rule, { steps, said }: Planned): Word | undefined {
  const open = openSteps(rule, steps);
  if (open.length > 0)
    return { status: rule.policy === 'plan' ? 'Waiting' : 'Not Healthy', reason: heldBackText(rule.policy, open) };
  if (steps.length > 0)
    return { status: 'Completed', reason: `${rule.policy}: ${steps.map(differenceText).join(', ')}`.slice(0, 1024) };
  return said;
}

/** Rehearses the integration and reports the planned changes in its condition and, once, as an event. Changes nothing else. */
export async function holdBack(host: ProviderHost, controller: HostedController, turn: Turn): Promise<HeldBack> {
  const { workspace } = controller;
  const rule = ruleOf(workspace, turn.integration);
  const { type, reason: before } = controller.condition;
  if (rule.mistake !== undefined) {
    await controller.explain('Error', rule.mistake);
    if (before !== rule.mistake) controller.event('Warning', `${type}Failed`, rule.mistake);
    return { workspace: controller.workspace };
  }
  const planned = await rehearse(createPlanner(host, workspace, turn.scope), turn);
  const word = wordOf(rule, planned);
  if (word !== undefined) await controller.explain(word.status, word.reason);
  const isOpen = openSteps(rule, planned.steps).length > 0;
  if (isOpen && word?.reason !== before) controller.event('Normal', `${type}HeldBack`, word?.reason ?? '');
  return {
    workspace: controller.workspace,
    ...(planned.again !== undefined && { result: { requeueAfter: planned.again } }),
  };
}
