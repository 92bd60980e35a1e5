/** Orders integrations by `after` and by the outputs that they use. */

import type { Integration, Workspace } from '../../../sdk/index.ts';
import { cycleThrough } from './cycle.ts';
import { conditionsUsedBy } from './declared-inputs.ts';

/** Order of integrations on one workspace. */
export interface Order {
  /** Returns the conditions that come before an integration: those in `after`, and those whose outputs it uses unless that would be a cycle. */
  before(integration: Integration): readonly string[];
  /** Returns the cycle that an integration is in by the outputs that it or another one uses, its condition first and last. */
  cycleOf(integration: Integration): readonly string[] | undefined;
}

/** Computes the order of integrations on one workspace. Pure. */
export function orderOf(workspace: Workspace, integrations: readonly Integration[]): Order {
  const used = new Map(integrations.map((integration) => [integration, conditionsUsedBy(workspace, integration)]));
  const all = ({ condition, after = [] }: Integration, uses: readonly string[]) => ({
    condition,
    before: [...after, ...uses],
  });
  const edges = Map.groupBy(
    [...used].map(([integration, uses]) => all(integration, uses)),
    ({ condition }) => condition,
  );
  const edgesOf = (type: string) => edges.get(type)?.flatMap(({ before }) => before) ?? [];
  const cycleOf = ({ condition }: Integration) => cycleThrough(condition, edgesOf);
  return {
    cycleOf,
    before: (integration) => {
      const { after = [] } = integration;
      const uses = used.get(integration) ?? [];
      return uses.length === 0 || cycleOf(integration) !== undefined ? after : [...new Set([...after, ...uses])];
    },
  };
}
