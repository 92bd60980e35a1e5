/** Building blocks of validation: checks and common errors. */

import type { Part } from '../accepted-write.ts';
import { type FieldError, notSupported } from '../field-error.ts';
import { equal, type Fields, isFields } from '../object.ts';

/** Validates an object; `old` is the object that it replaces, `part` the part that is written. @default all of it */
export type Check = (object: Fields, old: Fields | undefined, part?: Part) => Iterable<FieldError>;

/** Returns the value as an object; empty for any other value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** Returns the value as a list of objects; empty for any other value. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Error for a missing value. */
export const required = (field: string, detail = ''): FieldError => ({ type: 'Required', field, detail });

/** Error for an invalid value. */
export const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  value: value ?? null,
  detail,
});

/** Error for a field that may not be set or changed. */
export const forbidden = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail });

/** Reports a negative number. */
export function* negative(field: string, value: unknown): Generator<FieldError> {
  if (typeof value === 'number' && value < 0) yield invalid(field, value, 'must be greater than or equal to 0');
}

/** Reports a value that is not supported. */
export function* unsupported(field: string, value: unknown, supported: readonly string[]): Generator<FieldError> {
  if (value !== undefined && !supported.includes(String(value))) yield notSupported(field, value, supported);
}

/** Reports a change of an immutable field. */
export function* immutable(field: string, now: unknown, before: unknown): Generator<FieldError> {
  if (!equal(now, before)) yield invalid(field, now, 'field is immutable');
}

/** Reports a port number outside of 1 to 65535. */
export function* badPort(field: string, value: unknown): Generator<FieldError> {
  if (typeof value === 'number' && (value < 1 || value > 65_535)) {
    yield invalid(field, value, 'must be between 1 and 65535, inclusive');
  }
}

/** Reports items with duplicate keys. */
export function* duplicates(
  items: readonly Fields[],
  pathOf: (index: number) => string,
  key: string,
): Generator<FieldError> {
  const seen = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const value = item[key];
    if (value === undefined || value === '') continue;
    if (seen.has(value)) yield { type: 'Duplicate', field: `${pathOf(index)}.${key}`, value };
    seen.add(value);
  }
}
