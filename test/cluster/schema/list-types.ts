/** Checks the uniqueness of items in list-sets and list-maps. */

import { type FieldError, sortedJson } from '../apimachinery/field-error.ts';
import { type Fields, isFields } from '../apimachinery/object.ts';
import { mapKeyOf } from './correlate.ts';
import { additionalOf, memberPath, type Structural } from './structural.ts';

/** Parts of a schema that lead to lists with unique items. */
export interface DistinctLists {
  readonly schema: Structural;
  readonly properties: ReadonlyMap<string, DistinctLists>;
  readonly additional: DistinctLists | undefined;
  readonly items: DistinctLists | undefined;
}

const isDistinct = ({ 'x-kubernetes-list-type': type }: Structural): boolean => type === 'set' || type === 'map';

/** Finds the lists with unique items in a schema; undefined when there are none, as in most. */
export function distinctListsOf(schema: Structural): DistinctLists | undefined {
  const properties = new Map<string, DistinctLists>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const found = distinctListsOf(property);
    if (found !== undefined) properties.set(name, found);
  }
  const below = additionalOf(schema);
  const additional = below && distinctListsOf(below);
  const items = schema.items && distinctListsOf(schema.items);
  const leads = properties.size > 0 || additional !== undefined || items !== undefined || isDistinct(schema);
  return leads ? { schema, properties, additional, items } : undefined;
}

function duplicates(schema: Structural, items: readonly unknown[], path: string): readonly FieldError[] {
  const isMap = schema['x-kubernetes-list-type'] === 'map';
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const reported = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = isMap ? mapKeyOf(schema, item) : item;
    const text = sortedJson(key);
    const isReported = reported.has(text);
    if (seen.has(text) && !isReported) errors.push({ type: 'Duplicate', field: `${path}[${index}]`, value: key });
    if (seen.has(text)) reported.add(text);
    seen.add(text);
  }
  return errors;
}

const none: readonly FieldError[] = [];

function itemErrors({ schema, items: below }: DistinctLists, items: readonly unknown[], path: string) {
  const own = isDistinct(schema) && items.length > 1 ? duplicates(schema, items, path) : none;
  if (below === undefined) return own;
  return [...own, ...items.flatMap((item, index) => listTypeErrors(below, item, `${path}[${index}]`))];
}

function memberErrors({ schema, properties, additional }: DistinctLists, value: Fields, path: string) {
  const errors: FieldError[] = [];
  for (const [name, member] of Object.entries(value)) {
    const isProperty = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    const below = isProperty ? properties.get(name) : additional;
    if (below === undefined || typeof member !== 'object') continue;
    const at = isProperty ? memberPath(path, name) : `${path}[${name}]`;
    for (const error of listTypeErrors(below, member, at)) errors.push(error);
  }
  return errors;
}

/** Returns the errors of duplicate items in list-sets and list-maps, at any depth. */
export function listTypeErrors(lists: DistinctLists | undefined, value: unknown, path = ''): readonly FieldError[] {
  if (lists === undefined) return none;
  if (Array.isArray(value)) return itemErrors(lists, value, path);
  return isFields(value) ? memberErrors(lists, value, path) : none;
}
