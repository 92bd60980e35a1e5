/** Reads and rewrites JSON values by path. */

import type { Json } from './recording.ts';

/** Reports whether a value is a JSON object. */
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function step(value: unknown, part: string): unknown {
  if (!part.startsWith('[')) return (value as Json)[part];
  const inner = part.slice(1, -1);
  if (/^\d+$/.test(inner)) return (value as unknown[])[Number(inner)];
  if (inner.startsWith('"')) return (value as Json)[JSON.parse(inner) as string];
  const [key = '', wanted] = inner.split('=');
  return Array.isArray(value) ? value.find((item) => String(valueAt(item, key)) === wanted) : undefined;
}

/** Returns the value at a dotted path; `[0]` is an index, `[type=Ready]` finds in a list, `["odd.key"]` quotes. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const part of path.match(/[^.[\]]+|\[[^\]]*\]/g) ?? []) {
    if (current === undefined || current === null) return undefined;
    current = step(current, part);
  }
  return current;
}

/** Replaces `${names}` in a value by the captured values, also in its keys. */
export function filledIn<T>(value: T, captured: Readonly<Record<string, string>>): T {
  const fill = (one: unknown): unknown => {
    if (typeof one === 'string') return one.replace(/\$\{(\w+)\}/g, (text, name: string) => captured[name] ?? text);
    if (Array.isArray(one)) return one.map(fill);
    if (!isJson(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [fill(name), fill(member)]));
  };
  return fill(value) as T;
}

/** Returns a value without any managedFields in metadata. */
export function withoutManagedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutManagedFields);
  if (!isJson(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    if (name !== 'metadata' || !isJson(member)) return [name, withoutManagedFields(member)];
    const { managedFields: _managers, ...metadata } = member;
    return [name, withoutManagedFields(metadata)];
  });
  return Object.fromEntries(entries);
}
