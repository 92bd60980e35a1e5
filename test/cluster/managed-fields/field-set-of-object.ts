/** Set of the fields that an object has, as in `managedFields`. */

import { isFields } from '../apimachinery/object.ts';
import { type FieldSet, isBare, leaf, nodeOf } from './field-set.ts';
import { itemElement, kindOf, type ListType, type MapType, type MergeType, memberTypeOf } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

type Children = Record<string, FieldSet>;

const isNothing = (value: unknown): boolean => value === null || (isFields(value) && Object.keys(value).length === 0);

function itemsOf(list: ListType, items: readonly unknown[]): FieldSet {
  const children: Children = {};
  const repeated = new Set<string>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (children[element] !== undefined) repeated.add(element);
    else children[element] = nodeFor(list.of(), item, true)!;
  }
  // Duplicate items are owned as a whole.
  for (const element of repeated) children[element] = leaf;
  return children;
}

function membersOf(map: MapType, value: Readonly<Record<string, unknown>>): FieldSet {
  const children: Children = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const always = isNothing(member) || map.field(name) === undefined;
    const node = nodeFor(memberTypeOf(map, name) ?? {}, member, always);
    if (node !== undefined) children[fieldElement(name)] = node;
  }
  return children;
}

/** Returns the node of a value; with `always` the value's own path is a member in any case. */
function nodeFor(type: MergeType, value: unknown, always: boolean): FieldSet | undefined {
  const kind = kindOf(type, value);
  if (kind === 'scalar' || kind === undefined) return leaf;
  if (kind === 'list') {
    const list = type.list!;
    if (list.relation === 'atomic') return leaf;
    return nodeOf(always, Array.isArray(value) ? itemsOf(list, value) : undefined);
  }
  if (type.map!.atomic) return leaf;
  return nodeOf(always, isFields(value) ? membersOf(type.map!, value) : undefined);
}

/** Returns the set of all leaf fields and list items of a value. Throws a TypedError for list items without a valid key. */
export function fieldSetOf(type: MergeType, value: Readonly<Record<string, unknown>>): FieldSet {
  const children = type.map === undefined ? leaf : membersOf(type.map, value);
  return isBare(children) ? leaf : children;
}
