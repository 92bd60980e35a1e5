/** Rejects changes of the status that an integration must not make. */

import type { Draft } from 'immer';
import { isSameJson } from '../../api/json.ts';
import type { WorkspaceStatus } from '../../api/workspace.ts';
import { describeValue } from '../describe-value.ts';
import { type IntegrationRef, throwIfMistake } from '../value-mistakes.ts';

type Recipe = (status: Draft<WorkspaceStatus>) => void;

/** Fields of the status that only the sequencer writes. */
const reserved = ['guards', 'outputs', 'phase', 'observedGeneration'] as const;

type TypedConditions = readonly { readonly type: string }[];

/** Returns the first changed field that the integration of `type` must not change; undefined when there is none. */
function foreignChange(before: WorkspaceStatus, after: WorkspaceStatus, type: string): string | undefined {
  const field = reserved.find((name) => !isSameJson(before[name], after[name]));
  if (field !== undefined) return `status.${field}`;
  const [was, is]: readonly TypedConditions[] = [before.conditions ?? [], after.conditions ?? []];
  const others = new Set([...was!, ...is!].map((condition) => condition.type).filter((one) => one !== type));
  const differs = (one: string): boolean =>
    !isSameJson(
      was!.filter((condition) => condition.type === one),
      is!.filter((condition) => condition.type === one),
    );
  const other = [...others].find(differs);
  return other === undefined ? undefined : `condition ${other}`;
}

/**
 * Wraps a recipe for the status to reject changes that its integration must not make. @throws ContractError naming the field, from within the recipe
 */
export const checkedRecipe =
  (integration: IntegrationRef, before: WorkspaceStatus | undefined, recipe: Recipe): Recipe =>
  (draft) => {
    const answer: unknown = recipe(draft);
    throwIfMistake(
      integration,
      answer instanceof Promise ? `update: the recipe must not be async; found ${describeValue(answer)}` : undefined,
    );
    const foreign = foreignChange(before ?? {}, draft as WorkspaceStatus, integration.type);
    throwIfMistake(
      integration,
      foreign && `update: the recipe must not change ${foreign}, which is not its integration’s`,
    );
  };
