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

/** The workspace as the last write answered, and when to look again. */
export interface HeldBack {
  readonly workspace: Workspace;
  readonly result?: Result;
}

/** Whose turn it is, and for what. */
export interface Turn {
  readonly kind: 'reconcile' | 'terminate';
  readonly integration: Integration;
  readonly scope: Scope;
}

/** Lets an integration work with a controller that changes nothing. @returns what it would do, and when it asks to look again @throws what it throws */
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

/** Of what differs: something that is there and ours, though no journal knows it, is as it should be where nothing is managed. */
const openSteps = (rule: Rule, steps: readonly Step[]): readonly Step[] =>
  rule.policy === 'observeOnly' ? steps.filter(({ op }) => op !== 'adopt') : steps;

interface Word {
  readonly status: ConditionStatus;
  readonly reason: string;
}

/** What the condition says of a plan; undefined: what it says already. */
function wordOf(rule: Rule, { steps, said }: Planned): Word | undefined {
  const open = openSteps(rule, steps);
  if (open.length > 0)
    return { status: rule.policy === 'plan' ? 'Waiting' : 'Not Healthy', reason: heldBackText(rule.policy, open) };
  if (steps.length > 0)
    return { status: 'Completed', reason: `${rule.policy}: ${steps.map(differenceText).join(', ')}`.slice(0, 1024) };
  return said;
}

/** Changes nothing: finds out what the integration would do, and says so in its condition and, once, as an event. */
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
