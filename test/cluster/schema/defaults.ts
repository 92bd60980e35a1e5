/** Applies the defaults of schemas. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import { additionalOf, memberOf, nestedSchemas, refusesNull, type Structural } from './structural.ts';

/** Reports whether a schema or any nested one has a default. */
export function hasDefaults(schema: Structural): boolean {
  for (const nested of nestedSchemas(schema)) if (nested.default !== undefined) return true;
  return false;
}

const withDefault = (schema: Structural, value: unknown): unknown =>
  value === null && schema.default !== undefined && refusesNull(schema) ? schema.default : value;

function defaultedFields(schema: Structural, value: Fields): Fields {
  let result = value;
  const set = (name: string, member: unknown): void => {
    if (result === value) result = { ...value };
    result[name] = member;
  };
  for (const name of Object.keys(value)) {
    const below = memberOf(schema, name);
    if (below === undefined) continue;
    const filled = applyDefaults(below, withDefault(below, value[name]));
    if (filled !== value[name]) set(name, filled);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isAbsent = property.default !== undefined && !Object.hasOwn(value, name);
    if (isAbsent) set(name, applyDefaults(property, property.default));
  }
  return result;
}

/**
 * Sets the defaults of a schema for absent members and for nulls that are not allowed. Unchanged parts are shared
 * with the argument. Idempotent.
 */
export function applyDefaults(schema: Structural, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isFields(value)) {
    const isOpen = schema.properties !== undefined || additionalOf(schema) !== undefined;
    return isOpen ? defaultedFields(schema, value) : value;
  }
  const { items } = schema;
  if (!Array.isArray(value) || items === undefined) return value;
  const filled = value.map((item) => applyDefaults(items, withDefault(items, item)));
  return filled.every((item, index) => item === value[index]) ? value : filled;
}
