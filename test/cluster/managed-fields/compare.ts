/** Compares two objects of a merge type field by field. */

import { emptyMembers, equal, isFields } from '../apimachinery/object.ts';
import { type FieldSet, leaf, nodeOf } from './field-set.ts';
import {
  itemElement,
  kindOf,
  type ListType,
  type MapType,
  type MergeKind,
  type MergeType,
  memberTypeOf,
} from './merge-type.ts';
import { fieldElement } from './path-element.ts';

/** Difference of two objects, as disjoint field sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Difference at one path; undefined for an empty set. */
type Parts = { -readonly [Part in keyof Comparison]?: FieldSet | undefined };

/** Differences of children, being collected. */
type ChildDifferences = { -readonly [Part in keyof Comparison]?: Record<string, FieldSet> };

const partNames = ['removed', 'modified', 'added'] as const;

function gather(gathered: ChildDifferences, element: string, parts: Parts | undefined): void {
  if (parts === undefined) return;
  for (const part of partNames) {
    const node = parts[part];
    if (node === undefined) continue;
    gathered[part] ??= {};
    gathered[part][element] = node;
  }
}

interface WithEmptyMembers extends Readonly<Record<string, unknown>> {
  readonly [emptyMembers]?: Readonly<Record<string, unknown>>;
}

const emptyFields: WithEmptyMembers = {};
const emptyList: readonly unknown[] = [];

/** Returns a member as it was sent: a null may have been an empty list, which {@link emptyMembers} keeps. */
const memberAsSent = (fields: WithEmptyMembers, name: string): unknown =>
  fields[name] === null ? (fields[emptyMembers]?.[name] ?? null) : fields[name];

/** Returns the names of one and those that are in the other only. */
function namesIn(left: WithEmptyMembers, right: WithEmptyMembers): readonly string[] {
  const names = Object.keys(left);
  for (const name in right) if (left[name] === undefined) names.push(name);
  return names;
}

function memberDifferences(map: MapType, before: unknown, after: unknown): ChildDifferences {
  const gathered: ChildDifferences = {};
  const left = isFields(before) ? before : emptyFields;
  const right = isFields(after) ? after : emptyFields;
  for (const name of namesIn(left, right)) {
    const [one, other] = [memberAsSent(left, name), memberAsSent(right, name)];
    if (one === other) continue;
    gather(gathered, fieldElement(name), differences(memberTypeOf(map, name) ?? {}, one, other));
  }
  return gathered;
}

function byElement(list: ListType, items: readonly unknown[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    const known = found.get(element);
    if (known === undefined) found.set(element, [item]);
    else known.push(item);
  }
  return found;
}

/** Compares items with the same key; duplicates are compared as a whole. */
function itemDifference(type: MergeType, left: readonly unknown[], right: readonly unknown[]): Parts | undefined {
  if (left.length < 2 && right.length < 2) return differences(type, left[0], right[0]);
  if (left.length > 1 && right.length > 1) return equal(left, right) ? undefined : { modified: leaf };
  if (left.length > 1) return { ...(right.length > 0 && differences(type, undefined, right[0])), removed: leaf };
  return { ...(left.length > 0 && differences(type, left[0], undefined)), added: leaf };
}

function itemDifferences(list: ListType, before: unknown, after: unknown): ChildDifferences {
  const left = byElement(list, Array.isArray(before) ? before : emptyList);
  const right = byElement(list, Array.isArray(after) ? after : emptyList);
  const gathered: ChildDifferences = {};
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    gather(gathered, element, itemDifference(list.of(), left.get(element) ?? [], right.get(element) ?? []));
  }
  return gathered;
}

const isEmptyMap = (value: unknown): boolean => !isFields(value) || Object.keys(value).length === 0;
const isEmptyList = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;

/** Reports whether the members of two objects, or the items of two lists, are compared one by one. */
function isComparedByParts(
  { map, list }: MergeType,
  kind: MergeKind | undefined,
  [before, after]: readonly [unknown, unknown],
): boolean {
  if (kind === 'map') return !map!.atomic && !(isEmptyMap(before) && isEmptyMap(after));
  return kind === 'list' && list!.relation !== 'atomic' && !(isEmptyList(before) && isEmptyList(after));
}

/** Compares two values as one kind. Few calls for each level: values are nested as deeply as a stack allows. */
function differencesAs(kind: MergeKind | undefined, type: MergeType, pair: readonly [unknown, unknown]): Parts {
  const [before, after] = pair;
  let children: ChildDifferences | undefined;
  if (isComparedByParts(type, kind, pair))
    children =
      kind === 'map' ? memberDifferences(type.map!, before, after) : itemDifferences(type.list!, before, after);
  const isChanged = children === undefined && before !== undefined && after !== undefined && !equal(before, after);
  return {
    removed: nodeOf(after === undefined, children?.removed),
    modified: nodeOf(isChanged, children?.modified),
    added: nodeOf(before === undefined, children?.added),
  };
}

function differences(type: MergeType, before: unknown, after: unknown): Parts | undefined {
  if (before === after) return undefined;
  const pair = [before, after] as const;
  const kind = kindOf(type, after === undefined ? before : after);
  const former = before === undefined || after === undefined ? kind : kindOf(type, before);
  const parts = differencesAs(kind, type, pair);
  if (former === kind) return parts;
  // A value of another kind counts as both removed and added.
  return {
    ...differencesAs(former, type, pair),
    ...Object.fromEntries(Object.entries(parts).filter(([, set]) => set)),
  };
}

/** Compares two objects of a type. Throws a TypedError for list items without a valid key. */
export function compare(
  type: MergeType,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Comparison {
  const {
    removed = leaf,
    modified = leaf,
    added = leaf,
  } = type.map === undefined ? {} : memberDifferences(type.map, before, after);
  return { removed, modified, added };
}
