/** Summarizes the conditions of a workspace. */

import type { Draft } from 'immer';
import { type ProviderHost, recordsNothing, waitsForText, withoutEndedOutputs } from '../../sdk/host/index.ts';
import {
  anyCondition,
  type Condition,
  type ConditionStatus,
  claimOf,
  type Integration,
  isDeleting,
  type NewCondition,
  type Phase,
  setCondition,
  type Workspace,
  type WorkspaceStatus,
} from '../../sdk/index.ts';
import { candidatesOf, isCompletedForSpec } from './plan/requested-integrations.ts';
import { writeStatus } from './workspace-patches.ts';

/** Statuses that need the attention of a person. */
export const alarmingStatuses = ['Error', 'Unknown', 'Not Healthy'] as const satisfies readonly ConditionStatus[];

/** Computes the phase from the conditions of a workspace. */
export function phaseOf(workspace: Workspace, integrations: readonly Integration[]): Phase {
  if (isDeleting(workspace)) return 'Terminating';
  const types = candidatesOf(workspace, integrations).map(({ condition }) => condition);
  if (anyCondition(workspace.status?.conditions, alarmingStatuses, types)) return 'Error';
  return types.every((type) => isCompletedForSpec(workspace, type)) ? 'Healthy' : 'Deploying';
}

/** Computes the standard condition `Ready`, as kubectl, Argo CD and Flux read it. */
export function readyOf(workspace: Workspace, integrations: readonly Integration[]): NewCondition {
  const phase = phaseOf(workspace, integrations);
  const types = new Set(candidatesOf(workspace, integrations).map(({ condition }) => condition));
  const alarming = [...types].filter((type) => anyCondition(workspace.status?.conditions, alarmingStatuses, [type]));
  const unknown = anyCondition(workspace.status?.conditions, ['Unknown'], alarming);
  return {
    type: 'Ready',
    status: phase === 'Healthy' ? 'True' : unknown ? 'Unknown' : 'False',
    reason: alarming.length === 0 || phase === 'Terminating' ? phase : `${phase}: ${alarming.join(', ')}`,
    observedGeneration: workspace.metadata.generation,
  };
}

/** Parts of the status that the sequencer itself writes. */
export type Summary = Required<Pick<WorkspaceStatus, 'phase' | 'observedGeneration' | 'waitsFor'>> & {
  readonly conditions: readonly Condition[];
};

/**
 * Reports whether a condition is one that a registered integration had before it was renamed, and of which nothing is left: nothing would change its text
 * any more.
 */
function isLeftOver(workspace: Workspace, integrations: readonly Integration[], type: string): boolean {
  const entry = workspace.status?.guards?.[type];
  if (entry === undefined || !recordsNothing(entry) || isDeleting(workspace)) return false;
  const isRegistered = integrations.some(({ condition }) => condition === type);
  return !isRegistered && integrations.some(({ name }) => claimOf(name) === entry.claim);
}

/** Computes phase, generation and conditions; `confirmed` conditions hold for the current spec, since their provider found nothing to do. */
export function summaryOf(
  workspace: Workspace,
  integrations: readonly Integration[],
  { confirmed, now }: { readonly confirmed: ReadonlySet<string>; readonly now: number },
): Summary {
  const { generation = 1 } = workspace.metadata;
  const written = workspace.status?.conditions ?? [];
  const seenConditions = written.some(({ type }) => isLeftOver(workspace, integrations, type))
    ? written.filter(({ type }) => !isLeftOver(workspace, integrations, type))
    : written;
  const isBehind = ({ type, status, observedGeneration }: Condition): boolean =>
    confirmed.has(type) && (status === 'Completed' || status === 'Healthy') && observedGeneration !== generation;
  const settled = seenConditions.some(isBehind)
    ? seenConditions.map((condition) =>
        isBehind(condition) ? { ...condition, observedGeneration: generation } : condition,
      )
    : seenConditions;
  const seen: Workspace = { ...workspace, status: { ...workspace.status, conditions: settled } };
  return {
    phase: phaseOf(seen, integrations),
    observedGeneration: generation,
    waitsFor: waitsForText(seen),
    conditions: setCondition(settled, readyOf(seen, integrations), now),
  };
}

/** Writes phase, Ready and generations if they differ, and removes the outputs of what has ended. `confirmed`: generations for which providers found nothing to do. */
export function summarizeConditions(
  host: ProviderHost,
  {
    workspace,
    integrations,
    confirmed,
  }: {
    readonly workspace: Workspace;
    readonly integrations: readonly Integration[];
    readonly confirmed: ReadonlyMap<string, number | undefined>;
  },
): Promise<Workspace> {
  const { generation } = workspace.metadata;
  const current = [...confirmed].filter(([, seen]) => seen === generation).map(([type]) => type);
  const summary = summaryOf(workspace, integrations, { confirmed: new Set(current), now: host.clock.now() });
  return writeStatus(host, workspace, (status) => writeSummary(status, workspace, summary));
}

/** Changes a draft of the status of `workspace` to a summary; what is as it should be stays the same. */
function writeSummary(draft: Draft<WorkspaceStatus>, workspace: Workspace, summary: Summary): void {
  const { status } = workspace;
  const outputs = withoutEndedOutputs({ ...status, conditions: [...summary.conditions] });
  if (outputs === undefined) delete draft.outputs;
  else if (outputs !== status?.outputs) Object.assign(draft, { outputs });
  draft.phase = summary.phase;
  draft.observedGeneration = summary.observedGeneration;
  if (summary.conditions !== status?.conditions) draft.conditions = [...summary.conditions];
  const isEnding = isDeleting(workspace) && summary.conditions === status?.conditions; // its release follows: no patch for this alone
  if (!isEnding && summary.waitsFor !== (status?.waitsFor ?? '')) draft.waitsFor = summary.waitsFor;
}
