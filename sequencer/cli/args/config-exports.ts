/** Validation of the exports of a config other than `integrations`. */

import { describeValue, ignoreRejection, suggestName } from '../../../sdk/host/index.ts';
import { isJsonObject } from '../../../sdk/index.ts';
import { mistakeInTypes } from '../../tenants/tenant-integration.ts';

const isPort = (port: unknown): boolean => Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;

/** Returns the expectation that a member does not meet; undefined for a valid one. */
type MemberRule = (value: unknown) => string | undefined;

const optional =
  (rule: MemberRule): MemberRule =>
  (value) =>
    value === undefined ? undefined : rule(value);

const texts: MemberRule = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? undefined : 'be an array of texts';

const functionOf =
  (shape: string): MemberRule =>
  (value) =>
    typeof value === 'function' ? undefined : `be a function ${shape}`;

const runnableRules: Readonly<Record<string, MemberRule>> = {
  name: (value) => (typeof value === 'string' && value !== '' ? undefined : 'be a text that is not empty'),
  create: functionOf('({ client, clock, logger }) => runnable'),
  permissions: (value) => (Array.isArray(value) ? undefined : 'be an array of rules, [] for none'),
  ports: optional((value) =>
    Array.isArray(value) && value.every(isPort) ? undefined : 'be an array of ports from 1 to 65535',
  ),
  endpoints: optional(texts),
  secrets: optional(texts),
};

const walkthroughRules: Readonly<Record<string, MemberRule>> = {
  begin: functionOf('(stage) => Promise<void>'),
  end: functionOf('(stage) => Promise<Record<string, number>>'),
};

/** Describes a misspelt member, with the nearest known one; undefined without one. Objects may have further members. */
function misspeltMember(at: string, value: object, known: readonly string[]): string | undefined {
  for (const member of Object.keys(value)) {
    const meant = known.includes(member) ? undefined : suggestName(member, known);
    if (meant !== undefined && !(meant in value)) return `${at} has no member ${member}; did you mean ${meant}?`;
  }
  return undefined;
}

/** Describes the first mistake in the members of an object; undefined when there is none. */
function mistakeInMembers(at: string, value: object, rules: Readonly<Record<string, MemberRule>>): string | undefined {
  const misspelt = misspeltMember(at, value, Object.keys(rules));
  if (misspelt !== undefined) return misspelt;
  for (const [member, rule] of Object.entries(rules)) {
    const found: unknown = (value as Readonly<Record<string, unknown>>)[member];
    const expected = rule(found);
    // A secret among the values is not shown.
    if (expected !== undefined)
      return `${at}.${member} must ${expected}${member === 'secrets' ? '' : `; found ${describeValue(found)}`}`;
  }
  return undefined;
}

/** Describes a value that is not an object, and what is expected; undefined for an object. */
function mistakeInType(at: string, expected: string, value: unknown): string | undefined {
  ignoreRejection(value);
  const must = `${at} must be ${expected}; found`;
  if (value instanceof Promise) return `${must} a Promise: write \`await\` before it`;
  if (typeof value === 'function')
    return `${must} the function ${value.name || 'itself'}: was its function called? Write ${value.name || 'it'}({ … })`;
  return isJsonObject(value) ? undefined : `${must} ${describeValue(value)}`;
}

function mistakeInRunnable(at: string, one: unknown): string | undefined {
  const typeMistake = mistakeInType(at, 'a runnable', one);
  if (typeMistake !== undefined) return typeMistake;
  const value = one as Readonly<Record<string, unknown>>;
  if (isJsonObject(value.runnable))
    return `${at} must be a runnable; found an object that has one: write .runnable after it`;
  if ('connect' in value) return `${at} must be a runnable; found an integration: it belongs into \`integrations\``;
  return mistakeInMembers(at, value, runnableRules);
}

/** Describes the first mistake in an export `runnables`; undefined when there is none. */
export function mistakeInRunnables(runnables: unknown): string | undefined {
  ignoreRejection(runnables);
  if (!Array.isArray(runnables))
    return `\`runnables\` must be an array of runnables; found ${describeValue(runnables)}`;
  for (const [index, one] of runnables.entries()) {
    const mistake = mistakeInRunnable(`runnables[${index}]`, one);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

/** Describes the first mistake in an export `walkthrough`; undefined when there is none. */
export const mistakeInWalkthrough = (walkthrough: unknown): string | undefined =>
  mistakeInType('`walkthrough`', 'an object with the functions begin and end', walkthrough) ??
  mistakeInMembers('walkthrough', walkthrough as object, walkthroughRules);

/** Describes an export `tenantIntegrations` that is not an object of types; undefined when it is one. */
export const mistakeInTenantIntegrations = (types: unknown): string | undefined =>
  mistakeInType('`tenantIntegrations`', 'an object of integration types by name', types) ??
  mistakeInTypes(types as Readonly<Record<string, unknown>>);
