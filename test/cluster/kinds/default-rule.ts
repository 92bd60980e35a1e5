import { type Fields, isFields } from '../objects/object.ts';

/** A value with what depends on its other fields filled in. Returns the same value when nothing is missing. */
export type DefaultRule = (value: Fields) => Fields;

/** The value with these members where it has none. */
export function withMissing(value: Fields, missing: Fields): Fields {
  let result = value;
  for (const name of Object.keys(missing)) {
    if (value[name] !== undefined || missing[name] === undefined) continue;
    if (result === value) result = { ...value };
    result[name] = missing[name];
  }
  return result;
}

/** The value as an object; an empty one when it is none. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
/** The value as a list of objects; an empty one when it is none. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
/** Whether there is nothing in a value. */
export const isEmpty = (value: unknown): boolean => value === undefined || Object.keys(fieldsOf(value)).length === 0;

/** The value without fields of features that are not on. */
export const withoutFields =
  (...names: readonly string[]): DefaultRule =>
  (value) =>
    names.some((name) => name in value)
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
      : value;
