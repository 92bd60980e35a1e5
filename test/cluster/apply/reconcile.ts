import { elementsOf, type FieldSet, isBare, isMember, leaf, nodeOf } from './field-set.ts';
import { type MapType, type MergeType, memberTypeOf } from './merge-type.ts';

const isAtomicOwner = (node: FieldSet): boolean => isBare(node);

function fieldsBelow(map: MapType, set: FieldSet): FieldSet {
  return changedBelow(set, (element) => memberTypeOf(map, element.slice(2)));
}

/** The set with each child made to fit its type; the same set when all do. */
function changedBelow(set: FieldSet, typeOf: (element: string) => MergeType | undefined): FieldSet {
  let changed: Record<string, FieldSet> | undefined;
  for (const element of elementsOf(set)) {
    const type = typeOf(element);
    const node = set[element]!;
    const fitting = type === undefined ? node : fitted(type, node);
    if (fitting === node) continue;
    changed ??= { ...set };
    changed[element] = fitting;
  }
  return changed ?? set;
}

/** A node below the root; only what is below it is looked at, its own membership stays. */
function fitted(type: MergeType, node: FieldSet): FieldSet {
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

/** A set as the schema has it now: who owned parts of what has become atomic owns the whole. The same set when nothing has changed. */
export const reconciled = (type: MergeType, set: FieldSet): FieldSet =>
  type.map === undefined ? set : fieldsBelow(type.map, set);
