/** Plan of a workspace from its own records, without calls to integrations or third parties. */

import { effectivePolicyOf } from '../../sdk/host/index.ts';
import { type Integration, isPaused, redactedJson, type Workspace } from '../../sdk/index.ts';
import { isCompletedForSpec } from '../engine/plan/requested-integrations.ts';
import { type IntegrationStep, laterText, planBlocker, stepsOf } from './plan-steps.ts';

/** Row of a recorded plan. */
export interface RecordedRow {
  readonly integration: string;
  readonly condition: string;
  /** Possible actions; two if only the third party can decide between them. */
  readonly action: 'create or adopt' | 'update or keep' | 'delete' | 'orphan' | 'nothing' | 'unknown';
  readonly what: string;
  /** True when the policy forbids the change. */
  readonly heldBack: boolean;
}

type RecordedChange = Pick<RecordedRow, 'action' | 'what'>;

/** Limits of one plan. */
const max = { ids: 8, text: 256 } as const;

const idsText = (ids: readonly unknown[], redact: (text: string) => string): string => {
  const shown = ids.slice(0, max.ids).map((id) => (JSON.stringify(redactedJson(id, redact)) ?? '').slice(0, max.text));
  return `${shown.join(', ')}${ids.length > shown.length ? ` and ${ids.length - shown.length} more` : ''}`;
};

/** Returns the external ids in the journal of a condition. */
const recordedIds = ({ status }: Workspace, type: string): readonly unknown[] => {
  const { refs = [], late = [] } = status?.guards?.[type] ?? {};
  return [...refs, ...late];
};

function removalOf(workspace: Workspace, integration: Integration, redact: (text: string) => string): RecordedChange {
  const ids = recordedIds(workspace, integration.condition);
  const idText = ids.length === 0 ? 'no id is recorded' : idsText(ids, redact);
  if (effectivePolicyOf(workspace, integration).orphansOnDelete)
    return { action: 'orphan', what: `the external objects stay: ${idText}` };
  if (workspace.status?.guards?.[integration.condition]?.phase === 'gone')
    return { action: 'nothing', what: 'nothing of it is left' };
  return { action: 'delete', what: idText };
}

function changeOf(workspace: Workspace, step: IntegrationStep, redact: (text: string) => string): RecordedChange {
  const { kind, integration } = step;
  const { condition } = integration;
  if (isPaused(workspace)) return { action: 'nothing', what: 'the workspace is paused' };
  const why = planBlocker(workspace, step);
  if (why !== undefined) return { action: 'unknown', what: why };
  if (kind === 'terminate') return removalOf(workspace, integration, redact);
  if (isCompletedForSpec(workspace, condition)) return { action: 'nothing', what: 'up to date at the last check' };
  const ids = recordedIds(workspace, condition);
  return ids.length === 0
    ? { action: 'create or adopt', what: `no id is recorded${laterText(step)}` }
    : { action: 'update or keep', what: `${idsText(ids, redact)}${laterText(step)}` };
}

const harmless: ReadonlySet<RecordedRow['action']> = new Set(['nothing', 'unknown', 'orphan']);

/**
 * Returns the plan of a workspace in the order of its steps: one row for each integration, by journal, conditions and policies. Pure; asks no
 * integration beyond its `handles` and references. `sequencer plan` also calls the third parties and is more exact.
 */
export function recordedPlanOf(
  workspace: Workspace,
  integrations: readonly Integration[],
  redact: (text: string) => string,
): readonly RecordedRow[] {
  return stepsOf(workspace, integrations).map((step): RecordedRow => {
    const { action, what } = changeOf(workspace, step, redact);
    const { name: integration, condition } = step.integration;
    const { changes } = effectivePolicyOf(workspace, step.integration);
    return { integration, condition, action, what: redact(what), heldBack: !changes && !harmless.has(action) };
  });
}
