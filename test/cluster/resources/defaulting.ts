/** Building blocks of defaulting. */

import { type Fields, isFields } from '../apimachinery/object.ts';

/** Sets the defaults of a value that depend on its other fields. Returns the same value when nothing is missing. */
export type DefaultRule = (value: Fields) => Fields;

/** Returns the value with missing members added. */
export function withMissing(value: Fields, missing: Fields): Fields {
  let result = value;
  for (const name of Object.keys(missing)) {
    if (value[name] !== undefined || missing[name] === undefined) continue;
    if (result === value) result = { ...value };
    result[name] = missing[name];
  }
  return result;
}

/** Returns the value as an object; empty for any other value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
/** Returns the value as a list of objects; empty for any other value. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
/** Reports whether a value is absent or has no members. */
export const isEmpty = (value: unknown): boolean => value === undefined || Object.keys(fieldsOf(value)).length === 0;

/** Returns a rule that removes the fields of disabled features. */
export const withoutFields =
  (...names: readonly string[]): DefaultRule =>
  (value) =>
    names.some((name) => name in value)
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
      : value;
