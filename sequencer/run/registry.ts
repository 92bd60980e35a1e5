/** Validates integrations against each other. */

import { suggestName } from '../../sdk/host/index.ts';
import { defineIntegration, type Integration, UserError } from '../../sdk/index.ts';
import { cycleThrough } from '../engine/cycle.ts';

function findTwice<T>(items: readonly T[], keyOf: (item: T) => string): readonly [T, T] | undefined {
  const seen = new Map<string, T>();
  for (const item of items) {
    const first = seen.get(keyOf(item));
    if (first !== undefined) return [first, item];
    seen.set(keyOf(item), item);
  }
  return undefined;
}

/**
 * Validates integrations against each other. Several may have one condition: at most one of them may handle a workspace. @returns them, in the order given
 * @throws UserError E#3001 for a duplicate name, E#3003 for a cycle of `after`
 */
export function registered(integrations: readonly Integration[]): readonly Integration[] {
  for (const integration of integrations) defineIntegration(integration);
  const sameName = findTwice(integrations, ({ name }) => name);
  if (sameName)
    throw new UserError('E#3001', `two integrations are named "${sameName[0].name}"`, {
      hint: 'give one of them another name',
    });
  const byCondition = new Map<string, string[]>();
  for (const { condition, after = [] } of integrations)
    byCondition.set(condition, [...(byCondition.get(condition) ?? []), ...after]);
  for (const { condition } of integrations) {
    const cycle = cycleThrough(condition, (type) => byCondition.get(type) ?? []);
    if (cycle)
      throw new UserError('E#3003', `integrations wait for each other in a circle: ${cycle.join(' after ')}`, {
        hint: 'remove one of these from `after`',
      });
  }
  return integrations;
}

/** Reports conditions in `after` that nearly match one of a registered integration, and that none answers for. */
export function misspeltAfter(integrations: readonly Integration[]): readonly string[] {
  const known = integrations.map(({ condition }) => condition);
  return integrations.flatMap(({ name, after = [] }) =>
    after
      .filter((type) => !known.includes(type) && suggestName(type, known) !== undefined)
      .map(
        (type) =>
          `integration ${name}: after names ${type}, which no registered integration answers for; did you mean ${suggestName(type, known)}?`,
      ),
  );
}
