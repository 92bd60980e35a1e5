/** Correlates the items of list-maps with their former state. */

import { sortedJson } from '../apimachinery/field-error.ts';
import { isFields } from '../apimachinery/object.ts';
import { memberOf, type Structural } from './structural.ts';

/** Returns the keys of a list-map's item with defaults; undefined members are left out, others are sorted. */
export function mapKeyOf(schema: Structural, item: unknown): Readonly<Record<string, unknown>> {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const entries = keys.map((key) => {
    const value = isFields(item) ? item[key] : undefined;
    return [key, value ?? (schema.items === undefined ? undefined : memberOf(schema.items, key)?.default)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const nothing = (): undefined => undefined;

/** Returns a lookup of an item's former state by its keys: the first match; none when the list is not a map. */
export function correlating(schema: Structural, old: unknown): (item: unknown) => unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return nothing;
  const identity = (item: unknown): string => sortedJson(mapKeyOf(schema, item));
  const former = new Map<string, unknown>();
  for (const item of old) {
    const key = identity(item);
    if (!former.has(key)) former.set(key, item);
  }
  return (item) => former.get(identity(item));
}
