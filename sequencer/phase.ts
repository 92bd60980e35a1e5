import {
  anyCondition,
  type Condition,
  type Integration,
  isDeleting,
  type NewCondition,
  type Phase,
  setCondition,
  type Workspace,
  type WorkspaceStatus,
} from '../sdk/index.ts';
import { concernedOf, hasArrived } from './plan.ts';

/** What the conditions of a workspace add up to. */
export function phaseOf(workspace: Workspace, integrations: readonly Integration[]): Phase {
  if (isDeleting(workspace)) return 'Terminating';
  const types = concernedOf(workspace, integrations).map(({ condition }) => condition);
  if (anyCondition(workspace.status?.conditions, ['Error', 'Unknown', 'Not Healthy'], types)) return 'Error';
  return types.every((type) => hasArrived(workspace, type)) ? 'Healthy' : 'Deploying';
}

/** The standard condition that kubectl, Argo CD and Flux read. */
export function readyOf(workspace: Workspace, integrations: readonly Integration[]): NewCondition {
  const phase = phaseOf(workspace, integrations);
  const troubled = concernedOf(workspace, integrations)
    .map(({ condition }) => condition)
    .filter((type) => anyCondition(workspace.status?.conditions, ['Error', 'Unknown', 'Not Healthy'], [type]));
  const unknown = anyCondition(workspace.status?.conditions, ['Unknown'], troubled);
  return {
    type: 'Ready',
    status: phase === 'Healthy' ? 'True' : unknown ? 'Unknown' : 'False',
    reason: troubled.length === 0 || phase === 'Terminating' ? phase : `${phase}: ${troubled.join(', ')}`,
    observedGeneration: workspace.metadata.generation,
  };
}

/** What the sequencer itself says in the status. */
export type Summary = Required<Pick<WorkspaceStatus, 'phase' | 'observedGeneration'>> & {
  readonly conditions: readonly Condition[];
};

/** Phase, generation and conditions as they should be: `confirmed` conditions hold for the spec as it is now, since their provider found nothing to do. */
export function summaryOf(
  workspace: Workspace,
  integrations: readonly Integration[],
  { confirmed, now }: { readonly confirmed: ReadonlySet<string>; readonly now: number },
): Summary {
  const { generation = 1 } = workspace.metadata;
  const seenConditions = workspace.status?.conditions ?? [];
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
    conditions: setCondition(settled, readyOf(seen, integrations), now),
  };
}
