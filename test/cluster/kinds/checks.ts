import { type FieldError, notSupported } from '../field-error.ts';
import type { Part } from '../kind-rules.ts';
import { equal, type Fields, isFields } from '../objects/object.ts';

/** Errors of one object; `old` is what it replaces, `part` what of it is written: the whole unless told otherwise. */
export type Check = (object: Fields, old: Fields | undefined, part?: Part) => Iterable<FieldError>;

/** The value as an object; an empty one when it is none. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** The value as a list of objects; an empty one when it is none. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** A missing value. */
export const required = (field: string, detail = ''): FieldError => ({ type: 'Required', field, detail });

/** A wrong value. */
export const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  value: value ?? null,
  detail,
});

/** Something that may not be there, or not be changed. */
export const forbidden = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail });

/** A number below zero. */
export function* negative(field: string, value: unknown): Generator<FieldError> {
  if (typeof value === 'number' && value < 0) yield invalid(field, value, 'must be greater than or equal to 0');
}

/** A value that is not one of those that are known. */
export function* unsupported(field: string, value: unknown, supported: readonly string[]): Generator<FieldError> {
  if (value !== undefined && !supported.includes(String(value))) yield notSupported(field, value, supported);
}

/** A field that has changed though it may not. */
export function* changed(field: string, now: unknown, before: unknown): Generator<FieldError> {
  if (!equal(now, before)) yield invalid(field, now, 'field is immutable');
}

/** A port number outside of 1 to 65535. */
export function* badPort(field: string, value: unknown): Generator<FieldError> {
  if (typeof value === 'number' && (value < 1 || value > 65_535)) {
    yield invalid(field, value, 'must be between 1 and 65535, inclusive');
  }
}

/** Items whose key is there twice. */
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
