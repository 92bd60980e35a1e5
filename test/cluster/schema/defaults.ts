import { type Fields, isFields } from '../objects/object.ts';
import { additionalOf, memberOf, refusesNull, type Structural } from './structural.ts';

const withDefault = (schema: Structural | undefined, value: unknown): unknown =>
  value === null && schema?.default !== undefined && refusesNull(schema) ? schema.default : value;

function defaultedFields(schema: Structural, value: Fields): Fields {
  const added: Fields = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.default !== undefined && !Object.hasOwn(value, name)) {
      added[name] = applyDefaults(property, property.default);
    }
  }
  let changed = Object.keys(added).length > 0;
  const result: Fields = {};
  for (const [name, member] of Object.entries(value)) {
    const below = memberOf(schema, name);
    result[name] = below === undefined ? member : applyDefaults(below, withDefault(below, member));
    changed ||= result[name] !== member;
  }
  return changed ? { ...result, ...added } : value;
}

/** Fills in the defaults of a schema, in absent members and for nulls that are not allowed. Unchanged parts are shared with the argument. Idempotent. */
export function applyDefaults(schema: Structural, value: unknown): unknown {
  if (isFields(value)) {
    const isOpen = schema.properties !== undefined || additionalOf(schema) !== undefined;
    return isOpen ? defaultedFields(schema, value) : value;
  }
  const { items } = schema;
  if (!Array.isArray(value) || items === undefined) return value;
  const filled = value.map((item) => applyDefaults(items, withDefault(items, item)));
  return filled.every((item, index) => item === value[index]) ? value : filled;
}
