/** Validates values that integrations pass in. */

import { isJsonObject } from '../api/json.ts';
import { ContractError } from '../errors.ts';
import { messageOf } from '../thrown.ts';
import { describeValue, isPlainJson } from './describe-value.ts';

/** Integration and condition, for messages. */
export interface IntegrationRef {
  /** Finalizer of the integration, `se.quencer.io/<name>`. */
  readonly claim: string;
  /** Type of the condition. */
  readonly type: string;
}

/** Runs a check of a plug-in's value. A value whose members throw when they are read is a mistake, too. */
export function runCheck(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return `the value cannot be read: ${messageOf(error)}`;
  }
}

/** Reports whether all texts in plain JSON are well-formed: an API server stores U+FFFD for half of a character, so that an id would be another one. */
const isWellFormed = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed()
    : typeof value !== 'object' || value === null || Object.values(value).every(isWellFormed);

/** Mistake of a function that an object has from its class: a copy of the object loses it. */
export const inheritedMistake = 'must be a member of the object itself; found one of its class';

/** Returns the first of these names that an object has from its class; undefined when there is none. */
export const inheritedAmong = (value: object, names: readonly string[]): string | undefined =>
  names.find((name) => name in value && !Object.hasOwn(value, name));

const illFormed = 'must have well-formed texts; found half of a character, as of a text that was cut';

/** Longest name of an external object in characters. */
const maxNameLength = 253;
/** Longest id in characters of JSON. */
const maxRefLength = 16_384;
/** Longest list of a condition's ids in characters of JSON. */
const maxRefsLength = 524_288;
/** Longest input, or desired state of one object, in characters of JSON. */
const maxInputLength = 131_072;

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

/** Describes an invalid id; undefined when it is valid. */
export function mistakeInRef(ref: unknown): string | undefined {
  if (!isJsonObject(ref) || !isPlainJson(ref)) return `must be a plain JSON object; found ${describeValue(ref)}`;
  if (!isWellFormed(ref)) return illFormed;
  const length = lengthOf(ref);
  if (length === '{}'.length) return 'must have a member with a value; found {} as JSON, which names nothing';
  return length > maxRefLength ? `must have at most ${maxRefLength} characters as JSON; found ${length}` : undefined;
}

/** Describes invalid ids of a condition; undefined when they are valid. */
export function mistakeInRefs(refs: unknown): string | undefined {
  if (!Array.isArray(refs)) return `refs must be an array of plain JSON objects; found ${describeValue(refs)}`;
  const index = refs.findIndex((ref) => mistakeInRef(ref) !== undefined);
  if (index !== -1) return `refs[${index}] ${mistakeInRef(refs[index])}`;
  const length = lengthOf(refs);
  return length > maxRefsLength
    ? `refs must have at most ${maxRefsLength} characters as JSON; found ${length}`
    : undefined;
}

/** Returns the valid ids of a list, up to the size limit. */
export function recordable(refs: unknown): ContractError['refs'] {
  if (!Array.isArray(refs)) return [];
  let left = maxRefsLength;
  return refs.filter((ref) => {
    if (mistakeInRef(ref) !== undefined) return false;
    left -= lengthOf(ref) + 1;
    return left >= 0;
  });
}

/** Describes invalid journalled input; undefined when it is valid. */
export function mistakeInInput(input: unknown): string | undefined {
  if (!isPlainJson(input)) return `must be plain JSON; found ${describeValue(input)}`;
  const length = lengthOf(input);
  return length > maxInputLength
    ? `must have at most ${maxInputLength} characters as JSON; found ${length}`
    : undefined;
}

/** Describes an invalid text of 1 to `longest` characters; undefined when it is valid. */
export function mistakeInText(text: unknown, longest = Number.POSITIVE_INFINITY): string | undefined {
  if (typeof text === 'string' && text !== '' && text.length <= longest) return undefined;
  return `must be ${Number.isFinite(longest) ? `text of 1 to ${longest} characters` : 'a text that is not empty'}; found ${describeValue(text)}`;
}

/** Describes an invalid name of an external object; undefined when it is valid. */
export function mistakeInSlotName(name: unknown): string | undefined {
  const isCut = typeof name === 'string' && !name.isWellFormed();
  return mistakeInText(name, maxNameLength) ?? (isCut ? illFormed : undefined);
}

/** Describes an invalid optional time in ms; undefined when it is valid. */
export function mistakeInMs(ms: unknown = 0, least = 0): string | undefined {
  if (typeof ms === 'number' && Number.isFinite(ms) && ms >= least) return undefined;
  return `must be a number of ms from ${least}; found ${describeValue(ms)}`;
}

/** Duration in ms below which seconds were meant. */
const minDuration = 100;

/** Describes an invalid optional duration in ms, also one that must have been meant in seconds; undefined when it is valid. */
export function mistakeInDuration(ms: unknown = 0, least = 0): string | undefined {
  const mistake = mistakeInMs(ms, least);
  if (mistake !== undefined || ms === 0 || Number(ms) >= minDuration) return mistake;
  const expected = least === 0 ? `0 or at least ${minDuration}` : `at least ${minDuration}`;
  return `must be ${expected} ms; found ${describeValue(ms)}: it is in ms, not in seconds`;
}

/** Describes an invalid duration as {@link mistakeInDuration} does, above 0; `Infinity` is valid. */
export const mistakeInUnboundedDuration = (ms: unknown): string | undefined =>
  ms === Number.POSITIVE_INFINITY ? undefined : mistakeInDuration(ms, 1);

/** Prefixes a mistake with the member that contains it. */
export const atMember = (member: string, mistake: string | undefined): string | undefined =>
  mistake && `${member} ${mistake}`;

/** Formats an integration: `integration "dns" (condition DNS)`. */
export const integrationIn = ({ claim, type }: IntegrationRef): string =>
  `integration "${claim.slice(claim.indexOf('/') + 1)}" (condition ${type})`;

/** Returns the error for a mistake of an integration. */
export const mistakeError = (
  integration: IntegrationRef,
  mistake: string,
  refs?: ContractError['refs'],
): ContractError => new ContractError(`${integrationIn(integration)}: ${mistake}`, refs);

/** Prevents an unhandled rejection of a promise that was returned in place of a value. */
export function ignoreRejection(value: unknown): void {
  if (runCheck(() => (value instanceof Promise ? 'a promise' : undefined)) === 'a promise')
    (value as Promise<unknown>).catch(() => undefined);
}

/** Throws the error for a mistake, if there is one. @throws ContractError with the ids of the invalid result */
export function throwIfMistake(
  integration: IntegrationRef,
  mistake: string | undefined,
  refs?: ContractError['refs'],
): void {
  if (mistake !== undefined) throw mistakeError(integration, mistake, refs);
}
