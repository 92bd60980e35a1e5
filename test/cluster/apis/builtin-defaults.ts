/** Applies the defaults of built-in types. */

import { type Fields, isFields } from '../apimachinery/object.ts';
import { zeroOfField } from '../resources/decode.ts';
import { withMissing } from '../resources/defaulting.ts';
import type { TypeInfo, TypeRef, TypeTable } from '../resources/type-table.ts';
import { defaultRules, defaultValues } from './builtin-kinds.ts';

/** Fills the members of a map; returns the same map when none changes. */
function filledMembers(value: Fields, fill: (name: string, member: unknown) => unknown): Fields {
  let result = value;
  for (const name of Object.keys(value)) {
    const member = value[name];
    const made = fill(name, member);
    if (made === member) continue;
    if (result === value) result = { ...value };
    result[name] = made;
  }
  return result;
}

function filled(types: TypeTable, type: TypeRef, value: unknown): unknown {
  if (type.is === 'scalar') return value;
  if (type.is === 'struct') return isFields(value) ? filledStruct(types, types(type.name), value) : value;
  const { of } = type;
  if (of.is === 'scalar') return value;
  if (type.is === 'list') return Array.isArray(value) ? value.map((item) => filled(types, of, item)) : value;
  return isFields(value) ? filledMembers(value, (_name, member) => filled(types, of, member)) : value;
}

const isZero = (value: unknown): boolean => value === '' || value === 0;

/** Sets the constant defaults of a type. Go treats an empty value as absent, unless it is a pointer. */
function withValues(type: TypeInfo, value: Fields): Fields {
  const values = defaultValues[type.name];
  if (values === undefined) return value;
  const isMissing = (name: string): boolean => {
    if (values[name] === undefined) return false;
    const whenEmpty = type.fields.get(name)?.whenEmpty;
    return value[name] === null || (isZero(value[name]) && whenEmpty !== 'kept' && whenEmpty !== 'null');
  };
  const set = Object.entries(value).filter(([name]) => !isMissing(name));
  return withMissing(set.length === Object.keys(value).length ? value : Object.fromEntries(set), values);
}

function filledStruct(types: TypeTable, type: TypeInfo, value: Fields): Fields {
  const read = filledMembers(value, (name, member) => {
    const field = type.fields.get(name);
    return field === undefined ? member : filled(types, field.type, member);
  });
  const complete = withValues(type, withMissing(read, type.defaults));
  return defaultRules[type.name]?.(complete) ?? complete;
}

/** Adds the structs that the server always shows, such as an empty status. */
function withShown(types: TypeTable, type: TypeInfo, object: Fields): Fields {
  const missing: Fields = {};
  for (const field of type.fields.values()) {
    if (field.type.is === 'struct' && field.whenEmpty === 'shown' && object[field.name] === undefined) {
      missing[field.name] = zeroOfField(types, field);
    }
  }
  return withMissing(object, missing);
}

/** Sets the defaults of a built-in type at every depth. Idempotent. */
export function applyBuiltinDefaults(types: TypeTable, name: string, object: Fields): Fields {
  const type = types(name);
  return filledStruct(types, type, withShown(types, type, object));
}
