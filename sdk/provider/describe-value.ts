/** Describes values in messages, and recognizes plain JSON. */

import { isJsonObject, isPlainObject } from '../api/json.ts';

const maxFoundLength = 60;

/** Describes a value in a few words, for messages: `"Done"`, `NaN`, `a function`, `{"id":1}`. Never throws. */
export function describeValue(value: unknown): string {
  try {
    return described(value);
  } catch {
    return 'a value that cannot be read';
  }
}

function described(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (value instanceof Promise) return 'a Promise';
  if (typeof value === 'string' && value.length > maxFoundLength) return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const difference = differenceFromJson(value);
  if (difference !== undefined) return typeof value === 'object' ? `an object ${difference}` : String(value);
  const text = JSON.stringify(value);
  return text.length > maxFoundLength ? `an object of ${text.length} characters` : text;
}

/** Describes the type of a value that may contain a secret, without its content. */
export function describeShape(value: unknown): string {
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return isJsonObject(value)
    ? `an object with ${Object.keys(value).slice(0, 8).join(', ') || 'nothing'}`
    : describeValue(value);
}

/** Limit of the values that {@link isPlainJson} visits before it returns false. */
const maxValues = 100_000;
const maxDepth = 64;

/** Reports whether a value that is neither an object nor a list is JSON. */
const isJsonScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Explains why a value is not plain JSON, as `that is not plain JSON`; undefined when it is. */
function differenceFromJson(value: unknown): string | undefined {
  let left = maxValues;
  const within = (one: unknown, depth: number): string | undefined => {
    left -= 1;
    if (left < 0) return `of more than ${maxValues} values`;
    if (depth > maxDepth) return `of more than ${maxDepth} levels`;
    if (typeof one !== 'object' || one === null)
      return one === null || isJsonScalar(one) ? undefined : 'that is not plain JSON';
    return Array.isArray(one) ? first(one, (item) => within(item, depth + 1)) : withinMembers(one, depth);
  };
  const withinMembers = (one: object, depth: number): string | undefined => {
    if (!isPlainObject(one)) return 'that is not plain JSON';
    return first(Object.entries(one), ([name, member]) => {
      if (!name.isWellFormed()) return 'with half of a character in the name of a member';
      return member === undefined ? undefined : within(member, depth + 1);
    });
  };
  return within(value, 0);
}

/** Returns the first answer of a function for the items of a list. */
function first<T>(items: readonly T[], answer: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = answer(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Reports whether a value is plain JSON: no class instances, functions, cycles or ill-formed names, and not too deep. Undefined members count as absent.
 */
export const isPlainJson = (value: unknown): boolean => differenceFromJson(value) === undefined;
