import { sortedJson } from '../field-error.ts';
import { isFields } from '../objects/object.ts';
import { memberOf, type Structural } from './structural.ts';

/** The keys of a list-map's item, defaults filled in; undefined members are left out, the rest is sorted. */
export function mapKeyOf(schema: Structural, item: unknown): Readonly<Record<string, unknown>> {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const entries = keys.map((key) => {
    const value = isFields(item) ? item[key] : undefined;
    return [key, value ?? (schema.items === undefined ? undefined : memberOf(schema.items, key)?.default)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const nothing = (): undefined => undefined;

/** Finds the item of a former list that an item is by its keys: the first of several; none when the list's items have no identity. */
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
