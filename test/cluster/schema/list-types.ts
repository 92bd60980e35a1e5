import { type FieldError, sortedJson } from '../field-error.ts';
import { isFields } from '../objects/object.ts';
import { mapKeyOf } from './correlate.ts';
import { memberOf, memberPath, type Structural } from './structural.ts';

function* duplicates(schema: Structural, items: readonly unknown[], path: string): Generator<FieldError> {
  const isMap = schema['x-kubernetes-list-type'] === 'map';
  const keys = isMap ? items.map((item) => mapKeyOf(schema, item)) : items;
  const seen = new Set<string>();
  for (const [index, key] of keys.entries()) {
    const text = sortedJson(key);
    if (seen.has(text)) yield { type: 'Duplicate', field: `${path}[${index}]`, value: key };
    seen.add(text);
  }
}

/** Items that appear twice in lists that are sets or maps, at any depth. */
export function* listTypeErrors(schema: Structural | undefined, value: unknown, path = ''): Generator<FieldError> {
  if (schema === undefined || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    const kind = schema['x-kubernetes-list-type'];
    if (kind === 'set' || kind === 'map') yield* duplicates(schema, value, path);
    for (const [index, item] of value.entries()) yield* listTypeErrors(schema.items, item, `${path}[${index}]`);
  } else if (isFields(value)) {
    for (const [name, member] of Object.entries(value)) {
      const isProperty = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
      yield* listTypeErrors(memberOf(schema, name), member, isProperty ? memberPath(path, name) : `${path}[${name}]`);
    }
  }
}
