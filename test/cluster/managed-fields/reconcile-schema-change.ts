/** Adapts `managedFields` to a changed schema. */

import { elementsOf, type FieldSet, isBare, isMember, leaf, nodeOf } from './field-set.ts';
import { type MapType, type MergeType, memberTypeOf } from './merge-type.ts';

const isAtomicOwner = (node: FieldSet): boolean => isBare(node);

function fieldsBelow(map: MapType, set: FieldSet): FieldSet {
  return changedBelow(set, (element) => memberTypeOf(map, element.slice(2)));
}

/** Adapts each child of a set to its type; returns the same set when none changes. */
function changedBelow(set: FieldSet, typeOf: (element: string) => MergeType | undefined): FieldSet {
  let changed: Record<string, FieldSet> | undefined;
  for (const element of elementsOf(set)) {
    const type = typeOf(element);
    const node = set[element]!;
    const adapted = type === undefined ? node : adaptNode(type, node);
    if (adapted === node) continue;
    changed ??= { ...set };
    changed[element] = adapted;
  }
  return changed ?? set;
}

/** Adapts a node below the root; its own membership stays. */
function adaptNode(type: MergeType, node: FieldSet): FieldSet {
  const { map, scalar, list } = type;
  if (map !== undefined) {
    if (map.isFree) return node;
    if (map.atomic) return isAtomicOwner(node) ? node : leaf;
    return nodeBelow(node, fieldsBelow(map, node));
  }
  if (scalar !== undefined || list === undefined) return node;
  if (list.relation === 'atomic') return isAtomicOwner(node) ? node : leaf;
  return nodeBelow(
    node,
    changedBelow(node, () => list.of()),
  );
}

const nodeBelow = (node: FieldSet, changed: FieldSet): FieldSet =>
  changed === node ? node : (nodeOf(isMember(node), changed) ?? leaf);

/** Adapts a set to the current schema: a manager of parts of a value that became atomic owns the whole. Returns the same set when unchanged. */
export const reconcileSchemaChange = (type: MergeType, set: FieldSet): FieldSet =>
  type.map === undefined ? set : fieldsBelow(type.map, set);
