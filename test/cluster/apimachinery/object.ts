/** Types of objects and drafts, and functions on JSON values. */

import type { KubeObject, ObjectMeta } from '../../../sdk/api/object.ts';

/** JSON object. */
export type Fields = { [name: string]: unknown };

/** Stored object: deeply frozen and shared by all readers. */
export interface ApiObject extends KubeObject {
  readonly [field: string]: unknown;
}

/** Metadata of a draft. */
export type DraftMeta = { -readonly [Field in keyof ObjectMeta]?: ObjectMeta[Field] } & Fields;

/** Object that is being prepared for storage. Only its top level and metadata may be changed: deeper parts may be shared and frozen. */
export interface Draft {
  apiVersion: string;
  kind: string;
  metadata: DraftMeta;
  [field: string]: unknown;
}

/** Reports whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the member of a table under a name that a client sent; names such as `constructor` are not in tables without them. */
export const ownMember = <Member>(table: Readonly<Record<string, Member>>, name: unknown): Member | undefined =>
  Object.hasOwn(table, String(name)) ? table[String(name)] : undefined;

/** Key under which decoding keeps the members that were sent as empty lists or maps, for error messages: see `apimachinery/validation/empty-members.ts`. */
export const emptyMembers: unique symbol = Symbol('members sent as empty lists or maps');

/** Deeply freezes a value and removes the empty members that decoding keeps. A frozen value is assumed to be deeply frozen. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (emptyMembers in value) delete value[emptyMembers];
  Object.freeze(value);
  for (const name in value) freeze(value[name]);
  return value;
}

const isInOrder = (names: readonly string[]): boolean => names.every((name, at) => at === 0 || names[at - 1]! < name);

/**
 * Returns a value with the members of all its objects sorted by name, as a server stores untyped content. Sorted
 * parts are shared with the argument, and frozen parts are assumed to be sorted. Integer names come first, as always
 * in JavaScript.
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

/** Returns a draft of an object; the original is not changed. */
export const draftOf = (object: ApiObject | Draft): Draft => ({
  ...object,
  metadata: { ...object.metadata } as DraftMeta,
});

/** Reports whether two JSON values are equal; undefined members count as absent, and the order of members does not matter. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return !Array.isArray(b) && sameMembers(a as Fields, b as Fields);
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => equal(item, right[at]));
}

function sameMembers(left: Fields, right: Fields): boolean {
  let unmatched = 0;
  for (const name in right) if (right[name] !== undefined) unmatched += 1;
  for (const name in left) if (left[name] !== undefined) unmatched -= 1;
  if (unmatched !== 0) return false;
  for (const name in left) if (!equal(left[name], right[name])) return false;
  return true;
}

/** Returns the value at a path of member names; undefined where the path ends early. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (!isFields(current)) return undefined;
    current = current[name];
  }
  return current;
}

/** Returns a copy of `value` with the member at `path` replaced, or removed if undefined; only objects on the path are copied. */
export function withValueAt(value: unknown, path: readonly string[], member: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  const fields = isFields(value) ? value : {};
  const changed = withValueAt(fields[name], rest, member);
  if (changed !== undefined) return { ...fields, [name]: changed };
  const { [name]: _removed, ...others } = fields;
  return others;
}
