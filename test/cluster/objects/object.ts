import type { KubeObject, ObjectMeta } from '../../../sdk/api/object.ts';

/** JSON's objects, as they come from a body. */
export type Fields = { [name: string]: unknown };

/** A stored object: frozen through and through, and shared by everyone who reads it. */
export interface ApiObject extends KubeObject {
  readonly [field: string]: unknown;
}

/** Metadata that is still being made up. */
export type DraftMeta = { -readonly [Field in keyof ObjectMeta]?: ObjectMeta[Field] } & Fields;

/** An object on its way into the store. Only its top level and its metadata may be written to: deeper parts may be shared and frozen. */
export interface Draft {
  apiVersion: string;
  kind: string;
  metadata: DraftMeta;
  [field: string]: unknown;
}

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A note that decoding leaves in objects on their way into the store, for messages: see `kinds/emptied.ts`. */
export const emptied: unique symbol = Symbol('given without anything in it');

/** Freezes a value with everything in it, without the notes that decoding has left; what is frozen already is taken to be frozen through and through. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (emptied in value) delete value[emptied];
  Object.freeze(value);
  for (const name in value) freeze(value[name]);
  return value;
}

const isInOrder = (names: readonly string[]): boolean => names.every((name, at) => at === 0 || names[at - 1]! < name);

/**
 * A value with the members of all its objects in the order of their names, as a server keeps what it has no type for; parts that are in order are
 * shared with the argument, and what is frozen is taken to be in order. Names that are whole numbers come first, as everywhere in JavaScript.
 */
export function withSortedMembers<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) {
    const items = value.map(withSortedMembers);
    return items.every((item, at) => item === value[at]) ? value : (items as T);
  }
  const names = Object.keys(value);
  const fields = value as Fields;
  const members = names.map((name) => withSortedMembers(fields[name]));
  if (isInOrder(names) && members.every((member, at) => member === fields[names[at]!])) return value;
  const sorted = names.map((name, at) => [name, members[at]] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted) as T;
}

/** A draft that starts as the given object; the original stays as it is. */
export const draftOf = (object: ApiObject | Draft): Draft => ({
  ...object,
  metadata: { ...object.metadata } as DraftMeta,
});

/** Whether two JSON values say the same; members that are undefined count as absent, the order of members does not count. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((part, index) => equal(part, b[index]))
    );
  }
  return sameMembers(a as Fields, b as Fields);
}

function sameMembers(left: Fields, right: Fields): boolean {
  let unmatched = 0;
  for (const name in right) if (right[name] !== undefined) unmatched += 1;
  for (const name in left) if (left[name] !== undefined) unmatched -= 1;
  if (unmatched !== 0) return false;
  for (const name in left) if (!equal(left[name], right[name])) return false;
  return true;
}

/** The value at a path of member names; undefined where it ends early. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isFields(current)) return undefined;
    current = current[name];
  }
  return current;
}

/** A copy of `value` with the member at `path` replaced (undefined removes it); only what lies on the path is copied. */
export function withValueAt(value: unknown, path: readonly string[], member: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  const fields = isFields(value) ? value : {};
  const changed = withValueAt(fields[name], rest, member);
  if (changed !== undefined) return { ...fields, [name]: changed };
  const { [name]: _removed, ...others } = fields;
  return others;
}
