/** Validates integrations against each other. */

import { describeValue, ignoreRejection, suggestName } from '../../sdk/host/index.ts';
import { claimOf, defineIntegration, type Integration, UserError } from '../../sdk/index.ts';
import { cycleThrough } from '../engine/plan/cycle.ts';

/** Pattern of the name of an integration or of a config in claims. */
const claimName = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Describes a value that is not an integration, and how to fix it; undefined for an object. */
function invalidEntryIn(one: unknown): string | undefined {
  ignoreRejection(one);
  if (typeof one === 'function')
    return `the function ${one.name || 'itself'} (was its function called?): write ${one.name || 'it'}({ … })`;
  if (one instanceof Promise) return 'a Promise: write `await` before it';
  if (Array.isArray(one)) return `an array of ${one.length}: write \`...\` before it`;
  return typeof one === 'object' && one !== null ? undefined : describeValue(one);
}

/** Describes the first mistake in a list of integrations; undefined without one. */
export function mistakeInIntegrations(integrations: unknown): string | undefined {
  ignoreRejection(integrations);
  if (integrations instanceof Promise) return '`integrations` is not an array, but a Promise: write `await` before it';
  if (!Array.isArray(integrations)) return `\`integrations\` is not an array, but ${describeValue(integrations)}`;
  const entryMistakes = [...integrations].map(invalidEntryIn);
  const index = entryMistakes.findIndex((one) => one !== undefined);
  if (index !== -1) return `integrations[${index}] is not an integration, but ${entryMistakes[index]}`;
  const duplicate = integrations.findIndex((one, at) => integrations.indexOf(one) !== at);
  return duplicate === -1
    ? undefined
    : `integrations[${duplicate}] is the same as integrations[${integrations.indexOf(integrations[duplicate])}]: list it once`;
}

const claimPrefix = claimOf('');

/** Describes an entry of `orphan` that names no integration, or a registered one; undefined without one. @param at name of an entry in the text */
export function mistakeInOrphan(
  orphan: readonly string[],
  integrations: readonly Integration[],
  at = (index: number): string => `orphan[${index}]`,
): string | undefined {
  for (const [index, name] of orphan.entries()) {
    const must = `${at(index)} must be the name of an integration`;
    const short = name.startsWith(claimPrefix) ? name.slice(claimPrefix.length) : undefined;
    if (short !== undefined)
      return `${must}, without ${claimPrefix}; found ${describeValue(name)}; did you mean ${short}?`;
    if (!claimName.test(name)) return `${must}, such as acme-dns; found ${describeValue(name)}`;
    const place = integrations.findIndex((one) => one.name === name);
    if (place !== -1)
      return `${at(index)} names ${name}, which is integrations[${place}]: remove it from one of the two`;
  }
  return undefined;
}

/** Returns the indexes of the first two integrations of one name; undefined when each has its own. */
function findDuplicateName(integrations: readonly Integration[]): readonly [number, number] | undefined {
  const indexOfName = new Map<string, number>();
  for (const [index, { name }] of integrations.entries()) {
    const first = indexOfName.get(name);
    if (first !== undefined) return [first, index];
    indexOfName.set(name, index);
  }
  return undefined;
}

/**
 * Validates integrations against each other. Several may have one condition: at most one of them may handle a workspace. @returns them, in the order given
 * @param listed number of integrations that a config lists; the remaining ones represent the types that it opens to tenants
 * @throws UserError E#3001 for a duplicate name, E#3003 for a cycle of `after`
 */
export function checkIntegrations(
  integrations: readonly Integration[],
  listed = integrations.length,
): readonly Integration[] {
  for (const integration of integrations) defineIntegration(integration);
  const indexes = findDuplicateName(integrations);
  if (indexes !== undefined) {
    const { name } = integrations[indexes[0]]!;
    const [first, second] = indexes.map((at) =>
      at < listed ? `integrations[${at}]` : `tenantIntegrations["${name}"]`,
    );
    throw new UserError('E#3001', `two integrations are named "${name}": ${first} and ${second}`, {
      hint: 'give one of them another name',
    });
  }
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

/** Reports conditions in `after` that are not conditions of a registered integration, but similar to one. */
export function misspeltAfter(integrations: readonly Integration[]): readonly string[] {
  const known = integrations.map(({ condition }) => condition);
  return integrations.flatMap(({ name, after = [] }) =>
    after
      .filter((type) => !known.includes(type) && suggestName(type, known) !== undefined)
      .map(
        (type) =>
          `integration ${name}: after names ${type}, which is the condition of no registered integration; did you mean ${suggestName(type, known)}?`,
      ),
  );
}
