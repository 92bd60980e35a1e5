/** Removes field sets from objects. */

import { isFields } from '../apimachinery/object.ts';
import { elementsOf, type FieldSet, isMember, leaf, nodeOf } from './field-set.ts';
import { itemElement, kindOf, type ListType, type MapType, type MergeType, memberTypeOf } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

type Members = Readonly<Record<string, unknown>>;

function withoutMembers(map: MapType, value: Members, set: FieldSet): unknown {
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const node = set[fieldElement(name)];
    if (isMember(node)) continue;
    result[name] = node === undefined ? member : without(memberTypeOf(map, name) ?? {}, member, node);
  }
  return Object.keys(result).length === 0 ? null : result;
}

function withoutItems(list: ListType, items: readonly unknown[], set: FieldSet): unknown {
  const result = items.flatMap((item) => {
    const node = set[itemElement(list, item)];
    if (isMember(node)) return [];
    return [node === undefined ? item : without(list.of(), item, node)];
  });
  return result.length === 0 ? null : result;
}

function without(type: MergeType, value: unknown, set: FieldSet): unknown {
  const kind = kindOf(type, value);
  if (kind === 'scalar' || kind === undefined) return value;
  if (kind === 'list') {
    const { relation } = type.list!;
    return relation === 'atomic' || !Array.isArray(value) ? null : withoutItems(type.list!, value, set);
  }
  return type.map!.atomic || !isFields(value) ? null : withoutMembers(type.map!, value, set);
}

/** Removes the fields and items of a set from an object; containers that become empty are null. Unchanged parts are shared. */
export const removeFields = (type: MergeType, value: Members, set: FieldSet): Members =>
  (without(type, value, set) ?? {}) as Members;

/** Returns the type below an element; undefined if it is not declared. */
function typeBelow(type: MergeType | undefined, element: string): MergeType | undefined {
  if (element.startsWith('f:')) return type?.map && memberTypeOf(type.map, element.slice(2));
  return element.startsWith('k:') ? type?.list?.of() : undefined;
}

function namedBelow(type: MergeType | undefined, set: FieldSet): FieldSet {
  const children: Record<string, FieldSet> = {};
  for (const element of elementsOf(set)) {
    const node = set[element]!;
    const isNamed = element.startsWith('f:') && type?.map?.field(element.slice(2)) !== undefined;
    children[element] = nodeOf(isNamed || isMember(node), namedBelow(typeBelow(type, element), node)) ?? leaf;
  }
  return children;
}

/** Adds the declared fields on the paths of a set, which are removed once all their children are. */
export const withNamedFields = (type: MergeType, set: FieldSet): FieldSet => namedBelow(type, set);
