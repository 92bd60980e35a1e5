import { equal, isFields } from '../objects/object.ts';
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

/** The item of a former list that is the same one by its keys; undefined when the list's items have no identity. */
export function correlatedItem(schema: Structural, old: unknown, item: unknown): unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined;
  const key = mapKeyOf(schema, item);
  return old.find((candidate) => equal(mapKeyOf(schema, candidate), key));
}
